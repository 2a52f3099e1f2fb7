"""Where the build keeps what is too large or too slow to make twice."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from scripts import StageError


def repo_root() -> Path:
    """Return the root folder of this checkout."""
    return Path(__file__).resolve().parent.parent


def cache_root() -> Path:
    """Return the build cache's folder, made if missing.

    It is ``$TRITON_PLAYGROUND_CACHE``, or ``~/.cache/triton-playground`` when that is unset or empty.
    """
    chosen = os.environ.get("TRITON_PLAYGROUND_CACHE")
    root = Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "triton-playground"
    return _made(root.absolute(), "open the build cache")


def downloads_dir() -> Path:
    """Return the folder of downloaded archives inside the cache, made if missing."""
    return _made(cache_root() / "downloads", "open the download folder")


def sources_dir() -> Path:
    """Return the folder of pristine unpacked sources inside the cache, made if missing."""
    return _made(cache_root() / "sources", "open the source folder")


def require_space(folder: Path, needed_bytes: int, stage: str) -> None:
    """Fail unless the file system of ``folder`` has ``needed_bytes`` free.

    Raises:
        StageError: with the free and the needed number of megabytes.
    """
    free = shutil.disk_usage(folder).free
    if free < needed_bytes:
        raise StageError(
            stage,
            f"no disk space: {needed_bytes / 1e6:,.0f} MB are needed in {folder}, {free / 1e6:,.0f} MB are free",
            "free some space, or point TRITON_PLAYGROUND_CACHE at a folder on a larger disk",
        )


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the cache-wide lock ``name``, so that two builds never write the same folder at once."""
    with (cache_root() / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _made(folder: Path, stage: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StageError(
            stage,
            f"{folder} cannot be made: {error.strerror}",
            "set TRITON_PLAYGROUND_CACHE to a folder that you may write",
        ) from error
    return folder
