"""Masked loads with every kind of replacement: none, a constant, a scalar, a block; by scalar and 2-D pointers."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "masked",
        "signature": "*fp16:16, *fp16:16, *fp32:16, fp32, i32:16",
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "int8_unaligned",
        "kernel": "masked",
        "signature": "*i8, *i8, *i32, i32, i32",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "bool",
        "kernel": "select_rows",
        "signature": "*u1, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"ROWS": 16, "COLUMNS": 64},
    },
]


@triton.jit
def masked(x_ptr, y_ptr, out_ptr, fill, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside, even = offsets < n, offsets % 2 == 0
    constant = tl.load(x_ptr + offsets, mask=inside & even, other=1)
    scalar = tl.load(x_ptr + offsets, mask=inside & ~even, other=fill)
    block = tl.load(y_ptr + offsets, mask=inside, other=constant)
    first = tl.load(y_ptr, mask=n > 0, other=0)
    total = constant.to(tl.float32) + scalar.to(tl.float32) + block.to(tl.float32) + first
    tl.store(out_ptr + offsets, total, mask=inside)


@triton.jit
def select_rows(keep_ptr, x_ptr, out_ptr, row_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    keep = tl.load(keep_ptr + row)
    element = row[:, None] * row_stride + column[None, :]
    x = tl.load(x_ptr + element, mask=keep[:, None], other=float("nan"))
    tl.store(out_ptr + element, x)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = fake_tensor(4096, "float16"), fake_tensor(4096, "float16"), fake_tensor(4096)
masked[(8,)](x, y, out, 0.5, 4096, BLOCK=512)
keep, rows, kept = fake_tensor(16, "bool", align=1), fake_tensor((16, 64)), fake_tensor((16, 64))
select_rows[(1,)](keep, rows, kept, 64, ROWS=16, COLUMNS=64)
