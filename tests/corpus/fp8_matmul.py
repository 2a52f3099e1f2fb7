"""Matrix multiplication in fp8 with one scale for each row of a and each column of b, applied to the fp32 sums."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "e4m3",
        "kernel": "fp8_matmul",
        "signature": {
            "a_ptr": "*fp8e4nv:16", "b_ptr": "*fp8e4nv:16", "a_scale_ptr": "*fp32:16", "b_scale_ptr": "*fp32:16",
            "c_ptr": "*bf16:16", "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 3},
    },
    {
        "name": "e5m2",
        "kernel": "fp8_matmul",
        "signature": {
            "a_ptr": "*fp8e5:16", "b_ptr": "*fp8e5:16", "a_scale_ptr": "*fp32:16", "b_scale_ptr": "*fp32:16",
            "c_ptr": "*bf16:16", "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def fp8_matmul(
    a_ptr,
    b_ptr,
    a_scale_ptr,
    b_scale_ptr,
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
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # b is stored transposed, n × k: fp8 matrix instructions take both operands contiguous along k.
    a = a_ptr + (row % m)[:, None] * k + inner[None, :]
    b = b_ptr + (column % n)[None, :] * k + inner[:, None]
    for start in range(0, k, BLOCK_K):
        left = k - start
        a_tile = tl.load(a, mask=inner[None, :] < left, other=0.0)
        b_tile = tl.load(b, mask=inner[:, None] < left, other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a += BLOCK_K
        b += BLOCK_K
    a_scale = tl.load(a_scale_ptr + row, mask=row < m, other=0.0)
    b_scale = tl.load(b_scale_ptr + column, mask=column < n, other=0.0)
    scaled = total * a_scale[:, None] * b_scale[None, :]
    tl.store(
        c_ptr + row[:, None] * n + column[None, :],
        scaled.to(tl.bfloat16),
        mask=(row[:, None] < m) & (column[None, :] < n),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, b = fake_tensor((512, 512), "fp8e4nv"), fake_tensor((512, 512), "fp8e4nv")
a_scale, b_scale = fake_tensor((512,), "float32"), fake_tensor((512,), "float32")
c = fake_tensor((512, 512), "bfloat16")
fp8_matmul[(8, 8)](a, b, a_scale, b_scale, c, 512, 512, 512, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64)
