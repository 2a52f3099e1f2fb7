"""Memory that a compile leaves behind, as the C library counts what is allocated; in the WebAssembly module and natively.

Triton's Python bindings own no MLIR module, so each compile leaves its module behind, natively too. What the WebAssembly
module leaves must not be more than that.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from scripts.cache import cache_root, repo_root
from scripts.native import SITE
from scripts.toolchain import toolchain
from tests.pyodide_host import start_pyodide

# Compiles before it is counted: caches fill and pools of the allocator settle.
_WARM = 3

# Leaves in `result` the bytes left behind by each compile of `request`; `mallinfo` is the C library's name of the function.
_MEASURE = """
import ctypes, gc, triton_playground

_FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def allocated():
    gc.collect()
    function = getattr(ctypes.CDLL(None), mallinfo)
    function.restype = Mallinfo
    found = function()
    return found.uordblks + found.hblkhd


def compile_times(times):
    for _ in range(times):
        assert triton_playground.compile(request)["ok"]


compile_times(warm)
before = allocated()
compile_times(times)
result = (allocated() - before) // times
"""


def _program(request: dict[str, Any], mallinfo: str, times: int) -> str:
    return (
        f"request, mallinfo, warm, times = {request!r}, {mallinfo!r}, {_WARM}, {times}\n{_MEASURE}"
    )


def wasm_leaks(requests: list[dict[str, Any]], times: int) -> list[int]:
    """Return bytes that each compile of a request leaves behind in the WebAssembly module, the mean of ``times``."""
    host = start_pyodide()
    try:
        return [int(host.run(_program(request, "mallinfo", times))) for request in requests]
    finally:
        host.close()


def native_leaks(requests: list[dict[str, Any]], times: int) -> list[int]:
    """Return the same of the native build."""
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        script, written = Path(folder) / "leaks.py", Path(folder) / "leaks.json"
        programs = [_program(request, "mallinfo2", times) for request in requests]
        script.write_text(
            "import json\n"
            f"results = []\nfor program in {programs!r}:\n"
            "    names = {'__name__': 'leaks'}\n"
            "    exec(program, names)\n"
            "    results.append(names['result'])\n"
            f"open({str(written)!r}, 'w').write(json.dumps(results))\n"
        )
        # Python's own arenas would hide from the C library what Python frees.
        environment = {
            "PYTHONPATH": f"{SITE}:{repo_root() / 'py'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONMALLOC": "malloc",
        }
        toolchain().run(["python3.15", script], env=environment)
        leaks: list[int] = json.loads(written.read_text())
    return leaks
