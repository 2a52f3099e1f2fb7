"""Compiles that try to leave something behind for the next one, by name of what they change."""

from __future__ import annotations

from typing import Any

_SIGNATURE = {"signature": "*fp32:16, i32:16, 128"}
_KERNEL = """import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    tl.store(x_ptr + o, BODY, mask=o < n)
"""


def _script(
    before: str = "", body: str = "x + 1", target: str = "cuda:80", **fields: Any
) -> dict[str, Any]:
    return {
        "source": before + _KERNEL.replace("BODY", body),
        "target": target,
        **_SIGNATURE,
        **fields,
    }


def _environment(**variables: str) -> str:
    # Printed dumps go to the report's output; what matters is the compile after.
    return f"import os\nos.environ.update({variables!r})\n"


_ASSEMBLY = "tl.inline_asm_elementwise('{TEXT}', '{CONSTRAINTS}', [x], dtype=tl.float32, is_pure=True, pack=1)"

POLLUTERS: dict[str, list[dict[str, Any]]] = {
    "every stage's dumps, by environment": [
        _script(_environment(MLIR_ENABLE_DUMP="1", LLVM_IR_ENABLE_DUMP="1", NVPTX_ENABLE_DUMP="1", AMDGCN_ENABLE_DUMP="1"), target=target)
        for target in ("cuda:80", "hip:gfx942")
    ],
    "DISABLE_LLVM_OPT, all of it": [_script(_environment(DISABLE_LLVM_OPT="1"))],
    "DISABLE_LLVM_OPT, flags of LLVM": [
        _script(_environment(DISABLE_LLVM_OPT="disable-lsr,disable-licm-promotion"), target=target)
        for target in ("cuda:80", "hip:gfx942")
    ],
    "LLVM's timers": [_script(_environment(LLVM_ENABLE_TIMING="1", MLIR_ENABLE_TIMING="1"))],
    "line information off": [_script(_environment(TRITON_DISABLE_LINE_INFO="1"))],
    "AMD's switches, by environment": [
        _script(
            _environment(AMDGCN_USE_BUFFER_OPS="0", TRITON_HIP_USE_ASYNC_COPY="1", TRITON_HIP_USE_BLOCK_PINGPONG="1"),
            target="hip:gfx942",
        )
    ],
    "the interpreter": [_script(_environment(TRITON_INTERPRET="1"))],
    "default precision and PTX version, by environment": [
        _script(_environment(TRITON_F32_DEFAULT="ieee", TRITON_MOCK_PTX_VERSION="12.0", TRITON_DEFAULT_FP_FUSION="0"))
    ],
    "knobs": [
        _script(
            "import triton\ntriton.knobs.amd.use_buffer_ops = False\ntriton.knobs.compilation.disable_line_info = True\n"
            "triton.knobs.language.fp32_default = 'ieee'\ntriton.knobs.runtime.debug = True\ntriton.knobs.nvidia.mock_ptx_version = '12.0'\n"
        )
    ],
    "passes recorded": [_script(passes=True, target=target) for target in ("cuda:90", "hip:gfx942")],
    "debug and sanitize_overflow": [_script(options={"debug": True, "sanitize_overflow": True})],
    "a library function rewritten": [
        _script(
            "import triton.language as tl\nfor f in (tl.cdiv, tl.sum, tl.max, tl.zeros, tl.softmax):\n"
            "    f._unsafe_update_src(f.src.replace('axis', 'axis_').replace('input', 'other'))\n"
        )
    ],
    "an element type rewritten": [
        _script("import triton.language as tl\ntl.float32.primitive_bitwidth = 16\ntl.float16.name = 'fp32'\n")
    ],
    "a backend patched": [
        _script(
            "from triton.backends.nvidia import compiler as n\nfrom triton.backends.amd import compiler as a\n"
            "n.CUDABackend.make_ttgir = n.CUDABackend.make_ttir\na.HIPBackend.make_ttgir = a.HIPBackend.make_ttir\n"
            "n.min_dot_size = a.min_dot_size = lambda *_: (lambda *_: (1, 1, 1))\n"
        )
    ],
    "caches of Triton's functions": [
        _script(
            "import functools\nfrom triton.backends.nvidia import compiler as n\n"
            "for f in vars(n).values():\n    hasattr(f, 'cache_clear') and f.cache_clear()\n"
            "n.ptx_get_version('11.8')\nn.sm_arch_from_capability(75)\n"
        )
    ],
    "a failure in the frontend": [_script(body="nowhere")],
    "an error of a pass": [
        _script(body="tl.reshape(tl.dot(tl.reshape(x, (16, 8)).to(tl.int8), tl.reshape(x, (8, 16)).to(tl.int8)), (256,))", target="cuda:75")
    ],
    "a fatal error of LLVM": [
        _script(body=_ASSEMBLY.replace("TEXT", "x").replace("CONSTRAINTS", "=f,q"), target="cuda:80"),
        _script(body=_ASSEMBLY.replace("TEXT", "v_nonsense $0, $1").replace("CONSTRAINTS", "=v,v"), target="hip:gfx942"),
        _script(body=_ASSEMBLY.replace("TEXT", "x").replace("CONSTRAINTS", "=Z,f"), target="hip:gfx1100"),
    ],
    "an option of one target": [
        _script(options={"waves_per_eu": 4, "schedule_hint": "attention"}, target="hip:gfx942"),
        _script(options={"maxnreg": 32, "ptx_version": 75}, target="cuda:90"),
    ],
    "a stand-in for torch": [_script("import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\nimport torch\n")],
    "the interpreter's limits and hooks": [
        _script("import gc, sys\nsys.setrecursionlimit(200)\ngc.disable()\nsys.meta_path.clear()\nsys.path.clear()\n")
    ],
}  # fmt: skip
