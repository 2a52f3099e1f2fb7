"""What a kernel tells the compiler about values: multiple_of, max_contiguous, max_constancy and assume."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "row_of_tile",
        "kernel": "double_rows",
        "signature": "*fp32:16, *fp32:16, i32, i32",
        "constexprs": {"ROWS": 16, "COLUMNS": 64},
    },
    {
        "name": "assumed",
        "kernel": "shift_right",
        "signature": "*fp16, *fp16, i32, i32",
        "constexprs": {"BLOCK": 512},
    },
]


@triton.jit
def double_rows(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Double x; columns come in multiples of 16, and rows in multiples of ROWS, at which they wrap."""
    columns = tl.multiple_of(columns, 16)
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)) % rows
    row = tl.max_contiguous(tl.multiple_of(row, ROWS), ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    element = row[:, None] * columns + column[None, :]
    # Sixteen neighbours are inside together or outside together.
    inside = tl.max_constancy(column < columns, 16)
    x = tl.load(x_ptr + element, mask=inside[None, :], other=0.0)
    tl.store(out_ptr + element, x + x, mask=inside[None, :])


@triton.jit
def shift_right(x_ptr, out_ptr, distance, n, BLOCK: tl.constexpr):
    tl.assume(distance >= 0)
    tl.assume(n > 0)
    tl.assume(distance % 16 == 0)
    x_ptr, out_ptr = tl.multiple_of(x_ptr, 16), tl.multiple_of(out_ptr, 16)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    tl.store(out_ptr + tl.multiple_of(distance, 16) + offsets, x, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((128, 256), "float32"), fake_tensor((128, 256), "float32")
double_rows[(8, 4)](x, out, 128, 256, ROWS=16, COLUMNS=64)
a, b = fake_tensor((4096,), "float16"), fake_tensor((8192,), "float16")
shift_right[(8,)](a, b, 16, 4096, BLOCK=512)
