"""Sources made by hand to hurt: each has killed, hung or filled some compiler."""

from __future__ import annotations

from typing import Any

_HEAD = "import triton\nimport triton.language as tl\n\n\n"
_SIGNATURE = {"signature": "*fp32:16, i32:16, 128"}


def _kernel(body: str, before: str = "", parameters: str = "x_ptr, n, BLOCK: tl.constexpr") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{_HEAD}{before}@triton.jit\ndef k({parameters}):\n{lines}"


_ADD = (
    "o = tl.arange(0, BLOCK)\ntl.store(x_ptr + o, tl.load(x_ptr + o, mask=o < n) + 1, mask=o < n)"
)


def _script(before: str, after: str = "") -> dict[str, Any]:
    """A good kernel in a script that does something bad."""
    return {"source": before + _kernel(_ADD) + after, **_SIGNATURE}


def _body(body: str, **fields: Any) -> dict[str, Any]:
    return {"source": _kernel(body), **_SIGNATURE, **fields}


def _nested(opening: str, count: int, innermost: str) -> str:
    lines = [f"{'  ' * depth}{opening}" for depth in range(count)]
    return "\n".join([*lines, f"{'  ' * count}{innermost}"])


def _block(size: str) -> dict[str, Any]:
    return _body(_ADD.replace("BLOCK", size))


