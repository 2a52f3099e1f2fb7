"""Matrix product with weights in fp8e4b15, Triton's own 8-bit format, which has no type in MLIR."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "both",
        "kernel": "matmul_b15",
        "signature": "*fp8e4b15:16, *fp8e4b15:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32},
    },
    {
        "name": "weights",
        "kernel": "matmul_b15",
        "signature": "*fp16:16, *fp8e4b15:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32},
    },
]


@triton.jit
def matmul_b15(
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
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptr + row[:, None] * k + (start + inner)[None, :])
        b = tl.load(b_ptr + (start + inner)[:, None] * n + column[None, :])
        if a.dtype == b.dtype:
            total = tl.dot(a, b, total)
        else:
            total = tl.dot(a, b.to(tl.float16), total)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, c = fake_tensor((256, 256), "float16"), fake_tensor((256, 256), "float16")
b = fake_tensor((256, 256), "fp8e4b15")
matmul_b15[(8, 8)](a, b, c, 256, 256, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)
