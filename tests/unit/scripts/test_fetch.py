from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from unearth.fetchers import PyPIClient

from scripts import StageError
from scripts.cache import downloads_dir, require_space, sources_dir
from scripts.fetch import download, fetch_source, pip_settings, unpack
from scripts.pins import Archive, Sdist, SourcePin
from tests.unit.scripts.file_server import FileServer

BODY = bytes(range(256)) * 4096


def archive_of(body: bytes, file: str = "demo-1.0.tar.gz") -> Archive:
    return Archive(file, hashlib.sha256(body).hexdigest(), len(body), 10_000, ())


def tar_gz(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def client() -> Iterator[PyPIClient]:
    with PyPIClient(timeout=5) as client:
        yield client


@pytest.fixture
def only_index(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> FileServer:
    """Make pip's own configuration name the test's server and nothing else."""
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
    return server


def demo_pin(body: bytes, tmp_path: Path) -> SourcePin:
    return SourcePin(
        "triton", "1.0", archive_of(body), (Sdist("demo", "1.0"),), tmp_path / "pin.toml"
    )


def publish(server: FileServer, body: bytes) -> None:
    server.files["/simple/demo/"] = b'<a href="/files/demo-1.0.tar.gz">demo-1.0.tar.gz</a>'
    server.files["/files/demo-1.0.tar.gz"] = body


def test_source_comes_through_the_index_that_pip_is_configured_with(
    only_index: FileServer, tmp_path: Path
) -> None:
    body = tar_gz({"demo-1.0/lib/a.cc": b"int a;\n"})
    publish(only_index, body)
    folder = fetch_source(demo_pin(body, tmp_path))
    assert (folder / "lib/a.cc").read_text() == "int a;\n"
    assert [file.name for file in downloads_dir().iterdir()] == ["demo-1.0.tar.gz"]

    only_index.files.clear()
    assert fetch_source(demo_pin(body, tmp_path)) == folder, "the second call needs no network"


def test_wrong_hash_names_both_and_leaves_nothing(only_index: FileServer, tmp_path: Path) -> None:
    wanted, came = tar_gz({"demo-1.0/a": b"1"}), tar_gz({"demo-1.0/a": b"22"})
    publish(only_index, came)
    with pytest.raises(StageError) as raised:
        fetch_source(demo_pin(wanted, tmp_path))
    assert "wrong hash" in raised.value.cause
    assert hashlib.sha256(wanted).hexdigest() in raised.value.cause
    assert hashlib.sha256(came).hexdigest() in raised.value.cause
    assert list(downloads_dir().iterdir()) == []
    assert list(sources_dir().iterdir()) == []


def test_damaged_file_in_the_download_folder_is_not_used(
    only_index: FileServer, tmp_path: Path
) -> None:
    body = tar_gz({"demo-1.0/a": b"1"})
    (downloads_dir() / "demo-1.0.tar.gz").write_bytes(body[:-1])
    with pytest.raises(StageError, match="wrong hash"):
        fetch_source(demo_pin(body, tmp_path))
    publish(only_index, body)
    assert (fetch_source(demo_pin(body, tmp_path)) / "a").read_bytes() == b"1"


def test_missing_version_says_what_was_looked_for(only_index: FileServer, tmp_path: Path) -> None:
    only_index.files["/simple/demo/"] = b'<a href="/files/demo-0.9.tar.gz">demo-0.9.tar.gz</a>'
    with pytest.raises(StageError, match=r"no source distribution of demo==1\.0"):
        fetch_source(demo_pin(b"", tmp_path))


def test_unreachable_index_says_to_check_the_network(
    only_index: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(StageError) as raised:
        fetch_source(demo_pin(b"", tmp_path))
    assert "reached" in raised.value.cause
    assert "check the network" in raised.value.remedy


def test_broken_connection_is_resumed_where_it_broke(
    server: FileServer, client: PyPIClient, tmp_path: Path
) -> None:
    server.files["/f"] = BODY
    server.break_after = [300_000]
    target = tmp_path / "f"
    download(f"{server.url}/f", target, archive_of(BODY), "fetch demo", client)
    assert target.read_bytes() == BODY
    first, second = server.ranges
    assert first is None
    assert second is not None and 0 < int(second[6:-1]) <= 300_000


def test_interrupted_download_goes_on_in_the_next_run(
    server: FileServer, client: PyPIClient, tmp_path: Path
) -> None:
    server.files["/f"] = BODY
    server.break_after = [100_000, 0, 0, 0]
    target, part = tmp_path / "f", tmp_path / "f.part"
    with pytest.raises(StageError, match="no network"):
        download(f"{server.url}/f", target, archive_of(BODY), "fetch demo", client)
    assert not target.exists()
    have = part.stat().st_size
    assert 0 < have <= 100_000

    download(f"{server.url}/f", target, archive_of(BODY), "fetch demo", client)
    assert server.ranges[-1] == f"bytes={have}-"
    assert target.read_bytes() == BODY
    assert not part.exists()


def test_download_that_was_whole_but_not_renamed_is_taken(
    server: FileServer, client: PyPIClient, tmp_path: Path
) -> None:
    server.files["/f"] = BODY
    (tmp_path / "f.part").write_bytes(BODY)
    download(f"{server.url}/f", tmp_path / "f", archive_of(BODY), "fetch demo", client)
    assert (tmp_path / "f").read_bytes() == BODY


def test_refusal_by_the_server_is_told(
    server: FileServer, client: PyPIClient, tmp_path: Path
) -> None:
    with pytest.raises(StageError, match="404"):
        download(f"{server.url}/gone", tmp_path / "f", archive_of(BODY), "fetch demo", client)


def test_full_disk_during_download(server: FileServer, client: PyPIClient, tmp_path: Path) -> None:
    server.files["/f"] = BODY
    # The kernel's own full device: every write to it fails as on a full disk.
    (tmp_path / "f.part").symlink_to("/dev/full")
    with pytest.raises(StageError) as raised:
        download(f"{server.url}/f", tmp_path / "f", archive_of(BODY), "fetch demo", client)
    assert "no disk space" in raised.value.cause
    assert f"{len(BODY):,}" in raised.value.cause
    assert not (tmp_path / "f").exists()


def test_too_little_space_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(StageError, match=r"no disk space: 1,000,000,000,000 MB are needed"):
        require_space(tmp_path, 10**18, "fetch demo")


def test_unpack_drops_the_top_folder_and_takes_only_what_is_asked(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    archive.write_bytes(tar_gz({"top/keep/a": b"1", "top/drop/b": b"2", "top/keepnot": b"3"}))
    unpack(archive, tmp_path / "out", 1000, ("keep",))
    found = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*")}
    assert found == {"keep", "keep/a"}


@pytest.mark.parametrize("damage", ["truncated", "no archive"])
def test_damaged_archive_leaves_nothing_half_unpacked(tmp_path: Path, damage: str) -> None:
    body = bytearray(
        tar_gz({f"top/{i}": hashlib.sha512(b"%d" % i).digest() * 50 for i in range(99)})
    )
    if damage == "truncated":
        del body[len(body) // 2 :]
    else:
        body[:] = b"<html>no such file</html>"
    archive = tmp_path / "a.tar.gz"
    archive.write_bytes(body)
    with pytest.raises(StageError, match="damaged"):
        unpack(archive, tmp_path / "out", 1000)
    assert [file.name for file in tmp_path.iterdir()] == ["a.tar.gz"]


def test_folder_left_by_a_killed_unpack_is_removed(tmp_path: Path) -> None:
    stale = tmp_path / "out.part-killed"
    stale.mkdir()
    archive = tmp_path / "a.tar.gz"
    archive.write_bytes(tar_gz({"top/a": b"1"}))
    unpack(archive, tmp_path / "out", 1000)
    assert not stale.exists()
    assert (tmp_path / "out/a").exists()


def test_pip_environment_wins_over_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex-url = http://file.invalid/simple\nfind-links = /one /two\ntimeout = 7\n"
        "[download]\nextra-index-url = http://extra.invalid/simple\n"
    )
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.setenv("PIP_INDEX_URL", "http://environment.invalid/simple")
    settings = pip_settings()
    assert settings.index_urls == (
        "http://environment.invalid/simple",
        "http://extra.invalid/simple",
    )
    assert settings.find_links == ("/one", "/two")
    assert settings.timeout_s == 7
