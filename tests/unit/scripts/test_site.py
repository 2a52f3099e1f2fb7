"""The site's build: what it takes apart, compresses and names by its hash."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from scripts import StageError, site

_MODULE = "triton/_C/libtriton.cpython-315.so"


def _wheel(path: Path, *modules: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("triton/__init__.py", "x = 1\n" * 100)
        for name in modules:
            archive.writestr(name, b"\0asm" * 1000)
    return path


def test_a_wheel_is_split_into_its_module_and_the_rest(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path / "triton.whl", _MODULE)
    path, module, rest = site.split_wheel(wheel, tmp_path / "parts")
    assert path == _MODULE
    assert module.read_bytes() == b"\0asm" * 1000
    with zipfile.ZipFile(rest) as archive:
        assert archive.namelist() == ["triton/__init__.py"]
        assert archive.read("triton/__init__.py") == b"x = 1\n" * 100
    again = site.split_wheel(wheel, tmp_path / "elsewhere")[2]
    assert again.read_bytes() == rest.read_bytes()


@pytest.mark.parametrize("modules", [(), (_MODULE, "triton/other.so")])
def test_a_wheel_without_exactly_one_module_is_refused(
    tmp_path: Path, modules: tuple[str, ...]
) -> None:
    with pytest.raises(StageError, match=f"found {len(modules)}"):
        site.split_wheel(_wheel(tmp_path / "triton.whl", *modules), tmp_path / "parts")


def test_packed_files_are_named_by_content_and_described_as_they_lie_there(tmp_path: Path) -> None:
    packed = site._Packed(tmp_path / "packed")
    source = tmp_path / "a.wasm"
    source.write_bytes(b"one" * 1000)
    first = packed.add(source)
    stored = packed.files[str(first["path"])].read_bytes()
    assert gzip.decompress(stored) == b"one" * 1000
    assert first["gzip"] is True
    assert first["bytes"] == len(stored)
    assert first["sha256"] == hashlib.sha256(stored).hexdigest()
    source.write_bytes(b"two" * 1000)
    assert packed.add(source)["path"] != first["path"]


def test_the_service_worker_lists_every_page_file_with_its_hash(tmp_path: Path) -> None:
    pages = {}
    for name, text in {
        "index.html": '<meta name="compiler-files" content="assets.json" />',
        "service_worker.js": "run();\n",
        "icon.svg": "<svg />",
    }.items():
        pages[name] = tmp_path / name
        pages[name].write_text(text)
    made = site._generated(pages, {"pyodide": "p/"}, tmp_path / "made")
    (list_name,) = [name for name in made if name.endswith(".json")]
    assert f'content="{list_name}"' in made["index.html"].read_text()
    constant, script = made["service_worker.js"].read_text().split("\n", 1)
    assert script == "run();\n"
    shell = json.loads(constant.removeprefix("const SHELL=").removesuffix(";"))
    files = {"": made["index.html"], "icon.svg": pages["icon.svg"], list_name: made[list_name]}
    assert {file["path"] for file in shell["files"]} == set(files)
    for file in shell["files"]:
        digest = hashlib.sha256(files[file["path"]].read_bytes()).digest()
        assert file["integrity"] == f"sha256-{base64.b64encode(digest).decode()}"
    other = site._generated(pages, {"pyodide": "q/"}, tmp_path / "other")
    assert other["service_worker.js"].read_text() != made["service_worker.js"].read_text()
