"""libtriton.playground: the entries that run passes and tools on text, in the committed wheel."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

MODULE = """
tt.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %x, %zero : i32
  tt.return %sum : i32
}
"""


def _call(
    host: PyodideHost, function: str, *positional: Any, **named: Any
) -> tuple[bool, str, str]:
    code = """
from triton._C.libtriton import llvm, playground
llvm.init_targets()
result = getattr(playground, arguments["function"])(*arguments["positional"], **arguments["named"])
"""
    ok, output, diagnostics = host.run(code, function=function, positional=positional, named=named)
    return ok, output, diagnostics


@pytest.mark.parametrize("pipeline", ["canonicalize", "builtin.module(canonicalize,cse)"])
def test_runs_a_pipeline_bare_or_anchored(pyodide: PyodideHost, pipeline: str) -> None:
    ok, output, diagnostics = _call(pyodide, "mlir_opt", MODULE, pipeline)
    assert ok, diagnostics
    assert "arith.addi" not in output
    assert "tt.return %arg0 : i32" in output


def test_runs_tritons_own_passes_with_options(pyodide: PyodideHost) -> None:
    pipeline = "convert-triton-to-tritongpu{target=cuda:80 num-warps=4}"
    ok, output, diagnostics = _call(pyodide, "mlir_opt", MODULE, pipeline)
    assert ok, diagnostics
    assert '"ttg.num-warps" = 4' in output


def test_reports_an_unknown_pass_and_a_parse_error(pyodide: PyodideHost) -> None:
    ok, _, diagnostics = _call(pyodide, "mlir_opt", MODULE, "no-such-pass")
    assert not ok and "no-such-pass" in diagnostics
    ok, _, diagnostics = _call(pyodide, "mlir_opt", "tt.func @f( {", "cse")
    assert not ok and "<stdin>:1:" in diagnostics


def test_verifies_expected_diagnostics_part_by_part(pyodide: PyodideHost) -> None:
    text = """
// expected-error @below {{custom op 'tt.no_such_op' is unknown}}
tt.no_such_op
// -----
tt.func @g() { tt.return }
"""
    flags = {"split_input_file": True, "verify_diagnostics": True}
    ok, _, diagnostics = _call(pyodide, "mlir_opt", text, "", **flags)
    assert ok, diagnostics
    ok, _, diagnostics = _call(
        pyodide, "mlir_opt", text.replace("unknown}}", "known}}"), "", **flags
    )
    assert not ok and "tt.no_such_op" in diagnostics


def test_translates_to_llvm_ir_and_optimises_it(pyodide: PyodideHost) -> None:
    module = """
llvm.func @f(%x: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  %four = llvm.add %two, %two : i32
  %sum = llvm.add %x, %four : i32
  llvm.return %sum : i32
}
"""
    ok, text, diagnostics = _call(pyodide, "mlir_to_llvmir", module)
    assert ok, diagnostics
    assert "define i32 @f(i32 %0)" in text
    for level in ("O1", "O2", "O3"):
        ok, optimised, diagnostics = _call(pyodide, "llvm_opt", text, level)
        assert ok, diagnostics
        assert "add i32 %0, 4" in optimised
    ok, _, diagnostics = _call(pyodide, "llvm_opt", text, "O9")
    assert not ok and "O9" in diagnostics


def test_prints_a_layout_both_ways(pyodide: PyodideHost) -> None:
    layout = (
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
        "warpsPerCTA = [1, 1], order = [1, 0]}>"
    )
    tensor = f"tensor<8x16xf16, {layout}>"
    ok, by_element, diagnostics = _call(pyodide, "print_layout", tensor)
    assert ok, diagnostics
    assert "T31:3" in by_element
    ok, by_hardware, _ = _call(pyodide, "print_layout", tensor, hardware_view=True)
    assert ok and "Warp0" in by_hardware and by_hardware != by_element
    ok, _, diagnostics = _call(pyodide, "print_layout", "tensor<8xf16>")
    assert not ok and "encoding" in diagnostics


def test_a_fatal_error_of_llvm_is_an_exception_and_the_instance_lives(pyodide: PyodideHost) -> None:
    code = """
from triton._C.libtriton import llvm
llvm.init_targets()
try:
    llvm.translate_to_asm("not LLVM IR", "nvptx64-nvidia-cuda", "sm_80", "", [], False, False)
    result = "no exception"
except RuntimeError as error:
    result = str(error)
"""
    message = pyodide.run(code)
    assert message.startswith("LLVM ERROR: failed to parse IR"), message
    ok, _, _ = _call(pyodide, "mlir_opt", MODULE, "cse")
    assert ok
