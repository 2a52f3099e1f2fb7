"""The driver of upstream's lit suite: RUN lines, pass flags, and what counts as unexpected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts import StageError
from scripts.verify.lit import pipes, summarise
from scripts.verify.lit_run_lines import RunLine, run_lines
from scripts.verify.lit_tools import pipeline_of


def _suite(folder: Path, text: str) -> list[RunLine]:
    (folder / "Dialect").mkdir()
    (folder / "Dialect" / "one.mlir").write_text(text)
    return run_lines(folder)


def test_reads_pipes_quotes_continuations_and_redirects(tmp_path: Path) -> None:
    text = """
// RUN: triton-opt %s -first='a=1 b=2' \\
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: triton-opt %s 2>&1 | FileCheck %s
// RUN:triton-opt %s -verify-diagnostics
"""
    path = str(tmp_path / "Dialect" / "one.mlir")
    piped, merged, bare = _suite(tmp_path, text)
    assert piped.name == "Dialect/one.mlir#1"
    assert piped.tools == [["triton-opt", path, "-first=a=1 b=2"]]
    assert piped.file_check == [path, "--check-prefix=ONE"]
    assert not piped.merge_errors and merged.merge_errors
    assert bare.tools == [["triton-opt", path, "-verify-diagnostics"]]
    assert bare.file_check is None


@pytest.mark.parametrize("line", ["triton-opt %s > %t", "triton-opt %s && triton-opt %s"])
def test_refuses_what_it_would_run_wrongly(tmp_path: Path, line: str) -> None:
    with pytest.raises(StageError, match=r"Dialect/one\.mlir#1"):
        _suite(tmp_path, f"// RUN: {line}\n")


def test_gives_a_pipe_its_files_and_every_debug_type(tmp_path: Path) -> None:
    text = "// RUN: triton-opt %s --debug | mlir-translate -mlir-to-llvmir\n"
    (pipe,) = pipes(_suite(tmp_path, text), ["one-pass", "other-pass"])
    path = str(tmp_path / "Dialect" / "one.mlir")
    assert pipe["files"] == {path: text}
    assert pipe["tools"][0] == ["triton-opt", path, "-debug-only=one-pass,other-pass"]
    assert pipe["tools"][1] == ["mlir-translate", "-mlir-to-llvmir"]


def test_nests_passes_on_functions_and_keeps_the_order() -> None:
    flags = [("tritonamdgpu-in-thread-transpose", ""), ("coalesce", "a=1 b=2"), ("cse", "")]
    assert pipeline_of(flags) == "tt.func(tritonamdgpu-in-thread-transpose),coalesce{a=1 b=2},cse"


def _line(test: str, native: bool, wasm: bool, equal: bool = True) -> dict[str, Any]:
    return {
        "name": f"{test}#1",
        "test": test,
        "equal": equal,
        "native": {"ok": native, "message": ""},
        "wasm": {"ok": wasm, "message": ""},
    }


@pytest.mark.parametrize(
    ("native", "wasm", "known", "found"),
    [
        (True, True, [], []),
        (False, False, ["native", "wasm"], []),
        (True, False, [], ["a.mlir: fails (wasm)"]),
        (False, True, ["native", "wasm"], ["a.mlir: passes (wasm), expected to fail"]),
    ],
)
def test_an_unexpected_pass_counts_as_an_unexpected_failure_does(
    native: bool, wasm: bool, known: list[str], found: list[str]
) -> None:
    expected = {"a.mlir": {"builds": known, "cause": "why"}} if known else {}
    result = {"lines": [_line("a.mlir", native, wasm), _line("b.mlir", True, True)]}
    assert summarise(result, expected)["unexpected"] == found


def test_different_bytes_count_even_where_both_pass() -> None:
    result = summarise({"lines": [_line("a.mlir", True, True, equal=False)]}, {})
    assert result["passed"] == {"native": 1, "wasm": 1}
    assert result["unexpected"] == ["a.mlir#1: native and wasm print different bytes"]
