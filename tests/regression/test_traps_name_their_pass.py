"""Issue 3: a trap ends the WebAssembly instance; its report names the stage and the pass, read from the memory it left.

All end a native build of the same source at the same stage, by a signal and without a word: SIGFPE where the module traps
on a division, SIGSEGV where it calls through a null pointer. None may come out as a kernel that compiled.
"""

from __future__ import annotations

from typing import Any

import pytest

from scripts.node_batch import wasm_batch

_HEAD = """
import triton
import triton.language as tl


"""

# pack=0 is a divisor in the canonicalizer of tt.elementwise_inline_asm.
DIVIDES_BY_ZERO = {
    "source": f"""{_HEAD}@triton.jit
def k(x_ptr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index)
    y = tl.inline_asm_elementwise("x", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=0)
    tl.store(x_ptr + index, y)
""",
    "signature": "*fp32:16, 128",
}

LOADS_A_POINTER = {
    "source": f"""{_HEAD}@triton.jit
def k(a, b):
    tl.store(tl.load(a), tl.load(b))
""",
    "signature": "**fp32, *fp32",
}

GOOD = {
    "source": f"""{_HEAD}@triton.jit
def k(x_ptr):
    tl.store(x_ptr, 1.0)
""",
    "signature": "*fp32:16",
}


@pytest.mark.parametrize(
    ("given", "target", "reached", "stage", "inside", "message"),
    [
        pytest.param(DIVIDES_BY_ZERO, "cuda:80", [], "ttir", "canonicalize", "remainder by zero", id="divides by zero"),
        pytest.param(
            LOADS_A_POINTER, "cuda:80", ["ttir", "ttgir"], "llir", "convert-triton-gpu-to-llvm", "null function", id="null call, NVIDIA"
        ),
        pytest.param(
            LOADS_A_POINTER, "hip:gfx942", ["ttir", "ttgir"], "llir", "convert-triton-amdgpu-to-llvm", "null function", id="null call, AMD"
        ),
    ],
)  # fmt: skip
def test_a_trap_names_stage_and_pass_and_the_next_compile_works(
    given: dict[str, Any], target: str, reached: list[str], stage: str, inside: str, message: str
) -> None:
    good = {**GOOD, "target": target}
    report, after = wasm_batch([{**given, "target": target}, good])["reports"]
    assert not report["ok"]
    (error,) = (d for d in report["diagnostics"] if d["severity"] == "error")
    assert error["stage"] == stage
    assert error["message"].startswith(f"the compiler crashed in stage {stage}: {message}")
    assert error["hint"].startswith(f"In the pass {inside}.")
    # The second compile, up to the stage before, has brought these texts back.
    assert [text["name"] for text in (report["compilation"] or {"stages": []})["stages"]] == reached
    assert after["ok"], after["diagnostics"]
