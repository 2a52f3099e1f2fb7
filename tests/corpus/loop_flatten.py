"""A loop over tiles around a loop over k, made one by flatten, and warp specialisation of the loop over k."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "flatten",
        "kernel": "matmul_tiles",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16",
        "constexprs": {"FLATTEN": True, "PROGRAMS": 8, "BLOCK": 64, "BLOCK_K": 64},
    },
    {
        "name": "nested",
        "kernel": "matmul_tiles",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16",
        "constexprs": {"FLATTEN": False, "PROGRAMS": 8, "BLOCK": 64, "BLOCK_K": 64},
    },
    {
        "name": "warp_specialized",
        "kernel": "matmul_specialized",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64},
    },
]


@triton.jit
def matmul_tiles(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    FLATTEN: tl.constexpr,
    PROGRAMS: tl.constexpr,
    BLOCK: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(n, BLOCK)
    tiles = tl.cdiv(m, BLOCK) * tiles_n
    inner = tl.arange(0, BLOCK_K)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=FLATTEN):
        row = tile // tiles_n * BLOCK + tl.arange(0, BLOCK)
        column = tile % tiles_n * BLOCK + tl.arange(0, BLOCK)
        total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
        for start in tl.range(0, k, BLOCK_K):
            a = tl.load(a_ptr + row[:, None] * k + (start + inner)[None, :])
            b = tl.load(b_ptr + column[None, :] * k + (start + inner)[:, None])
            total = tl.dot(a, b, total)
        tl.store(c_ptr + row[:, None] * n + column[None, :], total.to(tl.float16))


@triton.jit
def matmul_specialized(
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
    a_tensor = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1], [BLOCK_M, BLOCK_K])
    b_tensor = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1], [BLOCK_N, BLOCK_K])
    c_tensor = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1], [BLOCK_M, BLOCK_N])
    at_m, at_n = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for at_k in tl.range(0, k, BLOCK_K, warp_specialize=True):
        total = tl.dot(a_tensor.load([at_m, at_k]), b_tensor.load([at_n, at_k]).T, total)
    c_tensor.store([at_m, at_n], total.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((512, 512), "float16") for _ in range(3))
matmul_tiles[(8,)](a, b, c, 512, 512, 512, FLATTEN=True, PROGRAMS=8, BLOCK=64, BLOCK_K=64)
matmul_specialized[(4, 8)](a, b, c, 512, 512, 512, BLOCK_M=128, BLOCK_N=64, BLOCK_K=64)
