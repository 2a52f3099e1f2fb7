"""Low-rank adaptation: x w + scale (x a) b; two products of one loop share their operand x, and the second is multiplied once more."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "rank_16",
        "kernel": "lora_matmul",
        "signature": {
            "x_ptr": "*fp16:16", "w_ptr": "*fp16:16", "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "y_ptr": "*fp16:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16", "scale": "fp32",
        },
        "constexprs": {"RANK": 16, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def lora_matmul(
    x_ptr,
    w_ptr,
    a_ptr,
    b_ptr,
    y_ptr,
    m,
    n,
    k,
    scale,
    RANK: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    rank = tl.arange(0, RANK)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    low = tl.zeros((BLOCK_M, RANK), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        depth = start + inner
        x = tl.load(
            x_ptr + row[:, None] * k + depth[None, :],
            mask=(row[:, None] < m) & (depth[None, :] < k),
            other=0.0,
        )
        w = tl.load(
            w_ptr + depth[:, None] * n + column[None, :],
            mask=(depth[:, None] < k) & (column[None, :] < n),
            other=0.0,
        )
        a = tl.load(a_ptr + depth[:, None] * RANK + rank[None, :], mask=depth[:, None] < k, other=0.0)
        total = tl.dot(x, w, total)
        low = tl.dot(x, a, low)
    b = tl.load(b_ptr + rank[:, None] * n + column[None, :], mask=column[None, :] < n, other=0.0)
    total += scale * tl.dot(low.to(tl.float16), b)
    tl.store(
        y_ptr + row[:, None] * n + column[None, :],
        total.to(tl.float16),
        mask=(row[:, None] < m) & (column[None, :] < n),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, w, a = fake_tensor((512, 512), "float16"), fake_tensor((512, 512), "float16"), fake_tensor((512, 16), "float16")
b, y = fake_tensor((16, 512), "float16"), fake_tensor((512, 512), "float16")
lora_matmul[(8, 8)](x, w, a, b, y, 512, 512, 512, 2.0, RANK=16, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
