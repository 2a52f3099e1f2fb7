"""Matrix product of fp32 operands at each input precision: TF32, three TF32 products, and IEEE fp32."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "tf32",
        "kernel": "matmul_fp32",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"PRECISION": "tf32", "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
    },
    {
        "name": "tf32x3",
        "kernel": "matmul_fp32",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"PRECISION": "tf32x3", "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32},
    },
    {
        "name": "ieee",
        "kernel": "matmul_fp32",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"PRECISION": "ieee", "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 16},
    },
]


@triton.jit
def matmul_fp32(
    a_ptr,
    b_ptr,
    c_ptr,
    n,
    k,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptr + row[:, None] * k + (start + inner)[None, :])
        b = tl.load(b_ptr + (start + inner)[:, None] * n + column[None, :])
        total = tl.dot(a, b, total, input_precision=PRECISION)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((256, 256), "float32") for _ in range(3))
matmul_fp32[(4, 4)](a, b, c, 256, 256, PRECISION="tf32", BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
