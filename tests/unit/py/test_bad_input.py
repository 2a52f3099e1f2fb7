"""Bad input against the real compiler: each gets a message that names the stage, and the next compile works."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import triton_playground

from tests.pyodide_host import PyodideHost

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)

HEAD = """import triton
import triton.language as tl
from triton_playground import fake_tensor

"""
ADD = (
    HEAD
    + """
@triton.jit
def add(x_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    tl.store(x_ptr + o, x + 1, mask=o < n)
"""
)
SIGNATURE = {"signature": "*fp32:16, i32:16, 128"}


def check(pyodide: PyodideHost, request: dict[str, Any]) -> dict[str, Any]:
    """Compile, check the report against the schema, and check that the next compile in the same process works."""
    report = pyodide.compile({"target": "cuda:80", **request})
    jsonschema.validate(report, SCHEMA)
    good = pyodide.compile({"source": ADD, "target": "cuda:80", "stop": "ttir", **SIGNATURE})
    assert good["ok"], good["diagnostics"]
    return report


def only_error(report: dict[str, Any]) -> dict[str, Any]:
    assert not report["ok"]
    (error,) = [d for d in report["diagnostics"] if d["severity"] == "error"]
    assert "triton_playground/" not in error.get("detail", "")
    assert isinstance(error, dict)
    return error


CASES: list[Any] = [
    pytest.param({"source": "def f(:\n"}, "source", "SyntaxError", 1, id="syntax error"),
    pytest.param({"source": "x = 1"}, "source", "no kernel", None, id="no kernel"),
    pytest.param({"source": ADD, "kernel": "sub"}, "source", "'sub'", None, id="no such kernel"),
    pytest.param(
        {"source": ADD, "target": "cuda:81"}, "request", "'cuda:81'", None, id="unknown target"
    ),
    pytest.param(
        {"source": ADD, "stop": "cubin", **SIGNATURE}, "request", "compile-only", None, id="cubin"
    ),
    pytest.param(
        {"source": ADD, "stop": "hsaco", "target": "hip:gfx942"},
        "request",
        "compile-only",
        None,
        id="hsaco",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32"},
        "specialise",
        "n (a type), BLOCK (a constant)",
        None,
        id="missing",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp33, i32, 64"},
        "specialise",
        "'fp33'",
        None,
        id="unknown dtype",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32, i32, i32"},
        "specialise",
        "tl.constexpr",
        None,
        id="typed constant",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32,i32,1,2"},
        "specialise",
        "4 entries",
        None,
        id="too many entries",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32,,1"},
        "specialise",
        "empty entry",
        None,
        id="empty entry",
    ),
    pytest.param(
        {"source": ADD, "constexprs": {"BLOK": 1}, **SIGNATURE},
        "specialise",
        "'BLOK'",
        None,
        id="unknown name",
    ),
    pytest.param(
        {"source": ADD, "constexprs": {"BLOCK": 1}, **SIGNATURE},
        "specialise",
        "128",
        None,
        id="contradiction",
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32, i32, 100"}, "ttir", "power of 2", 8, id="bad constant"
    ),
    pytest.param(
        {"source": ADD, "signature": "*fp32, i32, 'a'"},
        "ttir",
        "constexpr",
        8,
        id="constant of a wrong type",
    ),
    pytest.param(
        {"source": ADD, "options": {"num_warp": 4}, **SIGNATURE},
        "specialise",
        "'num_warp'",
        None,
        id="option",
    ),
    pytest.param(
        {"source": ADD, "options": {"num_warps": "4"}, **SIGNATURE},
        "specialise",
        "integer",
        None,
        id="option type",
    ),
    pytest.param(
        {"source": ADD, "options": {"num_warps": 3}, **SIGNATURE},
        "specialise",
        "power of 2",
        None,
        id="warps",
    ),
    pytest.param(
        {"source": ADD, "launch": 0, **SIGNATURE},
        "specialise",
        "no launch 0",
        None,
        id="no such launch",
    ),
    pytest.param(
        {"source": ADD, "config": 1, **SIGNATURE},
        "specialise",
        "configuration 1",
        None,
        id="no such config",
    ),
    pytest.param(
        {"source": ADD + "\n1 / 0\n"}, "source", "ZeroDivisionError", 12, id="script raises"
    ),
    pytest.param({"source": "import jax\n" + ADD}, "source", "jax", 1, id="missing package"),
    pytest.param(
        {"source": ADD.replace("x + 1", "y + 1"), **SIGNATURE},
        "ttir",
        "y is not defined",
        10,
        id="kernel name error",
    ),
    pytest.param(
        {"source": ADD.replace("x + 1", "x.foo"), **SIGNATURE},
        "ttir",
        "foo",
        10,
        id="kernel attribute error",
    ),
    pytest.param(
        {"source": ADD + "\nadd[(1,)](fake_tensor(4), BLOCK=4)\n"},
        "source",
        "add() missing 1",
        12,
        id="launch lacks argument",
    ),
    pytest.param(
        {"source": ADD + "\nadd[(1,)](fake_tensor(4), 4, 4, nwarps=1)\n"},
        "source",
        "nwarps",
        12,
        id="launch option",
    ),
    pytest.param(
        {"source": ADD + "\nadd[(1,)](object(), 4, 4)\n"},
        "source",
        "object",
        12,
        id="launch of a strange argument",
    ),
]


@pytest.mark.parametrize(("request_fields", "stage", "text", "line"), CASES)
def test_bad_input(
    pyodide: PyodideHost, request_fields: dict[str, Any], stage: str, text: str, line: int | None
) -> None:
    error = only_error(check(pyodide, request_fields))
    assert error["stage"] == stage
    assert text in error["message"]
    assert error.get("line") == line


def test_two_kernels_and_none_named(pyodide: PyodideHost) -> None:
    source = ADD + ADD.replace("def add", "def sub")
    error = only_error(check(pyodide, {"source": source, **SIGNATURE}))
    assert error["message"].endswith("add, sub.")
    report = check(pyodide, {"source": source, "kernel": "sub", "stop": "ttir", **SIGNATURE})
    assert report["ok"]
    assert "@sub" in report["compilation"]["stages"][0]["text"]


def test_a_helper_is_no_second_kernel(pyodide: PyodideHost) -> None:
    source = HEAD + (
        "@triton.jit\ndef half(x):\n    return x / 2\n\n\n"
        "@triton.jit\ndef f(x_ptr: '*fp32'):\n    tl.store(x_ptr, half(tl.load(x_ptr)))\n"
    )
    report = check(pyodide, {"source": source, "stop": "ttir"})
    assert report["ok"], report["diagnostics"]
    assert [kernel.get("called_by") for kernel in report["kernels"]] == [["f"], None]


def test_an_error_in_a_helper_names_its_line_and_the_calling_line(pyodide: PyodideHost) -> None:
    source = HEAD + (
        "@triton.jit\ndef h():\n    return tl.arange(0, 3)\n\n\n"
        "if True:\n"
        "    @triton.jit\n"
        "    def f(x_ptr: '*fp32'):\n"
        "        é = 1; tl.store(x_ptr, h())\n"
    )
    error = only_error(check(pyodide, {"source": source, "kernel": "f"}))
    assert (error["line"], error["column"]) == (7, 12)
    assert "line 13" in error["hint"]


def test_an_error_inside_tritons_library_gives_the_users_line_and_column(
    pyodide: PyodideHost,
) -> None:
    source = (
        HEAD
        + "if True:\n    @triton.jit\n    def f(x: '*fp32'):\n        é = 1; tl.store(x, tl.max(tl.arange(0, 4), axis=5))\n"
    )
    error = only_error(check(pyodide, {"source": source}))
    assert "axis" in error["message"]
    assert (error["line"], error["column"]) == (8, 28)


def test_an_error_of_an_mlir_pass_gives_stage_line_and_earlier_stages(pyodide: PyodideHost) -> None:
    source = (Path(__file__).parents[2] / "corpus" / "int8_dot.py").read_text(encoding="utf-8")
    pointers = "*i8:16, *i8:16, *fp32:16, *fp16:16, i32:16, i32:16, 64, 64, 64"
    # The pinned Triton casts int8 operands of a dot as if they were floats where there is no tensor-core path for them.
    report = check(pyodide, {"source": source, "signature": pointers, "target": "cuda:75"})
    errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
    assert [stage["name"] for stage in report["compilation"]["stages"]] == ["ttir"]
    assert errors[0]["stage"] == "ttgir"
    assert "tl.dot(" in source.splitlines()[errors[0]["line"] - 1]


def test_a_later_exception_of_the_script_is_a_warning(pyodide: PyodideHost) -> None:
    report = check(
        pyodide,
        {
            "source": ADD
            + "\nk = add[(1,)](fake_tensor(64), 64, 64)\nprint('before')\nk.function\nprint('after')\n"
        },
    )
    assert report["ok"]
    (warning,) = report["diagnostics"]
    assert (warning["severity"], warning["line"]) == ("warning", 14)
    assert "compile-only" in warning["message"]
    assert report["output"] == "before\n"


def test_sys_exit_ends_the_script_only(pyodide: PyodideHost) -> None:
    report = check(pyodide, {"source": ADD + "\nimport sys\nsys.exit()\n", **SIGNATURE})
    assert report["ok"]
    assert [d["severity"] for d in report["diagnostics"]] == ["note"]


def test_a_launch_under_the_main_guard_is_recorded(pyodide: PyodideHost) -> None:
    report = check(
        pyodide,
        {"source": ADD + "\nif __name__ == '__main__':\n    add[(1,)](fake_tensor(4), 4, 4)\n"},
    )
    assert report["ok"], report["diagnostics"]
    assert [launch["line"] for launch in report["launches"]] == [13]
    assert any("__main__" in d["message"] for d in report["diagnostics"])


def test_a_script_cannot_change_the_next_compile(pyodide: PyodideHost) -> None:
    before = pyodide.compile({"source": ADD, "target": "cuda:80", **SIGNATURE})
    meddling = (
        "import os, sys, triton\n"
        "os.environ['TRITON_DISABLE_LINE_INFO'] = '1'\n"
        "triton.knobs.compilation.front_end_debugging = True\n"
        "triton.knobs.amd.use_buffer_ops = False\n"
        "sys.path.clear()\n"
    )
    check(pyodide, {"source": meddling + ADD, **SIGNATURE})
    after = pyodide.compile({"source": ADD, "target": "cuda:80", **SIGNATURE})
    assert texts(after) == texts(before)


def test_what_a_script_and_static_print_print_is_output(pyodide: PyodideHost) -> None:
    source = (
        ADD.replace("    o = ", "    tl.static_print('block', BLOCK)\n    o = ")
        + "\nprint('hello')\n"
    )
    report = check(pyodide, {"source": source, "stop": "ttir", **SIGNATURE})
    assert report["output"] == "hello\nblock 128\n"


def test_an_llvm_failure_that_arrives_as_an_exception_is_the_compilers_own(
    pyodide: PyodideHost,
) -> None:
    """The module turns fatal errors into RuntimeError; which input causes one changes with the pin, so raise it here."""
    code = """
import triton_playground
from triton.backends.nvidia.compiler import CUDABackend
original = CUDABackend.make_llir
def fail(self, *arguments):
    raise RuntimeError("LLVM ERROR: Cannot select: t7: i32\\nIn function: add")
CUDABackend.make_llir = fail
try:
    result = triton_playground.compile(arguments["request"])
finally:
    CUDABackend.make_llir = original
"""
    report = pyodide.run(code, request={"source": ADD, "target": "cuda:80", **SIGNATURE})
    error = only_error(report)
    assert (error["stage"], error["message"]) == ("llir", "LLVM ERROR: Cannot select: t7: i32")
    assert "a native build of the same version does too" in error["hint"]
    assert [stage["name"] for stage in report["compilation"]["stages"]] == ["ttir", "ttgir"]


def texts(report: dict[str, Any]) -> dict[str, str]:
    assert report["ok"], report["diagnostics"]
    return {stage["name"]: stage["text"] for stage in report["compilation"]["stages"]}
