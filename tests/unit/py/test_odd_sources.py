"""Sources that are odd rather than wrong: each compiles, or is told what it is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

HEAD = "import triton\nimport triton.language as tl\n"
KERNEL = (
    HEAD
    + """
@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(x_ptr + o, tl.load(x_ptr + o, mask=o < n) + 1, mask=o < n)
"""
)


def compile_source(pyodide: PyodideHost, source: str, **fields: Any) -> dict[str, Any]:
    signature = "*fp32:16, i32:16, 128" if source.endswith(KERNEL) else "*fp32"
    request = {"source": source, "target": "cuda:80", "stop": "ttir", "signature": signature}
    return pyodide.compile({**request, **fields})


def only_error(report: dict[str, Any]) -> dict[str, Any]:
    (error,) = [d for d in report["diagnostics"] if d["severity"] == "error"]
    assert isinstance(error, dict)
    assert "triton_playground/" not in str(error)
    return error


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("# coding: latin-1\n# é\n", id="another coding"),
        pytest.param("# coding: klingon\n", id="no coding"),
        pytest.param("\ufeff", id="byte order mark"),
        pytest.param("import os\nos.remove(__file__)\n", id="deletes itself"),
        pytest.param("open(__file__, 'w').close()\n", id="empties itself"),
        pytest.param("import os\nos.chdir('/')\n", id="goes elsewhere"),
    ],
)
def test_the_text_is_what_was_given(pyodide: PyodideHost, before: str) -> None:
    report = compile_source(pyodide, before + KERNEL)
    assert report["ok"], report["diagnostics"]


@pytest.mark.parametrize(
    "definition",
    [
        "@triton.jit\nclass K:\n    pass\n",
        "k = triton.jit(lambda x_ptr: tl.store(x_ptr, 1.0))\n",
        "@triton.jit\nasync def k(x_ptr):\n    tl.store(x_ptr, 1.0)\n",
        "exec('@triton.jit\\ndef k(x_ptr):\\n    tl.store(x_ptr, 1.0)\\n')\n",
        "k = triton.jit(5)\n",
        "k = triton.jit(len)\n",
    ],
)
def test_what_is_no_plain_function_is_told_so(pyodide: PyodideHost, definition: str) -> None:
    error = only_error(compile_source(pyodide, HEAD + definition))
    assert error["stage"] == "source"
    assert error["line"] == 3
    assert "written with `def`" in error["hint"]


@pytest.mark.parametrize("parameter", ["*rest", "**rest"])
def test_any_number_of_arguments_is_refused(pyodide: PyodideHost, parameter: str) -> None:
    source = HEAD + f"@triton.jit\ndef k(x_ptr, {parameter}):\n    tl.store(x_ptr, 1.0)\n"
    error = only_error(compile_source(pyodide, source))
    assert error["stage"] == "specialise"
    assert "'rest'" in error["message"]


def test_recursion_is_named(pyodide: PyodideHost) -> None:
    source = HEAD + "@triton.jit\ndef k(x_ptr):\n    k(x_ptr)\n"
    error = only_error(compile_source(pyodide, source))
    assert (error["stage"], error["line"]) == ("ttir", 5)
    assert "no recursion" in error["hint"]


def test_nesting_beyond_pythons_parser_is_named(pyodide: PyodideHost) -> None:
    error = only_error(compile_source(pyodide, f"x = {'(' * 500}1{')' * 500}\n" + KERNEL))
    assert error["stage"] == "source"
    assert "nests too deeply" in error["message"]


def test_what_a_script_prints_is_bounded(pyodide: PyodideHost) -> None:
    noisy = (
        "import os\nprint('begin')\nfor _ in range(300):\n    print('y' * 100_000)\n"
        "    os.write(2, b'z' * 100_000)\n"
    )
    report = compile_source(pyodide, noisy + KERNEL)
    assert report["ok"], report["diagnostics"]
    assert report["output"].startswith("begin\nyyy")
    assert len(report["output"]) < 21_000


def test_a_message_without_end_is_bounded(pyodide: PyodideHost) -> None:
    error = only_error(compile_source(pyodide, "raise ValueError('y' * 10_000_000)\n"))
    assert error["message"].startswith("ValueError: yyy")
    assert len(str(error)) < 30_000


@pytest.mark.parametrize(
    "source",
    [
        "class E(Exception):\n    def __str__(self):\n        raise SystemExit(3)\nraise E()\n",
        "class E(Exception):\n    def __str__(self):\n        return 5\nraise E()\n",
    ],
)
def test_an_exception_that_cannot_be_printed_is_named(pyodide: PyodideHost, source: str) -> None:
    error = only_error(compile_source(pyodide, source))
    assert error["message"] == "E: its text could not be made"


def test_code_of_the_script_inside_a_compile_may_raise_anything(pyodide: PyodideHost) -> None:
    exits = KERNEL.replace(
        "@triton.jit", "@triton.heuristics({'BLOCK': lambda _: exit(3)})\n@triton.jit"
    )
    report = compile_source(pyodide, exits, signature="*fp32, i32")
    assert only_error(report)["stage"] == "specialise"
    unprintable = (
        "class R:\n    def __repr__(self):\n        raise KeyboardInterrupt\n"
        + KERNEL.replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, R: tl.constexpr = R()")
    )
    report = compile_source(pyodide, unprintable, signature="*fp32, i32, 128")
    default = report["kernels"][0]["parameters"][-1]["default"]
    assert default == "<R, whose repr raises>"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("num_warps", 2**40, "32 bits"),
        ("maxnreg", "many", "an integer"),
        ("ptx_version", "8.7", "an integer"),
        ("cluster_dims", 3, "three integers"),
        ("cluster_dims", [1, "a", 1], "three integers"),
    ],
)
def test_options_that_tritons_cpp_would_trip_over_are_refused(
    pyodide: PyodideHost, name: str, value: Any, text: str
) -> None:
    error = only_error(compile_source(pyodide, KERNEL, options={name: value}))
    assert error["stage"] == "specialise"
    assert name in error["message"]
    assert text in error["message"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_warps", 1024),
        ("num_stages", -1),
        ("num_stages", 0),
        ("maxnreg", -5),
        ("maxnreg", None),
    ],
)
def test_options_that_are_only_odd_are_tritons_to_judge(
    pyodide: PyodideHost, name: str, value: Any
) -> None:
    report = compile_source(pyodide, KERNEL, options={name: value}, stop="ptx")
    assert report["ok"], report["diagnostics"]
