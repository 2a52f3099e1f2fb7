"""Matrix product over tiles of 256 columns by eight warps, as for compute-bound sizes."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "eight_warps",
        "kernel": "matmul_large",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 256, "BLOCK_K": 32},
        "options": {"num_warps": 8, "num_stages": 3},
    },
]


@triton.jit
def matmul_large(
    a_ptr,
    b_ptr,
    c_ptr,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + row[:, None] * k + inner[None, :]
    b_tile = b_ptr + inner[:, None] * n + column[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, k, BLOCK_K):
        total = tl.dot(tl.load(a_tile), tl.load(b_tile), total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * n
    tl.store(c_ptr + row[:, None] * n + column[None, :], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((1024, 1024), "float16") for _ in range(3))
matmul_large[(16, 4)](a, b, c, 1024, 1024, BLOCK_M=64, BLOCK_N=256, BLOCK_K=32, num_warps=8)
