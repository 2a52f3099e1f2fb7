"""Where each parameter's type or value came from, and what a request changes of a launch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

SCRIPT = """
import triton
import triton.language as tl
from triton_playground import fake_tensor

@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 256})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned(x_ptr, n: "i64", scale, BLOCK: tl.constexpr, EVEN: tl.constexpr, STEP=16, KIND: tl.constexpr = "mul"):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + o, tl.load(x_ptr + o, mask=o < n) * scale + STEP, mask=o < n)

tuned[(1,)](fake_tensor(4096, "fp16"), 4096, 2.0)
tuned[(2,)](fake_tensor(4096, "fp16"), 4096, scale=1, KIND="add")
"""


def specialised(pyodide: PyodideHost, **request: Any) -> dict[str, Any]:
    report = pyodide.compile(
        {"source": SCRIPT, "target": "cuda:80", "stop": "specialise", **request}
    )
    assert report["ok"], report["diagnostics"]
    assert report["compilation"]["stages"] == []
    result: dict[str, Any] = report["compilation"]["specialisation"]
    return result


def test_sources_of_a_launch(pyodide: PyodideHost) -> None:
    expected = {
        **{"x_ptr": "launch", "n": "annotation", "scale": "launch", "BLOCK": "autotune"},
        **{"EVEN": "heuristic", "STEP": "default", "KIND": "default"},
    }
    assert specialised(pyodide)["sources"] == expected
    assert specialised(pyodide, launch=1)["sources"] == expected | {"KIND": "launch"}


def test_sources_without_a_launch(pyodide: PyodideHost) -> None:
    source = SCRIPT.partition("tuned[(1,)]")[0]
    types = {"signature": {"x_ptr": "*fp32"}, "constexprs": {"EVEN": True}}
    found = specialised(pyodide, source=source, guess=True, config=1, **types)
    assert found["sources"] == {
        **{"x_ptr": "request", "n": "annotation", "scale": "guess", "BLOCK": "autotune"},
        **{"EVEN": "request", "STEP": "default", "KIND": "default"},
    }
    assert found["origin"] == "guess"
    assert found["constexprs"]["BLOCK"] == "256"


def test_an_object_changes_single_parameters_of_a_launch(pyodide: PyodideHost) -> None:
    plain = specialised(pyodide)
    changed = specialised(
        pyodide,
        signature={"x_ptr": "*bf16", "scale": "i32:1"},
        constexprs={"BLOCK": 32},
        options={"num_warps": 1},
    )
    assert changed["origin"] == "launch"
    assert changed["signature"] == plain["signature"] | {"x_ptr": "*bf16", "scale": "i32:1"}
    assert changed["constexprs"] == plain["constexprs"] | {"scale": "1", "BLOCK": "32"}
    assert changed["options"] == plain["options"] | {"num_warps": 1}
    asked = {name for name, source in changed["sources"].items() if source == "request"}
    assert asked == {"x_ptr", "scale", "BLOCK"}


def test_a_changed_launch_compiles_as_it_says(pyodide: PyodideHost) -> None:
    request = {"source": SCRIPT, "target": "cuda:80", "signature": {"x_ptr": "*bf16:16"}}
    report = pyodide.compile(request)
    assert report["ok"], report["diagnostics"]
    assert "!tt.ptr<bf16> {tt.divisibility = 16" in report["compilation"]["stages"][0]["text"]


def test_a_string_replaces_the_launch(pyodide: PyodideHost) -> None:
    found = specialised(pyodide, signature="*fp32, i32, fp32, 64, False, i32, 'mul'")
    assert found["origin"] == "request"
    assert found["signature"]["x_ptr"] == "*fp32"
    assert set(found["sources"].values()) == {"request"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"signature": {"BLOCK": "i32"}}, "BLOCK is declared tl.constexpr"),
        ({"signature": {"x_ptr": "constexpr"}}, "x_ptr (a constant)"),
        ({"signature": {"nobody": "i32"}}, "no parameter 'nobody'"),
        ({"signature": {"x_ptr": "*fp33"}}, "Unknown type"),
        ({"signature": {"scale": "i32"}, "constexprs": {"scale": 3}}, "both the type"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    pyodide: PyodideHost, fields: dict[str, Any], message: str
) -> None:
    report = pyodide.compile({"source": SCRIPT, "target": "cuda:80", **fields})
    assert not report["ok"]
    assert message in report["diagnostics"][-1]["message"]


def test_option_defaults_are_those_of_the_backend(pyodide: PyodideHost) -> None:
    defaults = {}
    for target in ("cuda:80", "hip:gfx942"):
        report = pyodide.compile({"source": SCRIPT, "target": target, "stop": "specialise"})
        defaults[target] = report["compilation"]["option_defaults"]
    assert defaults["cuda:80"]["num_warps"] == 4
    assert defaults["cuda:80"]["num_stages"] == 3
    assert defaults["cuda:80"]["maxnreg"] is None
    assert defaults["hip:gfx942"]["num_stages"] == 2
    assert defaults["hip:gfx942"]["matrix_instr_nonkdim"] == 0
    assert "waves_per_eu" not in defaults["cuda:80"]
