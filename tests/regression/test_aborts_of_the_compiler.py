"""Issue 3: assertions and fatal errors of Triton and LLVM are reported as theirs, with the stage and the pass.

All were found by scripts/verify/hostile.py, and end the process of a native build at the same stage.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

SOURCE = """
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index)
    tl.store(x_ptr + index, VALUE)
"""
ASSEMBLY = "tl.inline_asm_elementwise('x', '=Z,f', [x], dtype=tl.float32, is_pure=True, pack=1)"


def compile_value(pyodide: PyodideHost, value: str, **fields: Any) -> dict[str, Any]:
    source = SOURCE.replace("VALUE", value)
    return pyodide.compile(
        {"source": source, "target": "cuda:80", "signature": "*fp32:16, 128", **fields}
    )


@pytest.mark.parametrize(
    ("fields", "stage", "message", "inside"),
    [
        pytest.param(
            {"value": "x", "options": {"num_ctas": 0}},
            "ttgir",
            "Assertion `succeeded(",
            "convert-triton-to-tritongpu",
            id="num_ctas 0",
        ),
        pytest.param(
            {"value": "x", "options": {"num_ctas": 3}},
            "llir",
            "Assertion `llvm::isPowerOf2_32(size)' failed.",
            "convert-triton-gpu-to-llvm",
            id="num_ctas 3",
        ),
        pytest.param(
            {"value": ASSEMBLY, "target": "hip:gfx942"},
            "amdgcn",
            "couldn't allocate output register for constraint 'Z'",
            "LLVM code generation",
            id="constraint of inline assembly",
        ),
        pytest.param(
            {"value": "x", "options": {"waves_per_eu": -1}, "target": "hip:gfx942"},
            "llir",
            "can't parse first integer attribute amdgpu-waves-per-eu",
            "AMDGPUPromoteAllocaToVectorPass",
            id="waves_per_eu -1",
        ),
    ],
)
def test_an_abort_names_stage_and_pass_and_the_next_compile_works(
    pyodide: PyodideHost, fields: dict[str, Any], stage: str, message: str, inside: str
) -> None:
    report = compile_value(pyodide, **fields)
    errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
    assert {error["stage"] for error in errors} == {stage}
    assert any(message in error["message"] for error in errors)
    assert errors[-1]["hint"].startswith(f"In the pass {inside}")
    assert "a native build of the same version does too" in errors[-1]["hint"]
    assert compile_value(pyodide, "x")["ok"]
