"""One matrix product at several depths of software pipelining and numbers of warps."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "one_stage_one_warp",
        "kernel": "matmul_pipelined",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 16, "BLOCK_N": 32, "BLOCK_K": 32},
        "options": {"num_warps": 1, "num_stages": 1},
    },
    {
        "name": "two_stages_four_warps",
        "kernel": "matmul_pipelined",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
    {
        "name": "four_stages_eight_warps",
        "kernel": "matmul_pipelined",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 8, "num_stages": 4},
    },
]


@triton.jit
def matmul_pipelined(
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
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((512, 512), "float16"), fake_tensor((512, 512), "float16")
c = fake_tensor((512, 512), "float32")
matmul_pipelined[(4, 8)](
    a, b, c, 512, 512, BLOCK_M=128, BLOCK_N=64, BLOCK_K=32, num_warps=8, num_stages=4
)
