"""Matrix product in bf16 with an epilogue: bias by column, then ReLU, rounded back to bf16; edges are masked."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "aligned",
        "kernel": "matmul_bias_relu",
        "signature": "*bf16:16, *bf16:16, *bf16:16, *bf16:16, i32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
    },
    {
        "name": "odd_sizes",
        "kernel": "matmul_bias_relu",
        "signature": "*bf16:16, *bf16:16, *bf16:16, *bf16:16, i32, i32, i32",
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 64},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def matmul_bias_relu(
    a_ptr,
    b_ptr,
    bias_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    row_inside, column_inside = row < m, column < n
    a_tile = a_ptr + row[:, None] * k + inner[None, :]
    b_tile = b_ptr + inner[:, None] * n + column[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        left = k - start
        a = tl.load(a_tile, mask=row_inside[:, None] & (inner[None, :] < left), other=0.0)
        b = tl.load(b_tile, mask=column_inside[None, :] & (inner[:, None] < left), other=0.0)
        total = tl.dot(a, b, total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * n
    bias = tl.load(bias_ptr + column, mask=column_inside, other=0.0)
    c = tl.maximum(total + bias[None, :].to(tl.float32), 0.0)
    inside = row_inside[:, None] & column_inside[None, :]
    tl.store(c_ptr + row[:, None] * n + column[None, :], c.to(tl.bfloat16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((512, 512), "bfloat16") for _ in range(3))
bias = fake_tensor((512,), "bfloat16")
matmul_bias_relu[(8, 8)](a, b, bias, c, 512, 512, 512, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
