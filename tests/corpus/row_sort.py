"""The order that sorts each row (argsort) of 16-bit floats: keys carry the position in their low half."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16",
        "kernel": "sort_rows",
        "signature": {"x_ptr": "*bf16:16", "order_ptr": "*i32:16", "rows": "i32", "columns": "i32"},
        "constexprs": {"ROWS": 4, "BLOCK": 128},
    },
]


@triton.jit
def sort_rows(x_ptr, order_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS))[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    inside = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * columns + column, mask=inside, other=float("inf"))
    bits = x.to(tl.int16, bitcast=True).to(tl.int32)
    ordered = tl.where(bits < 0, bits ^ 0x7FFF, bits)
    key = tl.sort((ordered << 16) | column, dim=1)
    tl.store(order_ptr + row * columns + column, key & 0xFFFF, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, order = fake_tensor((64, 128), "bfloat16"), fake_tensor((64, 128), "int32")
sort_rows[(16,)](x, order, 64, 128, ROWS=4, BLOCK=128)
