"""Tensor descriptors made in the kernel: a matrix product by TMA, and a copy of a three-dimensional box."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "matmul",
        "kernel": "matmul_descriptors",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
    },
    {
        "name": "box",
        "kernel": "negate_box",
        "signature": "*fp32:16, i32, i32:16, i32:16",
        "constexprs": {"BLOCK": 16},
    },
]


@triton.jit
def matmul_descriptors(
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
    a_tensor = tl.make_tensor_descriptor(
        a_ptr, shape=[m, k], strides=[k, 1], block_shape=[BLOCK_M, BLOCK_K]
    )
    b_tensor = tl.make_tensor_descriptor(
        b_ptr, shape=[n, k], strides=[k, 1], block_shape=[BLOCK_N, BLOCK_K]
    )
    c_tensor = tl.make_tensor_descriptor(
        c_ptr, shape=[m, n], strides=[n, 1], block_shape=[BLOCK_M, BLOCK_N]
    )
    at_m, at_n = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for at_k in range(0, k, BLOCK_K):
        total = tl.dot(a_tensor.load([at_m, at_k]), b_tensor.load([at_n, at_k]).T, total)
    c_tensor.store([at_m, at_n], total.to(tl.float16))


@triton.jit
def negate_box(x_ptr, depth, rows, columns, BLOCK: tl.constexpr):
    x = tl.make_tensor_descriptor(
        x_ptr, [depth, rows, columns], [rows * columns, columns, 1], [2, BLOCK, BLOCK]
    )
    at = [tl.program_id(2) * 2, tl.program_id(1) * BLOCK, tl.program_id(0) * BLOCK]
    tl.store_tensor_descriptor(x, at, -tl.load_tensor_descriptor(x, at))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((256, 256), "float16") for _ in range(3))
matmul_descriptors[(4, 4)](a, b, c, 256, 256, 256, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64)
negate_box[(2, 2, 3)](fake_tensor((5, 32, 32)), 5, 32, 32, BLOCK=16)
