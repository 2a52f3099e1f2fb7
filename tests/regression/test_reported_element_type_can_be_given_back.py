"""Issue 3: a report spelt a dtype constant by Triton's own name (tl.fp8e4nv), which no request can name."""

from __future__ import annotations

import pytest

from tests.pyodide_host import PyodideHost

SOURCE = """
import triton
import triton.language as tl


@triton.jit
def convert(x_ptr, y_ptr, TO: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(y_ptr + index, tl.load(x_ptr + index).to(TO))
"""


@pytest.mark.parametrize(
    ("name", "pointer"),
    [("float8e4nv", "*fp8e4nv:16"), ("bfloat16", "*bf16:16"), ("int1", "*i1:16")],
)
def test_reported_element_type_can_be_given_back(
    pyodide: PyodideHost, name: str, pointer: str
) -> None:
    request = {
        "source": SOURCE,
        "target": "cuda:90",
        "signature": {"x_ptr": "*fp32:16", "y_ptr": pointer},
        "constexprs": {"TO": f"tl.{name}", "BLOCK": 256},
    }
    first = pyodide.compile(request)
    assert first["ok"], first["diagnostics"]
    reported = first["compilation"]["specialisation"]["constexprs"]
    assert reported["TO"] == f"tl.{name}"
    again = pyodide.compile(
        {**request, "constexprs": {**request["constexprs"], "TO": reported["TO"]}}
    )
    assert again["compilation"]["stages"][-1]["text"] == first["compilation"]["stages"][-1]["text"]
