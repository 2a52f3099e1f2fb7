"""Tensor descriptors made on the host and passed as arguments, from a written signature and from a launch."""

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

SPECIALISATIONS = [
    {
        "name": "written",
        "kernel": "scale_tiles",
        "signature": {
            "x": "tensordesc<bf16[32, 64]>",
            "out": "tensordesc<bf16[32, 64]>",
            "factor": "fp32",
        },
        "constexprs": {"ROWS": 32, "COLUMNS": 64},
    },
    {
        "name": "launched",
        "kernel": "matmul_host",
        "options": {"num_stages": 3},
    },
]


@triton.jit
def scale_tiles(x, out, factor, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    tile = x.load(at).to(tl.float32) * factor
    out.store(at, tile.to(tl.bfloat16))


@triton.jit
def matmul_host(
    a, b, c, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    at_m, at_n = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for at_k in range(0, k, BLOCK_K):
        total = tl.dot(a.load([at_m, at_k]), b.load([at_k, at_n]), total)
    c.store([at_m, at_n], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((512, 512), "float16") for _ in range(3))
matmul_host[(4, 8)](
    TensorDescriptor.from_tensor(a, [128, 64]),
    TensorDescriptor.from_tensor(b, [64, 64]),
    TensorDescriptor.from_tensor(c, [128, 64]),
    512, BLOCK_M=128, BLOCK_N=64, BLOCK_K=64,
)
