"""Sums along each axis, over all axes, with kept dimensions and with a wider result type."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "sums",
        "signature": "*fp16:16, *fp32:16, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"OUT": "tl.float32", "ROWS": 32, "COLUMNS": 64},
    },
    {
        "name": "int8",
        "kernel": "sums",
        "signature": "*i8:16, *i32:16, *i32:16, *i32:16, i32",
        "constexprs": {"OUT": "tl.int32", "ROWS": 16, "COLUMNS": 128},
        "options": {"num_warps": 8},
    },
]


@triton.jit
def sums(
    x_ptr,
    row_ptr,
    column_ptr,
    total_ptr,
    row_stride,
    OUT: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + row[:, None] * row_stride + column[None, :])
    by_row = tl.sum(x, axis=1, keep_dims=True, dtype=OUT)
    tl.store(row_ptr + row[:, None], by_row)
    tl.store(column_ptr + column, tl.sum(x, axis=0, dtype=OUT))
    tl.store(total_ptr, tl.sum(x, dtype=OUT))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x = fake_tensor((32, 64), "float16")
by_row, by_column, total = (fake_tensor((size,), "float32") for size in (32, 64, 1))
sums[(1,)](x, by_row, by_column, total, 64, OUT=tl.float32, ROWS=32, COLUMNS=64)
