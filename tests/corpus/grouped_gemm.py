"""Grouped matrix multiplication: independent products of different sizes in one launch, their addresses read from memory."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "grouped_matmul",
        "signature": {"addresses_ptr": "*i64:16", "sizes_ptr": "*i32:16", "groups": "i32"},
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def grouped_matmul(
    addresses_ptr,
    sizes_ptr,
    groups,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    tile = tl.program_id(0)
    first = 0
    inner = tl.arange(0, BLOCK_K)
    for group in range(groups):
        m = tl.load(sizes_ptr + group * 3)
        n = tl.load(sizes_ptr + group * 3 + 1)
        k = tl.load(sizes_ptr + group * 3 + 2)
        # A table of three rows: the addresses of all a, of all b, of all c.
        a_ptr = tl.load(addresses_ptr + group).to(tl.pointer_type(tl.float16))
        b_ptr = tl.load(addresses_ptr + groups + group).to(tl.pointer_type(tl.float16))
        c_ptr = tl.load(addresses_ptr + groups * 2 + group).to(tl.pointer_type(tl.float16))
        tiles_n = tl.cdiv(n, BLOCK_N)
        tiles = tl.cdiv(m, BLOCK_M) * tiles_n
        while tile < first + tiles:
            row = (tile - first) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
            column = (tile - first) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
            total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for start in range(0, k, BLOCK_K):
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
            tl.store(
                c_ptr + row[:, None] * n + column[None, :],
                total.to(tl.float16),
                mask=(row[:, None] < m) & (column[None, :] < n),
            )
            tile += tl.num_programs(0)
        first += tiles


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
addresses, sizes = fake_tensor((3, 4), "int64"), fake_tensor((4, 3), "int32")
grouped_matmul[(132,)](addresses, sizes, 4, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