KILLERS: dict[str, dict[str, Any]] = {
    # Size and depth.
    "nested ifs, 90 deep": _body(_nested("if n > 1:", 90, "tl.store(x_ptr, 1.0)")),
    "nested ifs, 500 deep": _body(_nested("if n > 1:", 500, "tl.store(x_ptr, 1.0)")),
    "nested loops, 15 deep": _body(_nested("for i in range(n):", 15, "tl.store(x_ptr, 1.0)")),
    "nested parentheses, 500 deep": _body(f"tl.store(x_ptr, {'(' * 500}1.0{')' * 500})"),
    "nested unary minus, 500 deep": _body(f"tl.store(x_ptr, {'-' * 500}n)"),
    "nested calls, 500 deep": _body(f"tl.store(x_ptr, {'tl.abs(' * 500}n{')' * 500})"),
    "nested functions, 90 deep": {"source": _nested("def f():", 90, "pass") + "\n"},
    "a sum of 3000 terms": _body("tl.store(x_ptr, " + " + ".join(["n"] * 3000) + ")"),
    "a sum of 20000 terms at import": _script(f"x = {' + '.join(['1'] * 20000)}\n"),
    "10000 lines of the script": _script("x = 1\n" * 10_000),
    "10000 lines of the kernel": _body("\n".join(f"a{i} = n + {i}" for i in range(10_000))),
    "a string of 1 MB": _script(f"x = '{'y' * 1_000_000}'\n"),
    "a line comment of 1 MB": _script(f"# {'y' * 1_000_000}\n"),
    "a name of 100000 characters": {"source": _kernel(_ADD).replace("def k(", f"def k{'k' * 100_000}("), **_SIGNATURE},
    "500 parameters": {"source": _kernel("pass", parameters=", ".join(f"p{i}" for i in range(500))), "signature": ", ".join(["i32"] * 500)},
    # Loops and recursion.
    "endless import": _script("while True:\n    pass\n"),
    "endless launch": _script("", "\nwhile True:\n    k[(1,)](0, 1, 128)\n"),
    "endless static_range": _body("for i in tl.static_range(0, 1000000000):\n    tl.store(x_ptr + i, 1.0)"),
    "static_range of 20000": _body("for i in tl.static_range(0, 20000):\n    tl.store(x_ptr + i, 1.0)"),
    "a loop that never ends at run time": _body("while True:\n    tl.store(x_ptr, 1.0)"),
    "a kernel that calls itself": _body("k(x_ptr, n, BLOCK)"),
    "two functions that call each other": {
        "source": _HEAD
        + "@triton.jit\ndef a(n):\n    return b(n)\n\n\n@triton.jit\ndef b(n):\n    return a(n)\n\n\n"
        + "@triton.jit\ndef k(x_ptr, n):\n    tl.store(x_ptr, a(n))\n",
        "kernel": "k",
        "signature": "*i32, i32",
    },
    "recursion in Python": _script("def f():\n    return f()\nf()\n"),
    "recursion in Python without its limit": _script("import sys\nsys.setrecursionlimit(10**8)\ndef f():\n    return f()\nf()\n"),
    "recursion in repr": _script("x = []\nfor _ in range(100000):\n    x = [x]\nrepr(x)\n"),
    "recursion through C": _script("import functools\nf = len\nfor _ in range(100000):\n    f = functools.partial(f)\nf([])\n"),
    "deep tuple of constants": _body("tl.static_assert(BLOCK != 0)", constexprs={"BLOCK": [[[[[[[[1]]]]]]]]}, signature="*fp32, i32"),
    # Ends of the process.
    "os._exit": _script("import os\nos._exit(3)\n"),
    "os.abort": _script("import os\nos.abort()\n"),
    "sys.exit": _script("import sys\nsys.exit(3)\n"),
    "null pointer": _script("import ctypes\nctypes.string_at(0, 2**31 - 1)\n"),
    "wild pointer": _script("import ctypes\nctypes.memset(2**31, 1, 2**31 - 1)\n"),
    "wild call": _script("import ctypes\nctypes.CFUNCTYPE(None)(12345)()\n"),
    "signal": _script("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"),
    "fork": _script("import os\nos.fork()\n"),
    "thread": _script("import threading\nthreading.Thread(target=print).start()\n"),
    "faulthandler": _script("import faulthandler\nfaulthandler._sigsegv()\n"),
    # Memory and output.
    "a list without end": _script("x = []\nwhile True:\n    x.append(bytes(1 << 20))\n"),
    "one huge string": _script("x = 'y' * (1 << 30) * 3\n"),
    "an int of 10**9 bits": _script("x = 1 << 10**9\nprint(x)\n"),
    "prints 100 MB": _script("for _ in range(1000):\n    print('y' * 100_000)\n"),
    "writes 100 MB to standard error": _script("import os\nfor _ in range(1000):\n    os.write(2, b'y' * 100_000)\n"),
    "static_print of 1 MB": _body("tl.static_print('y' * 1000000)"),
    "prints a lone surrogate": _script("print('\\ud800')\n"),
    # Blocks and shapes.
    **{f"tl.arange(0, {size})": _block(size) for size in ("0", "-1", "3", "1", "2**20", "2**21", "2**31", "2**64", "1.5", "None", "n")},
    "a block of 2**20 in registers": _body("o = tl.arange(0, 1048576)\ntl.store(x_ptr + o, tl.load(x_ptr + o))"),
    "a dot of 1024 x 1024": _body("o = tl.arange(0, 1024)\na = tl.load(x_ptr + o[:, None] * 1024 + o[None, :])\ntl.store(x_ptr + o[:, None] * 1024 + o[None, :], tl.dot(a, a))"),
    "a tensor of 7 dimensions": _body("tl.store(x_ptr, tl.sum(tl.zeros((2, 2, 2, 2, 2, 2, 2), tl.float32)))"),
    "sort of 2**15": _body("o = tl.arange(0, 32768)\ntl.store(x_ptr + o, tl.sort(tl.load(x_ptr + o)))"),
    # Text.
    "non-ASCII names": {"source": _kernel(_ADD).replace("x_ptr", "указатель").replace("def k", "def 核"), **_SIGNATURE},
    "NUL in the source": _script("x = 1\0\n"),
    "NUL in a string": _script("x = '\0'\n"),
    "NUL in the kernel's name": {"source": _kernel(_ADD), "kernel": "k\0", **_SIGNATURE},
    "a lone surrogate": _script("# \ud800\n"),
    "a lone surrogate in the signature": {"source": _kernel(_ADD), "signature": "\ud800"},
    "a byte order mark": {"source": "\ufeff" + _kernel(_ADD), **_SIGNATURE},
    "carriage returns": {"source": _kernel(_ADD).replace("\n", "\r"), **_SIGNATURE},
    "an unknown coding": _script("# coding: klingon\n"),
    "tabs and blanks": {"source": _kernel(_ADD).replace("    tl.store", "\ttl.store"), **_SIGNATURE},
    "nothing": {"source": ""},
    "binary": {"source": "".join(chr(i) for i in range(256))},
    # What is no kernel.
    "jit of a class": {"source": _HEAD + "@triton.jit\nclass K:\n    pass\n"},
    "jit of a lambda": {"source": _HEAD + "k = triton.jit(lambda x_ptr: tl.store(x_ptr, 1.0))\n"},
    "jit of an async function": {"source": _HEAD + "@triton.jit\nasync def k(x_ptr):\n    tl.store(x_ptr, 1.0)\n", "signature": "*fp32"},
    "jit of a generator": {"source": _HEAD + "@triton.jit\ndef k(x_ptr):\n    yield 1\n", "signature": "*fp32"},
    "jit of a number": {"source": _HEAD + "k = triton.jit(5)\n"},
    "a kernel made by exec": {"source": _HEAD + "exec('@triton.jit\\ndef k(x_ptr):\\n    tl.store(x_ptr, 1.0)\\n')\n"},
    "star arguments": {"source": _kernel("pass", parameters="x_ptr, *rest"), "signature": "*fp32"},
    "a source that deletes itself": _script("import os\nos.remove(__file__)\n"),
    "a source that empties itself": _script("open(__file__, 'w').close()\n"),
    # Exceptions that hurt whoever prints them.
    "an exception whose str raises": _script("class E(Exception):\n    def __str__(self):\n        raise SystemExit(3)\nraise E()\n"),
    "an exception whose str never ends": _script("class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E()\n"),
    "an exception of 10 MB": _script("raise ValueError('y' * 10_000_000)\n"),
    "a chain of 5000 exceptions": _script("e = None\nfor _ in range(5000):\n    n = ValueError()\n    n.__cause__ = e\n    e = n\nraise e\n"),
    "a constant whose repr raises": {
        "source": _kernel(_ADD, "class R:\n    def __repr__(self):\n        raise KeyboardInterrupt\n\n\n", "x_ptr, n, BLOCK: tl.constexpr, R: tl.constexpr = R()"),
        **_SIGNATURE,
    },
    "a heuristic that exits": {
        "source": _kernel(_ADD, "@triton.heuristics({'BLOCK': lambda _: exit(3)})\n"),
        "signature": "*fp32, i32",
    },
    "an object whose class raises": _script("class X:\n    @property\n    def __class__(self):\n        raise KeyboardInterrupt\nx = X()\n"),
    # State that must not stay.
    "patches Python's library": _script("import ast, inspect, re\nast.parse = inspect.getsource = re.compile = None\n"),
    "empties sys.modules": _script("import sys\nsys.modules.clear()\n"),
    "closes the standard streams": _script("import os\nos.close(1)\nos.close(2)\n"),
    "a tracer that raises": _script("import sys\nsys.settrace(lambda *_: 1 / 0)\ndef f():\n    pass\nf()\n"),
    "removes Triton": _script("import shutil, triton\nshutil.rmtree(triton.__path__[0])\n"),
    "fills the file system": _script("f = open('/tmp/big', 'wb')\nwhile True:\n    f.write(bytes(1 << 24))\n"),
}  # fmt: skip
