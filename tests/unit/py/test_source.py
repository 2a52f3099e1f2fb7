from __future__ import annotations

import inspect
import linecache
import sys
from pathlib import Path

import pytest
from triton_playground import source as sources
from triton_playground.source import Source


@pytest.fixture(autouse=True)
def sources_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.DIRECTORY_VARIABLE, str(tmp_path))


def test_inspect_finds_the_text_after_a_second_edit_of_the_same_length() -> None:
    for value in ("1", "2"):
        source = Source(f"def f():\n    return {value}\n", "kernel.py")
        with source.importable() as module:
            exec(source.compile(), vars(module))
            assert f"return {value}" in inspect.getsource(module.f)
    linecache.clearcache()


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("kernel.py", "kernel"),
        ("my-kernel.py", "my_kernel"),
        ("triton_x.py", "script_triton_x"),
        ("random.py", "script_random"),
    ],
)
def test_module_names(filename: str, name: str) -> None:
    assert sources.module_name(filename) == name


def test_the_module_is_gone_from_sys_modules_afterwards() -> None:
    source = Source("", "some_kernel.py")
    with source.importable() as module:
        assert sys.modules["some_kernel"] is module
    assert "some_kernel" not in sys.modules
