"""Integer matrix product: int8 operands, int32 sums, rescaled to fp16 by a factor for each row."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int8",
        "kernel": "int8_matmul",
        "signature": {
            "a_ptr": "*i8:16",
            "b_ptr": "*i8:16",
            "scale_ptr": "*fp32:16",
            "c_ptr": "*fp16:16",
            "n": "i32:16",
            "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def int8_matmul(
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
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptr + row[:, None] * k + (start + inner)[None, :])
        b = tl.load(b_ptr + column[None, :] * k + (start + inner)[:, None])
        total = tl.dot(a, b, total, out_dtype=tl.int32)
    scale = tl.load(scale_ptr + row)
    scaled = total.to(tl.float32) * scale[:, None]
    tl.store(c_ptr + row[:, None] * n + column[None, :], scaled.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((512, 512), "int8"), fake_tensor((512, 512), "int8")
scale, c = fake_tensor((512,), "float32"), fake_tensor((512, 512), "float16")
int8_matmul[(8, 8)](a, b, scale, c, 512, 512, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64)
