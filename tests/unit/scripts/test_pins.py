from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import StageError
from scripts.cache import repo_root
from scripts.pins import DebianSource, Sdist, Upstream, llvm_pin, toolchain_pin, triton_pin


@pytest.fixture
def triton_text() -> str:
    return (repo_root() / "triton-pin/pin.toml").read_text()


def test_triton_pin_names_a_source_distribution_and_upstream() -> None:
    pin = triton_pin()
    sdist, upstream = pin.places
    assert isinstance(sdist, Sdist) and isinstance(upstream, Upstream)
    assert pin.archive.file == f"{sdist.package}-{sdist.version}.tar.gz"
    assert upstream.ref == pin.commit


def test_llvm_pin_is_the_compilers_own_version() -> None:
    pin = llvm_pin()
    package = pin.places[0]
    assert isinstance(package, DebianSource)
    assert pin.archive.file == f"{package.package}_{pin.version}.orig.tar.xz"
    # Bitcode and table generators of one version, compilers of another, would not fit.
    assert pin.version == toolchain_pin().versions["llvm"] == toolchain_pin().versions["clang"]


def test_llvm_pin_has_the_three_targets_only() -> None:
    assert llvm_pin().cmake["LLVM_TARGETS_TO_BUILD"] == "WebAssembly;NVPTX;AMDGPU"


def test_toolchain_is_the_emscripten_of_pyodide() -> None:
    pin = toolchain_pin()
    assert pin.versions["emscripten"] == pin.pyodide.emscripten
    assert pin.versions["python"] == pin.pyodide.python


@pytest.mark.parametrize(
    ("pattern", "replacement", "complaint"),
    [
        (r"commit = .*", "", "commit is missing"),
        (r'commit = "6a', 'commit = "6A', "commit must be a string like"),
        (r'sha256 = "5c', 'sha256 = "', r"archive\.sha256 must be a string like"),
        (
            r"bytes = 81_750_246",
            'bytes = "81 MB"',
            r"archive\.bytes must be a positive whole number",
        ),
        (r"\[archive\]", "[archives]", "archive is missing"),
        (r'kind = "sdist"', 'kind = "egg"', r"place\[0\]\.kind must be a string like"),
        (r'package = "triton-metal"', 'pakage = "triton-metal"', r"place\[0\]\.package is missing"),
        (r"commit = ", 'comit = "x"\ncommit = ', "comit is not a key"),
        (r'name = "triton"', 'name = "llvm"', "name must be a string like"),
        (r"\[\[place\]\]", "[[place]", "is not TOML"),
    ],
)
def test_malformed_pin_names_file_and_key(
    tmp_path: Path, triton_text: str, pattern: str, replacement: str, complaint: str
) -> None:
    file = tmp_path / "pin.toml"
    text, count = re.subn(pattern, replacement, triton_text, count=1)
    assert count == 1, "the pattern must change the pin"
    file.write_text(text)
    with pytest.raises(StageError, match=complaint) as raised:
        triton_pin(file)
    assert str(file) in raised.value.cause


def test_missing_pin_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(StageError, match=r"gone\.toml: No such file"):
        triton_pin(tmp_path / "gone.toml")
