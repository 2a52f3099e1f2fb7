"""tl.reduce with functions of our own: a product of one value, and Welford's mean and variance of three."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "product",
        "kernel": "row_product",
        "signature": "*fp32:16, *fp32:16, i32:16",
        "constexprs": {"ROWS": 8, "BLOCK": 64},
    },
    {
        "name": "welford",
        "kernel": "row_moments",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32",
        "constexprs": {"ROWS": 4, "BLOCK": 256},
    },
]


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def merge_moments(mean_a, squares_a, count_a, mean_b, squares_b, count_b):
    """Combine mean, sum of squared deviations and count of two disjoint parts."""
    count = count_a + count_b
    # Two empty parts must not divide zero by zero.
    weight = tl.where(count == 0.0, 0.0, count_b / count)
    distance = mean_b - mean_a
    mean = mean_a + distance * weight
    squares = squares_a + squares_b + distance * distance * count_a * weight
    return mean, squares, count


@triton.jit
def row_product(x_ptr, out_ptr, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    inside = column[None, :] < columns
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=1.0)
    tl.store(out_ptr + row, tl.reduce(x, 1, multiply))


@triton.jit
def row_moments(
    x_ptr, mean_ptr, variance_ptr, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    inside = tl.broadcast_to(column[None, :] < columns, ROWS, BLOCK)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    count = inside.to(tl.float32)
    mean, squares, count = tl.reduce((x, tl.zeros_like(x), count), 1, merge_moments)
    tl.store(mean_ptr + row, mean)
    tl.store(variance_ptr + row, squares / count)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x = fake_tensor((64, 64), "float32")
out, variance = fake_tensor((64,), "float32"), fake_tensor((64,), "float32")
row_product[(8,)](x, out, 64, ROWS=8, BLOCK=64)
row_moments[(16,)](x, out, variance, 60, ROWS=4, BLOCK=256)
