"""Matrix product of fp16 activations and int8 weights, which are widened in registers before the dot."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int8_weights",
        "kernel": "matmul_mixed",
        "signature": "*fp16:16, *i8:16, *fp16:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
    },
]


@triton.jit
def matmul_mixed(
    a_ptr,
    b_ptr,
    scale_ptr,
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
        b = tl.load(b_tile).to(tl.float16)
        total = tl.dot(tl.load(a_tile), b, total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * n
    # The scale belongs to a whole column, so it can wait until after the sum.
    scale = tl.load(scale_ptr + column).to(tl.float32)
    tl.store(c_ptr + row[:, None] * n + column[None, :], (total * scale[None, :]).to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((256, 256), "float16"), fake_tensor((256, 256), "int8")
scale, c = fake_tensor((256,), "float16"), fake_tensor((256, 256), "float16")
matmul_mixed[(4, 4)](a, b, scale, c, 256, 256, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64)
