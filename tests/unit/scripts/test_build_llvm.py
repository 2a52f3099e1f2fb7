from __future__ import annotations

from pathlib import Path

import pytest

from scripts import StageError
from scripts.build_llvm import archive_names, configure, differences, read_configuration
from scripts.pins import llvm_pin
from scripts.toolchain import Toolchain

PIN = llvm_pin()


def test_configuration_as_pinned_has_no_differences() -> None:
    assert differences(dict(PIN.cmake), PIN) == []


def test_differing_and_missing_options_are_named() -> None:
    recorded = {**PIN.cmake, "LLVM_ENABLE_RTTI": "ON"}
    del recorded["CMAKE_BUILD_TYPE"]
    assert differences(recorded, PIN) == [
        "CMAKE_BUILD_TYPE: pinned 'Release', recorded None",
        "LLVM_ENABLE_RTTI: pinned 'OFF', recorded 'ON'",
    ]


def test_cmake_cache_is_read_with_types_comments_and_equal_signs(tmp_path: Path) -> None:
    file = tmp_path / "CMakeCache.txt"
    file.write_text("# comment\n//help\nA:STRING=-DX=1 -flto\n\nB:BOOL=\nC-ADVANCED:INTERNAL=1\n")
    assert read_configuration(file) == {"A": "-DX=1 -flto", "B": ""}


def test_cmake_that_ignores_an_option_is_refused(tmp_path: Path) -> None:
    # Stands for emcmake: a configure step that ends well and records another option.
    program = tmp_path / "emcmake"
    program.write_text("#!/bin/sh\necho 'CMAKE_BUILD_TYPE:STRING=Debug' > CMakeCache.txt\n")
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path), prepend=":")
        with pytest.raises(
            StageError, match="CMAKE_BUILD_TYPE: pinned 'Release', recorded 'Debug'"
        ):
            configure(PIN, Toolchain("6.0.5", None), tmp_path, tmp_path)


def test_archives_cover_the_three_targets_and_mlir() -> None:
    names = archive_names()
    assert names == sorted(set(names), key=names.index), "each once"
    for library in ("NVPTXCodeGen", "AMDGPUCodeGen", "WebAssemblyCodeGen"):
        assert f"libLLVM{library}.a" in names
    assert "libMLIRNVVMDialect.a" in names and "libMLIRROCDLDialect.a" in names
