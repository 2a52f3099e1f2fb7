"""pyconfig.h for wasm32: every macro takes Pyodide's value."""

from __future__ import annotations

from scripts.build_module import pyodide_package
from scripts.python_headers import build_variables, pyconfig_for

_NATIVE = """
#ifndef Py_PYCONFIG_H
#define SIZEOF_VOID_P 8
/* #undef HAVE_BROKEN_PIPE_BUF */
#define HAVE_EPOLL 1
"""


def test_takes_values_from_the_build_variables() -> None:
    text = pyconfig_for(_NATIVE, {"SIZEOF_VOID_P": 4, "HAVE_BROKEN_PIPE_BUF": 1, "HAVE_EPOLL": 0})
    assert "#define SIZEOF_VOID_P 4\n" in text
    assert "#define HAVE_BROKEN_PIPE_BUF 1\n" in text
    assert "/* #undef HAVE_EPOLL */" in text


def test_pyodide_is_a_32_bit_python() -> None:
    variables = build_variables(pyodide_package() / "python_stdlib.zip")
    assert variables["SIZEOF_VOID_P"] == 4
    assert variables["VERSION"] == "3.15"
