"""Stream-K matrix multiplication: every program takes an equal run of inner steps, which may begin and end amid tiles."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "stream_k_matmul",
        "signature": {
            "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "c_ptr": "*fp32:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def stream_k_matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    steps = tl.cdiv(k, BLOCK_K)
    tiles_n = tl.cdiv(n, BLOCK_N)
    all_steps = tl.cdiv(m, BLOCK_M) * tiles_n * steps
    share = tl.cdiv(all_steps, tl.num_programs(0))
    position = tl.program_id(0) * share
    end = tl.minimum(position + share, all_steps)
    inner = tl.arange(0, BLOCK_K)
    while position < end:
        tile = position // steps
        first = position % steps
        last = tl.minimum(steps, first + end - position)
        row = tile // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
        column = tile % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for step in range(first, last):
            depth = step * BLOCK_K + inner
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
        c = c_ptr + row[:, None] * n + column[None, :]
        inside = (row[:, None] < m) & (column[None, :] < n)
        # A tile of one program alone is stored; parts of a shared one are added to c, which starts as zero.
        if last - first == steps:
            tl.store(c, total, mask=inside)
        else:
            tl.atomic_add(c, total, mask=inside, sem="relaxed")
        position += last - first


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, b, c = fake_tensor((1024, 1024), "float16"), fake_tensor((1024, 1024), "float16"), fake_tensor((1024, 1024), "float32")
stream_k_matmul[(132,)](a, b, c, 1024, 1024, 1024, BLOCK_M=128, BLOCK_N=64, BLOCK_K=32)
