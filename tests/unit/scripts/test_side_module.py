"""The side module's imports and exports, read from real WebAssembly."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import StageError
from scripts.build_module import pyodide_package
from scripts.side_module import check_imports, wasm_names

_HEADER = b"\0asm\x01\0\0\0"


def _module_importing(name: str, tmp_path: Path) -> Path:
    """A module that imports one function of type () -> () from "env"."""
    field = name.encode()
    types = b"\x01\x04\x01\x60\x00\x00"
    entry = b"\x01\x03env" + bytes([len(field)]) + field + b"\x00\x00"
    file = tmp_path / "module.wasm"
    file.write_bytes(_HEADER + types + b"\x02" + bytes([len(entry)]) + entry)
    return file


def test_reads_pyodides_main_module() -> None:
    names = wasm_names(pyodide_package() / "pyodide.asm.wasm")
    assert {"PyObject_Call", "malloc"} <= set(names.exports)
    assert names.section_bytes["code"] > 1_000_000


def test_accepts_what_pyodide_offers(tmp_path: Path) -> None:
    check_imports(_module_importing("PyObject_Call", tmp_path))


def test_names_the_symbol_that_nobody_defines(tmp_path: Path) -> None:
    with pytest.raises(StageError, match="no_such_builder"):
        check_imports(_module_importing("no_such_builder", tmp_path))


def test_says_that_a_file_is_not_webassembly(tmp_path: Path) -> None:
    file = tmp_path / "text.wasm"
    file.write_text("not a module")
    with pytest.raises(StageError, match="check module"):
        wasm_names(file)
