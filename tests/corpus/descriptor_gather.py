"""Rows picked by index through a tensor descriptor and scattered to others: Blackwell's TMA gather4 and scatter4."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "move_rows",
        "signature": "*fp16:16, *i32:16, *fp16:16, *i32:16, i32:16, i32:16",
        "constexprs": {"ROWS": 32, "COLUMNS": 64},
    },
]


@triton.jit
def move_rows(
    x_ptr, from_ptr, out_ptr, to_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):
    x = tl.make_tensor_descriptor(x_ptr, [rows, columns], [columns, 1], [1, COLUMNS])
    out = tl.make_tensor_descriptor(out_ptr, [rows, columns], [columns, 1], [1, COLUMNS])
    entry = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at_column = tl.program_id(1) * COLUMNS
    tile = x.gather(tl.load(from_ptr + entry), at_column)
    out.scatter(tile, tl.load(to_ptr + entry), at_column)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((128, 128), "float16"), fake_tensor((128, 128), "float16")
origins, destinations = fake_tensor((64,), "int32"), fake_tensor((64,), "int32")
move_rows[(2, 2)](x, origins, out, destinations, 128, 128, ROWS=32, COLUMNS=64)
