"""Microscaled matrix product: a shared exponent for every 32 elements along k, elements of 4, 8 or 16 bits."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "mxfp8",
        "kernel": "scaled_matmul",
        "signature": "*u8:16, *u8:16, *u8:16, *u8:16, *fp32:16, i32:16, i32:16",
        "constexprs": {
            "A_FORMAT": "e4m3",
            "B_FORMAT": "e5m2",
            "BLOCK_M": 128,
            "BLOCK_N": 64,
            "BLOCK_K": 64,
        },
    },
    {
        "name": "mxfp4",
        "kernel": "scaled_matmul",
        "signature": "*u8:16, *u8:16, *u8:16, *u8:16, *fp32:16, i32:16, i32:16",
        "constexprs": {
            "A_FORMAT": "e2m1",
            "B_FORMAT": "e2m1",
            "BLOCK_M": 64,
            "BLOCK_N": 64,
            "BLOCK_K": 128,
        },
    },
    {
        "name": "bf16_times_mxfp4",
        "kernel": "scaled_matmul",
        "signature": "*bf16:16, *u8:16, *u8:16, *u8:16, *fp32:16, i32:16, i32:16",
        "constexprs": {
            "A_FORMAT": "bf16",
            "B_FORMAT": "e2m1",
            "BLOCK_M": 64,
            "BLOCK_N": 64,
            "BLOCK_K": 64,
        },
    },
]


@triton.jit
def scaled_matmul(
    a_ptr,
    a_scale_ptr,
    b_ptr,
    b_scale_ptr,
    c_ptr,
    n,
    k,
    A_FORMAT: tl.constexpr,
    B_FORMAT: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # Two 4-bit elements share a byte.
    A_PACK: tl.constexpr = 2 if A_FORMAT == "e2m1" else 1
    B_PACK: tl.constexpr = 2 if B_FORMAT == "e2m1" else 1
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    a_inner = tl.arange(0, BLOCK_K // A_PACK)
    b_inner = tl.arange(0, BLOCK_K // B_PACK)
    group = tl.arange(0, BLOCK_K // 32)
    a_tile = a_ptr + row[:, None] * (k // A_PACK) + a_inner[None, :]
    b_tile = b_ptr + b_inner[:, None] * n + column[None, :]
    a_scale_tile = a_scale_ptr + row[:, None] * (k // 32) + group[None, :]
    b_scale_tile = b_scale_ptr + column[:, None] * (k // 32) + group[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, k, BLOCK_K):
        a = tl.load(a_tile)
        b = tl.load(b_tile)
        b_scale = tl.load(b_scale_tile)
        if A_FORMAT == "bf16":
            total = tl.dot_scaled(a, None, A_FORMAT, b, b_scale, B_FORMAT, total)
        else:
            a_scale = tl.load(a_scale_tile)
            total = tl.dot_scaled(a, a_scale, A_FORMAT, b, b_scale, B_FORMAT, total)
        a_tile += BLOCK_K // A_PACK
        b_tile += BLOCK_K // B_PACK * n
        a_scale_tile += BLOCK_K // 32
        b_scale_tile += BLOCK_K // 32
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((256, 256), "uint8"), fake_tensor((256, 256), "uint8")
a_scale, b_scale = fake_tensor((256, 8), "uint8"), fake_tensor((256, 8), "uint8")
c = fake_tensor((256, 256), "float32")
scaled_matmul[(2, 4)](
    a, a_scale, b, b_scale, c, 256, 256,
    A_FORMAT="e4m3", B_FORMAT="e5m2", BLOCK_M=128, BLOCK_N=64, BLOCK_K=64,
)
