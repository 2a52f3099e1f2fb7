"""Block pointers: a matrix product that advances them, and a padded copy with checked boundaries."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "matmul",
        "kernel": "matmul_blocks",
        "signature": "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
    },
    {
        "name": "pad_with_nan",
        "kernel": "padded_copy",
        "signature": "*fp32:16, *fp32:16, i32, i32",
        "constexprs": {"PADDING": "nan", "BLOCK": 32},
    },
    {
        "name": "pad_with_zero",
        "kernel": "padded_copy",
        "signature": "*i32:16, *i32:16, i32:16, i32:16",
        "constexprs": {"PADDING": "zero", "BLOCK": 32},
    },
]


@triton.jit
def matmul_blocks(
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
    at_m, at_n = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    a_block = tl.make_block_ptr(
        a_ptr, shape=(m, k), strides=(k, 1), offsets=(at_m, 0), block_shape=(BLOCK_M, BLOCK_K), order=(1, 0)
    )
    b_block = tl.make_block_ptr(
        b_ptr, shape=(k, n), strides=(1, k), offsets=(0, at_n), block_shape=(BLOCK_K, BLOCK_N), order=(0, 1)
    )
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, k, BLOCK_K):
        a = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(a, b, total)
        a_block = tl.advance(a_block, (0, BLOCK_K))
        b_block = tl.advance(b_block, (BLOCK_K, 0))
    c_block = tl.make_block_ptr(
        c_ptr, shape=(m, n), strides=(n, 1), offsets=(at_m, at_n), block_shape=(BLOCK_M, BLOCK_N), order=(1, 0)
    )
    tl.store(c_block, total.to(tl.float16), boundary_check=(0, 1))


@triton.jit
def padded_copy(x_ptr, out_ptr, rows, columns, PADDING: tl.constexpr, BLOCK: tl.constexpr):
    """Copy the last rows and columns into a full block."""
    at_row, at_column = rows // BLOCK * BLOCK, columns // BLOCK * BLOCK
    source = tl.make_block_ptr(
        x_ptr, (rows, columns), (columns, 1), (at_row, at_column), (BLOCK, BLOCK), (1, 0)
    )
    x = tl.load(source, boundary_check=(0, 1), padding_option=PADDING)
    target = tl.make_block_ptr(out_ptr, (BLOCK, BLOCK), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    tl.store(target, x)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = (fake_tensor((256, 256), "float16") for _ in range(3))
matmul_blocks[(4, 4)](a, b, c, 256, 256, 256, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
x, out = fake_tensor((100, 70), "float32"), fake_tensor((32, 32), "float32")
padded_copy[(1,)](x, out, 100, 70, PADDING="nan", BLOCK=32)
