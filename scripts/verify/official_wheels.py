"""Triton's official wheels, which bring ptxas and stand as witness: pinned, fetched, unpacked."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from scripts import StageError
from scripts.cache import downloads_dir, locked, repo_root, require_space, sources_dir
from scripts.hashes import sha256_of

# pip is asked for the wheel of this Python, whichever runs: ptxas in it does not depend on it.
PYTHON = (3, 11)
_PTXAS_VERSION = "3.4.0"


@dataclass(frozen=True)
class OfficialWheel:
    """One pinned wheel of Triton. Sizes are in bytes."""

    version: str
    file: str
    sha256: str
    bytes: int
    unpacked_bytes: int


def official_wheels() -> dict[str, OfficialWheel]:
    """Return the pinned wheels by version, as tests/judges/wheels.toml lists them."""
    listed = tomllib.loads((repo_root() / "tests" / "judges" / "wheels.toml").read_text())
    return {entry["version"]: OfficialWheel(**entry) for entry in listed["wheel"]}


def unpacked(wheel: OfficialWheel) -> Path:
    """Return the folder of an unpacked wheel in the cache, downloading it on first use.

    The folder can stand on PYTHONPATH. Its name carries the wheel's hash, and it appears only when
    it is complete.

    Raises:
        StageError: no network, wrong hash, no disk space.
    """
    folder = sources_dir() / f"official-triton-{wheel.version}-{wheel.sha256[:16]}"
    with locked(f"fetch-official-triton-{wheel.version}"):
        if not folder.is_dir():
            require_space(folder.parent, wheel.unpacked_bytes + wheel.bytes, _stage(wheel))
            archive = downloaded(wheel)
            # A folder left by an interrupted run is of no use: its content cannot be trusted.
            part = folder.with_name(folder.name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            _extract(archive, part)
            part.rename(folder)
    return folder


def downloaded(wheel: OfficialWheel) -> Path:
    """Return a wheel's file in the download folder, checked, downloading it when it is not there.

    Raises:
        StageError: no network, or wrong hash (the file is deleted).
    """
    target = downloads_dir() / wheel.file
    if not target.exists():
        version = ".".join(map(str, PYTHON))
        argv = [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir",
            "--only-binary=:all:", f"--python-version={version}", "--implementation=cp",
            "--platform=manylinux_2_28_x86_64", f"--dest={target.parent}", f"triton=={wheel.version}",
        ]  # fmt: skip
        result = subprocess.run(argv, capture_output=True, text=True, check=False)
        if not target.exists():
            raise StageError(
                _stage(wheel),
                f"pip brought no {wheel.file}: {(result.stderr or result.stdout).strip()[-500:]}",
                f"check the network and `pip config list`, or put the file into {target.parent}",
            )
    found = sha256_of(target)
    if found != wheel.sha256:
        target.unlink()
        raise StageError(
            _stage(wheel),
            f"wrong hash: {wheel.file} should have sha256 {wheel.sha256}, what came has {found} "
            "and was deleted",
            "run it again; if it comes the same, what the registry holds is not what was pinned",
        )
    return target


def ptxas() -> Path:
    """Return the ptxas program that judges every PTX text (CUDA 12.8).

    Raises:
        StageError: as `unpacked`.
    """
    folder = unpacked(official_wheels()[_PTXAS_VERSION])
    return folder / "triton" / "backends" / "nvidia" / "bin" / "ptxas"


def _extract(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            # zipfile drops the permission bits, and ptxas has to stay executable.
            mode = member.external_attr >> 16 & 0o777
            path = Path(wheel.extract(member, folder))
            if mode and path.is_file():
                path.chmod(mode)


def _stage(wheel: OfficialWheel) -> str:
    return f"fetch official Triton {wheel.version}"
