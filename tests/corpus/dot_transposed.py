"""Matrix product with operands transposed after loading: aᵀ b and a bᵀ, by .T and by tl.trans."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "a",
        "kernel": "matmul_transposed",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16",
        "constexprs": {
            "TRANSPOSE_A": True,
            "TRANSPOSE_B": False,
            "BLOCK_M": 64,
            "BLOCK_N": 64,
            "BLOCK_K": 32,
        },
    },
    {
        "name": "b",
        "kernel": "matmul_transposed",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16",
        "constexprs": {
            "TRANSPOSE_A": False,
            "TRANSPOSE_B": True,
            "BLOCK_M": 64,
            "BLOCK_N": 64,
            "BLOCK_K": 32,
        },
    },
]


@triton.jit
def matmul_transposed(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    TRANSPOSE_A: tl.constexpr,
    TRANSPOSE_B: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        depth = start + inner
        if TRANSPOSE_A:
            a = tl.load(a_ptr + depth[:, None] * m + row[None, :]).T
        else:
            a = tl.load(a_ptr + row[:, None] * k + depth[None, :])
        if TRANSPOSE_B:
            b = tl.trans(tl.load(b_ptr + column[:, None] * k + depth[None, :]))
        else:
            b = tl.load(b_ptr + depth[:, None] * n + column[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((256, 256), "float16"), fake_tensor((256, 256), "float16")
c = fake_tensor((256, 256), "float32")
matmul_transposed[(4, 4)](
    a, b, c, 256, 256, 256,
    TRANSPOSE_A=True, TRANSPOSE_B=False, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32,
)
