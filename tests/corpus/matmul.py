"""Matrix multiplication in fp16 with fp32 sums, software-pipelined."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16_three_stages",
        "kernel": "matmul",
        "signature": {
            "a_ptr": "*fp16:16",
            "b_ptr": "*fp16:16",
            "c_ptr": "*fp16:16",
            "m": "i32:16",
            "n": "i32:16",
            "k": "i32:16",
            "a_stride_m": "i32:16",
            "a_stride_k": "i32:1",
            "b_stride_k": "i32:16",
            "b_stride_n": "i32:1",
            "c_stride_m": "i32:16",
            "c_stride_n": "i32:1",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP_M": 8},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def tile_of(program, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """Walk the tiles in groups of rows, so that neighbours in time share columns of b in the cache."""
    group_size = GROUP_M * tiles_n
    first_m = program // group_size * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)
    within = program % group_size
    return first_m + within % rows, within // rows


@triton.jit
def matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    a_stride_m,
    a_stride_k,
    b_stride_k,
    b_stride_n,
    c_stride_m,
    c_stride_n,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    tile_m, tile_n = tile_of(tl.program_id(0), tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), GROUP_M)
    row = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a = a_ptr + (row % m)[:, None] * a_stride_m + inner[None, :] * a_stride_k
    b = b_ptr + inner[:, None] * b_stride_k + (column % n)[None, :] * b_stride_n
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(tl.cdiv(k, BLOCK_K)):
        left = k - step * BLOCK_K
        a_tile = tl.load(a, mask=inner[None, :] < left, other=0.0)
        b_tile = tl.load(b, mask=inner[:, None] < left, other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a += BLOCK_K * a_stride_k
        b += BLOCK_K * b_stride_k
    c = c_ptr + row[:, None] * c_stride_m + column[None, :] * c_stride_n
    tl.store(c, total.to(tl.float16), mask=(row[:, None] < m) & (column[None, :] < n))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((1024, 1024), "float16") for _ in range(3))
blocks = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP_M": 8}
matmul[(256,)](a, b, c, 1024, 1024, 1024, 1024, 1, 1024, 1, 1024, 1, **blocks, num_stages=3)
