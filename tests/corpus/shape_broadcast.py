"""Blocks of different rank brought together: expand_dims, broadcast_to, broadcast and implicit rules."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "outer",
        "kernel": "outer_sum",
        "signature": "*fp32:16, *fp32:16, fp32, *fp32:16, i32:16",
        "constexprs": {"ROWS": 32, "COLUMNS": 64},
    },
    {
        "name": "cube",
        "kernel": "distance_table",
        "signature": "*fp32:16, *fp32:16, *fp32:16",
        "constexprs": {"POINTS": 16, "DIMENSIONS": 4},
    },
]


@triton.jit
def outer_sum(
    x_ptr, y_ptr, scale, out_ptr, row_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    x = tl.broadcast_to(tl.expand_dims(tl.load(x_ptr + row), 1), (ROWS, COLUMNS))
    y, ones = tl.broadcast(tl.load(y_ptr + column)[None, :], tl.full((ROWS, 1), 1.0, tl.float32))
    tl.store(out_ptr + row[:, None] * row_stride + column[None, :], (x + y * ones) * scale)


@triton.jit
def distance_table(x_ptr, y_ptr, out_ptr, POINTS: tl.constexpr, DIMENSIONS: tl.constexpr):
    """Squared distances between all points of x and all of y."""
    point, axis = tl.arange(0, POINTS), tl.arange(0, DIMENSIONS)
    element = point[:, None] * DIMENSIONS + axis[None, :]
    x, y = tl.load(x_ptr + element), tl.load(y_ptr + element)
    difference = x[:, None, :] - y[None, :, :]
    squared = tl.sum(difference * difference, axis=2)
    tl.store(out_ptr + point[:, None] * POINTS + point[None, :], squared)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = fake_tensor((32,)), fake_tensor((64,)), fake_tensor((32, 64))
outer_sum[(1,)](x, y, 0.5, out, 64, ROWS=32, COLUMNS=64)
points, table = fake_tensor((16, 4)), fake_tensor((16, 16))
distance_table[(1,)](points, points, table, POINTS=16, DIMENSIONS=4)
