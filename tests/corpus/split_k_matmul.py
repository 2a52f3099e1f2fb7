"""Split-K matrix multiplication in bf16: programs share the inner dimension and add their parts with atomics."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16",
        "kernel": "split_k_matmul",
        "signature": {
            "a_ptr": "*bf16:16", "b_ptr": "*bf16:16", "c_ptr": "*fp32:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64, "SPLITS": 8},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def split_k_matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    SPLITS: tl.constexpr,
):
    tiles_n = tl.cdiv(n, BLOCK_N)
    row = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(tl.program_id(1) * BLOCK_K, k, SPLITS * BLOCK_K):
        depth = start + inner
        a = tl.load(
            a_ptr + row[:, None] * k + depth[None, :],
            mask=(row[:, None] < m) & (depth[None, :] < k),
            other=0.0,
        )
        b = tl.load(
            b_ptr + depth[:, None] * n + column[None, :],
            mask=(depth[:, None] < k) & (column[None, :] < n),
            other=0.0,
        )
        total = tl.dot(a, b, total)
    tl.atomic_add(
        c_ptr + row[:, None] * n + column[None, :],
        total,
        mask=(row[:, None] < m) & (column[None, :] < n),
        sem="relaxed",
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, b, c = fake_tensor((64, 8192), "bf16"), fake_tensor((8192, 64), "bf16"), fake_tensor((64, 64), "fp32")
split_k_matmul[(1, 16)](a, b, c, 64, 64, 8192, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, SPLITS=16)
