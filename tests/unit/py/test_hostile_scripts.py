"""Scripts that raise odd things or patch what they should not: a clear diagnostic, and no trace in the next compile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

KERNEL = """
import triton
import triton.language as tl


@triton.jit
def add_one(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(x + o, mask=o < n) + 1, mask=o < n)
"""


def _request(before: str = "", after: str = "") -> dict[str, Any]:
    return {
        "source": before + KERNEL + after,
        "target": "cuda:80",
        "signature": "*fp32:16, *fp32:16, i32:16, 256",
    }


@pytest.mark.parametrize(
    "patch",
    [
        "import triton.language as tl\ntl.arange = None\n",
        "import triton\ntriton.jit = lambda f: f\n",
        "import builtins\nbuiltins.len = lambda x: 3\n",
        "import json\njson.loads = None\njson.dumps = None\n",
        "from triton.backends.nvidia.compiler import CUDABackend\n"
        "CUDABackend.make_ptx = lambda *a: 'forged'\n",
        "import ast, inspect, re\nast.parse = inspect.getsource = re.compile = None\n",
        "import sys\nsys.modules.clear()\n",
        "import sys\nsys.meta_path.clear()\nsys.setrecursionlimit(150)\nsys.stdout = sys.stderr = None\n",
        "import sys\nsys.settrace(lambda *_: 1 / 0)\n",
        "import triton.language as tl\ntl.float32.primitive_bitwidth = 16\n",
        "import triton.language as tl\ntl.max._unsafe_update_src('def max(): pass')\n",
        "from triton.runtime.jit import type_canonicalisation_dict as t\nt.clear()\n",
    ],
)
def test_a_patch_does_not_reach_the_next_compile(pyodide: PyodideHost, patch: str) -> None:
    expected = pyodide.compile(_request())["compilation"]["stages"][-1]["text"]
    pyodide.compile(_request(before=patch))
    report = pyodide.compile(_request())
    assert report["ok"], report["diagnostics"]
    assert report["compilation"]["stages"][-1]["text"] == expected


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("raise BaseException('odd')", "BaseException: odd"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        (
            "class E(Exception):\n    def __str__(self):\n        raise RuntimeError('no text')\nraise E()",
            "E: its text could not be made",
        ),
    ],
)
def test_anything_raised_is_the_scripts_own_error(
    pyodide: PyodideHost, statement: str, message: str
) -> None:
    report = pyodide.compile({"source": statement + "\n" + KERNEL, "target": "cuda:80"})
    (diagnostic,) = (d for d in report["diagnostics"] if d["severity"] == "error")
    assert (diagnostic["stage"], diagnostic["message"]) == ("source", message)
    assert diagnostic["line"] == len(statement.splitlines())


def test_text_that_no_file_can_hold_is_refused_as_source(pyodide: PyodideHost) -> None:
    report = pyodide.compile(_request(before="# \ud800\n"))
    (diagnostic,) = report["diagnostics"]
    assert diagnostic["stage"] == "source"
    assert "surrogates not allowed" in diagnostic["message"]


def test_a_configuration_that_is_none_is_named(pyodide: PyodideHost) -> None:
    source = KERNEL.replace("@triton.jit", "@triton.autotune(configs=[5], key=[])\n@triton.jit")
    report = pyodide.compile({**_request(), "source": source})
    (diagnostic,) = report["diagnostics"]
    assert diagnostic["message"] == "autotune's configuration 5 is not a triton.Config."


def test_a_stand_in_for_a_missing_package_is_gone_in_the_next_compile(pyodide: PyodideHost) -> None:
    before = "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\nimport torch\nassert not hasattr(torch, '__path__')\n"
    report = pyodide.compile(_request(before=before))
    assert report["ok"], report["diagnostics"]
    report = pyodide.compile(_request(before="import torch\nassert torch.__path__ == []\n"))
    assert report["ok"], report["diagnostics"]


def test_an_emptied_sys_modules_is_named_as_the_cause(pyodide: PyodideHost) -> None:
    report = pyodide.compile(_request(before="import sys\nsys.modules.clear()\n"))
    (diagnostic,) = report["diagnostics"]
    assert diagnostic["message"].startswith("The script replaced sys.modules, and the compile")
