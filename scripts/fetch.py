"""Bring the pinned sources into the cache: ``python -m scripts.fetch [triton|llvm|all]``."""

from __future__ import annotations

import argparse
import ast
import errno
import gzip
import lzma
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scripts import StageError, run_main
from scripts.cache import downloads_dir, locked, require_space, sources_dir
from scripts.hashes import sha256_of
from scripts.pins import (
    Archive,
    DebianSource,
    Sdist,
    SourceName,
    SourcePin,
    llvm_pin,
    triton_pin,
)

if TYPE_CHECKING:
    from unearth.fetchers import Fetcher, PyPIClient

_ATTEMPTS = 4


def fetch_triton() -> Path:
    """Return the folder of Triton's pristine pinned source, downloading it on first use.

    Raises:
        StageError: wrong hash, no network, no disk space.
    """
    return fetch_source(triton_pin())


def fetch_llvm() -> Path:
    """Return the folder of LLVM's pristine pinned source, downloading it on first use.

    Raises:
        StageError: wrong hash, no network, no disk space, no toolchain root to run apt in.
    """
    return fetch_source(llvm_pin())


def fetch_source(pin: SourcePin) -> Path:
    """Return the folder of a pin's pristine source inside the cache, downloading it on first use.

    The folder's name carries the archive's hash, and it appears only when it is complete.

    Raises:
        StageError: wrong hash, no network, no disk space.
    """
    folder = sources_dir() / f"{pin.name}-{pin.archive.sha256[:16]}"
    with locked(f"fetch-{pin.name}"):
        if not folder.is_dir():
            archive = fetch_archive(pin)
            unpack(archive, folder, pin.archive.unpacked_bytes, pin.archive.folders)
    return folder


def fetch_archive(pin: SourcePin) -> Path:
    """Return a pin's archive in the download folder, checked, downloading it if it is not there.

    Raises:
        StageError: wrong hash, no network, no disk space.
    """
    stage = f"fetch {pin.name}"
    target = downloads_dir() / pin.archive.file
    if target.exists():
        check_hash(target, pin.archive, stage)
        return target
    require_space(target.parent, pin.archive.bytes, stage)
    for place in pin.places:
        if isinstance(place, Sdist):
            settings = pip_settings()
            with _pip_client(settings) as client:
                url = _sdist_url(settings, client, place, stage)
                download(url, target, pin.archive, stage, client)
            return target
        if isinstance(place, DebianSource):
            return _download_debian_source(place, target, pin.archive, stage)
    raise StageError(
        stage, f"{pin.path} names no place that can be downloaded", _by_hand(pin.archive)
    )


def check_hash(file: Path, archive: Archive, stage: str) -> None:
    """Compare a file's sha256 with the pin's; a file that fails is deleted.

    Raises:
        StageError: with the expected and the found hash.
    """
    found = sha256_of(file)
    if found != archive.sha256:
        size = file.stat().st_size
        file.unlink()
        raise StageError(
            stage,
            f"wrong hash: {archive.file} should have sha256 {archive.sha256} ({archive.bytes:,} bytes), "
            f"what came has {found} ({size:,} bytes) and was deleted",
            "run it again; if it comes the same, what the registry holds is not what was pinned",
        )


def download(url: str, target: Path, archive: Archive, stage: str, client: PyPIClient) -> None:
    """Download ``url`` to ``target``, going on from where an earlier try stopped.

    The bytes collect in ``target`` + ``.part``, which takes its name only after its hash is right.

    Raises:
        StageError: wrong hash, no network, no disk space.
    """
    import httpx2

    part = target.with_name(target.name + ".part")
    cause = ""
    for _ in range(_ATTEMPTS):
        try:
            _append_rest(url, part, client)
            break
        except httpx2.HTTPStatusError as error:
            cause = (
                f"the server answered {error.response.status_code} {error.response.reason_phrase}"
            )
            if error.response.status_code < 500:
                raise _no_network(stage, archive, cause) from error
        except httpx2.HTTPError as error:
            cause = f"{type(error).__name__}: {error}"
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise StageError(
                stage,
                f"no disk space: {part.stat().st_size:,} of {archive.bytes:,} bytes fit into {part.parent}",
                "free some space and run it again; it goes on from there",
            ) from error
    else:
        raise _no_network(stage, archive, cause)
    check_hash(part, archive, stage)
    part.rename(target)


