"""Issue 2: fp8 conversion tables were function-local statics, filled by a process's first compile.

On NVIDIA the table's entries depend on the compute capability (cvt instructions from 89 on), on AMD
on the GPU family; so the second target of a process got the first one's conversion.
"""

from __future__ import annotations

import pytest

from tests.pyodide_host import PyodideHost, start_pyodide

SOURCE = """
import triton
import triton.language as tl


@triton.jit
def widen(x_ptr, y_ptr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(y_ptr + index, tl.load(x_ptr + index).to(tl.float16))
"""


def _last_text(host: PyodideHost, target: str, dtype: str) -> str:
    report = host.compile(
        {
            "source": SOURCE,
            "target": target,
            "signature": {"x_ptr": f"*{dtype}:16", "y_ptr": "*fp16:16"},
            "constexprs": {"BLOCK": 1024},
        }
    )
    assert report["ok"], report["diagnostics"]
    text = report["compilation"]["stages"][-1]["text"]
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize(
    ("dtype", "first", "second"),
    [("fp8e5", "cuda:80", "cuda:90"), ("fp8e5", "hip:gfx942", "hip:gfx950")],
)
def test_second_target_converts_as_in_a_process_of_its_own(
    fresh_pyodide: PyodideHost, dtype: str, first: str, second: str
) -> None:
    before = _last_text(fresh_pyodide, first, dtype)
    after = _last_text(fresh_pyodide, second, dtype)
    assert before != after
    alone = start_pyodide()
    try:
        assert after == _last_text(alone, second, dtype)
    finally:
        alone.close()
