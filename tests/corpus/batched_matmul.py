"""Batched matrix multiplication in bf16: one grid axis for the batch, strides for every axis, 64-bit offsets."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "row_major",
        "kernel": "batched_matmul",
        "signature": {
            "a_ptr": "*bf16:16", "b_ptr": "*bf16:16", "c_ptr": "*fp32:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16",
            "a_stride_batch": "i64:16", "a_stride_m": "i32:16", "a_stride_k": "i32:1",
            "b_stride_batch": "i64:16", "b_stride_k": "i32:16", "b_stride_n": "i32:1",
            "c_stride_batch": "i64:16", "c_stride_m": "i32:16", "c_stride_n": "i32:1",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
    {
        "name": "any_strides",
        "kernel": "batched_matmul",
        "signature": {
            "a_ptr": "*bf16", "b_ptr": "*bf16", "c_ptr": "*fp32",
            "m": "i32", "n": "i32", "k": "i32",
            "a_stride_batch": "i64", "a_stride_m": "i32", "a_stride_k": "i32",
            "b_stride_batch": "i64", "b_stride_k": "i32", "b_stride_n": "i32",
            "c_stride_batch": "i64", "c_stride_m": "i32", "c_stride_n": "i32",
        },
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 2, "num_stages": 2},
    },
]


@triton.jit
def batched_matmul(
    a_ptr,
    b_ptr,
    c_ptr,
    m,
    n,
    k,
    a_stride_batch,
    a_stride_m,
    a_stride_k,
    b_stride_batch,
    b_stride_k,
    b_stride_n,
    c_stride_batch,
    c_stride_m,
    c_stride_n,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    tiles_n = tl.cdiv(n, BLOCK_N)
    batch = tl.program_id(1).to(tl.int64)
    row = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a = a_ptr + batch * a_stride_batch + row[:, None] * a_stride_m + inner[None, :] * a_stride_k
    b = b_ptr + batch * b_stride_batch + inner[:, None] * b_stride_k + column[None, :] * b_stride_n
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        depth = start + inner
        a_tile = tl.load(a, mask=(row[:, None] < m) & (depth[None, :] < k), other=0.0)
        b_tile = tl.load(b, mask=(depth[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a += BLOCK_K * a_stride_k
        b += BLOCK_K * b_stride_k
    c = c_ptr + batch * c_stride_batch + row[:, None] * c_stride_m + column[None, :] * c_stride_n
    tl.store(c, total, mask=(row[:, None] < m) & (column[None, :] < n))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, b = (fake_tensor((8, 256, 256), "bfloat16") for _ in range(2))
c = fake_tensor((8, 256, 256), "float32")
strides = (65536, 256, 1, 65536, 256, 1, 65536, 256, 1)
batched_matmul[(16, 8)](a, b, c, 256, 256, 256, *strides, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
