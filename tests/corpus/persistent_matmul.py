"""Persistent matrix multiplication: as many programs as fit the GPU, each walks over many tiles; by pointers, and by descriptors made on the device."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "pointers",
        "kernel": "persistent_matmul",
        "signature": {
            "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "c_ptr": "*fp16:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP_M": 8},
        "options": {"num_warps": 4, "num_stages": 3},
    },
    {
        "name": "descriptors",
        "kernel": "descriptor_matmul",
        "signature": {
            "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "c_ptr": "*fp16:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64, "GROUP_M": 8},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def persistent_matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        tile_m, tile_n = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP_M)
        row = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
        column = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for step in range(tl.cdiv(k, BLOCK_K)):
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
        tl.store(
            c_ptr + row[:, None] * n + column[None, :],
            total.to(tl.float16),
            mask=(row[:, None] < m) & (column[None, :] < n),
        )


@triton.jit
def descriptor_matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    # b is stored transposed, n × k, so that both operands are contiguous along k.
    a_tiles = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1], [BLOCK_M, BLOCK_K])
    b_tiles = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1], [BLOCK_N, BLOCK_K])
    c_tiles = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1], [BLOCK_M, BLOCK_N])
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    for tile in range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0)):
        tile_m, tile_n = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP_M)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, k, BLOCK_K):
            a = a_tiles.load([tile_m * BLOCK_M, start])
            b = b_tiles.load([tile_n * BLOCK_N, start])
            total = tl.dot(a, b.T, total)
        c_tiles.store([tile_m * BLOCK_M, tile_n * BLOCK_N], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((1024, 1024), "float16") for _ in range(3))
blocks = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP_M": 8}
persistent_matmul[(132,)](a, b, c, 1024, 1024, 1024, **blocks, num_stages=3)