def _append_rest(url: str, part: Path, client: PyPIClient) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with client.get_stream(url, headers=headers) as response:
        if response.status_code == 416:
            # Nothing is left to send: either the file is whole or its hash will say otherwise.
            return
        response.raise_for_status()
        resumed = response.status_code == 206
        with part.open("ab" if resumed else "wb") as file:
            # Unbuffered: what has come must be in the file when the connection breaks.
            for chunk in response.iter_bytes():
                file.write(chunk)


def unpack(archive: Path, folder: Path, unpacked_bytes: int, only: tuple[str, ...] = ()) -> None:
    """Unpack a tar archive into ``folder``, dropping the archive's one top folder.

    Nothing exists at ``folder`` until everything is unpacked.

    Args:
        archive: A tar file of any compression.
        folder: Where the content goes; must not exist.
        unpacked_bytes: How much disk the content takes.
        only: Names right below the top folder to unpack; empty means all.

    Raises:
        StageError: no disk space, or the archive is damaged.
    """
    stage = f"unpack {archive.name}"
    require_space(folder.parent, unpacked_bytes, stage)
    # A folder left by an interrupted run is of no use: its content cannot be trusted.
    for stale in folder.parent.glob(f"{folder.name}.part-*"):
        shutil.rmtree(stale)
    temporary = Path(tempfile.mkdtemp(prefix=f"{folder.name}.part-", dir=folder.parent))
    try:
        with tarfile.open(archive) as tar:
            tar.extractall(temporary, members=_members(tar, only), filter="data")
        (top,) = temporary.iterdir()
        top.rename(folder)
    except (tarfile.TarError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError) as error:
        raise StageError(
            stage, f"the archive is damaged: {error}", f"delete {archive} and run it again"
        ) from error
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise StageError(
            stage,
            f"no disk space: the content did not fit into {folder.parent}",
            f"free {unpacked_bytes / 1e6:,.0f} MB and run it again",
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _members(tar: tarfile.TarFile, only: tuple[str, ...]) -> Iterator[tarfile.TarInfo]:
    for member in tar:
        parts = member.name.removeprefix("./").split("/")
        if not only or len(parts) == 1 or parts[1] in only:
            yield member


@dataclass(frozen=True)
class PipSettings:
    """What pip is configured to use for finding and downloading packages."""

    index_urls: tuple[str, ...]
    find_links: tuple[str, ...]
    trusted_hosts: tuple[str, ...]
    cert: str | None
    proxy: str | None
    timeout_s: float


def pip_settings() -> PipSettings:
    """Read pip's own configuration: its files, then its environment variables, then its defaults.

    The default index is asked of pip, so that no registry's address is written here.
    """
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    values: dict[str, str] = {}
    # Later sections win: pip reads its global section, then the command's, then the environment.
    for section in ("global", "download", ":env:"):
        for line in listing.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(f"{section}."):
                values[key.removeprefix(f"{section}.")] = str(ast.literal_eval(value))

    def words(key: str) -> tuple[str, ...]:
        return tuple(values.get(key, "").split())

    index: tuple[str, ...] = ()
    if values.get("no-index", "false").lower() not in ("1", "true", "yes", "on"):
        index = words("index-url") or (_default_index(),)
        index += words("extra-index-url")
    return PipSettings(
        index_urls=index,
        find_links=words("find-links"),
        trusted_hosts=words("trusted-host"),
        cert=values.get("cert"),
        proxy=values.get("proxy"),
        timeout_s=float(values.get("timeout", values.get("default-timeout", "60"))),
    )


def _default_index() -> str:
    from pip._internal.models.index import PyPI

    return str(PyPI.simple_url)


def _pip_client(settings: PipSettings) -> PyPIClient:
    try:
        from unearth.fetchers import PyPIClient
    except ImportError as error:
        raise StageError(
            "fetch",
            f"the Python package {error.name} is missing",
            "use `make fetch`, or install requirements-dev.txt into this Python",
        ) from error
    return PyPIClient(
        trusted_hosts=settings.trusted_hosts,
        verify=ssl.create_default_context(cafile=settings.cert),
        proxy=settings.proxy,
        timeout=settings.timeout_s,
        follow_redirects=True,
    )


def _sdist_url(settings: PipSettings, client: PyPIClient, place: Sdist, stage: str) -> str:
    import httpx2
    from unearth import PackageFinder

    wanted = f"{place.package}=={place.version}"
    finder = PackageFinder(
        session=cast("Fetcher", client),
        index_urls=settings.index_urls,
        find_links=settings.find_links,
        no_binary=[":all:"],
    )
    try:
        best = finder.find_best_match(wanted, allow_prereleases=True).best
    except httpx2.HTTPError as error:
        cause = f"the package index cannot be reached ({type(error).__name__}: {error})"
        raise StageError(stage, cause, _CHECK_NETWORK) from error
    if best is None:
        raise StageError(
            stage,
            f"pip's package indexes have no source distribution of {wanted}, or cannot be reached",
            _CHECK_NETWORK,
        )
    return best.link.url_without_fragment


_CHECK_NETWORK = (
    "check the network and `pip config list` (index-url, proxy, cert), then run it again"
)


def _no_network(stage: str, archive: Archive, cause: str) -> StageError:
    return StageError(
        stage,
        f"no network: {archive.file} did not come whole after {_ATTEMPTS} tries ({cause})",
        f"{_CHECK_NETWORK} (it goes on from what has come), or {_by_hand(archive)}",
    )


def _download_debian_source(
    place: DebianSource, target: Path, archive: Archive, stage: str
) -> Path:
    from scripts.toolchain import forky_root

    try:
        root = forky_root()
    except StageError as error:
        raise StageError(
            stage,
            f"{archive.file} is part of a Debian source package, and there is no Debian root to "
            f"fetch it in: {error.cause}",
            f"run it once as root, or {_by_hand(archive)}",
        ) from error
    # apt resumes in its working folder, so that folder outlives an interrupted run.
    folder = target.with_name(target.name + ".part")
    folder.mkdir(exist_ok=True)
    # Standard output is for the caller; apt's talk goes beside it.
    root.run(["apt-get", "update", "-qq"], check=False, stdout=sys.stderr)
    command = ["apt-get", "source", "-q", "--download-only", "--tar-only", place.package]
    result = root.run(command, cwd=folder, check=False, stdout=sys.stderr)
    came = folder / archive.file
    if not came.exists() or result.returncode != 0:
        names = ", ".join(sorted(file.name for file in folder.iterdir())) or "nothing"
        raise StageError(
            stage,
            f"apt-get source {place.package} failed, or brought another version than {place.version}: "
            f"expected {archive.file}, found {names}",
            f"check the network and run it again, or {_by_hand(archive)}",
        )
    check_hash(came, archive, stage)
    came.rename(target)
    shutil.rmtree(folder)
    return target


def _by_hand(archive: Archive) -> str:
    return f"put {archive.file} into {downloads_dir()} yourself; its hash is checked"


def main() -> int:
    """Fetch what the command line names and print where it lies."""
    parser = argparse.ArgumentParser(prog="python -m scripts.fetch", description=__doc__)
    parser.add_argument("source", nargs="?", default="all", choices=["triton", "llvm", "all"])
    chosen = parser.parse_args().source
    names: list[SourceName] = ["triton", "llvm"] if chosen == "all" else [chosen]
    for name in names:
        print(fetch_triton() if name == "triton" else fetch_llvm())
    return 0


if __name__ == "__main__":
    run_main(main)
