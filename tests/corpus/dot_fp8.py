"""Matrix product of 8-bit floats, in OCP's and in AMD's formats, with a bound on sums kept at low precision."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "e4m3",
        "kernel": "matmul_fp8",
        "signature": "*fp8e4nv:16, *fp8e4nv:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"IMPRECISE": None, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
    },
    {
        "name": "e5m2",
        "kernel": "matmul_fp8",
        "signature": "*fp8e5:16, *fp8e5:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"IMPRECISE": 32, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
    },
    {
        "name": "e4m3_times_e5m2",
        "kernel": "matmul_fp8",
        "signature": "*fp8e4nv:16, *fp8e5:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"IMPRECISE": 0, "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 64},
    },
    {
        "name": "e4m3fnuz",
        "kernel": "matmul_fp8",
        "signature": "*fp8e4b8:16, *fp8e4b8:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"IMPRECISE": None, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
    },
]


@triton.jit
def matmul_fp8(
    a_ptr,
    b_ptr,
    c_ptr,
    n,
    k,
    IMPRECISE: tl.constexpr,
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
        # b is stored transposed, the only order that Hopper's fp8 instruction takes.
        b = tl.load(b_ptr + column[None, :] * k + (start + inner)[:, None])
        total = tl.dot(a, b, total, max_num_imprecise_acc=IMPRECISE)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((512, 512), "fp8e5"), fake_tensor((512, 512), "fp8e5")
c = fake_tensor((512, 512), "float16")
matmul_fp8[(8, 8)](a, b, c, 512, 512, IMPRECISE=None, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64)
