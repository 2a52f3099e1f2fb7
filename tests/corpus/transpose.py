"""Transposing copy of a matrix by tiles, contiguous in memory on both sides."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "transpose",
        "signature": {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "rows": "i32", "columns": "i32:16"},
        "constexprs": {"BLOCK": 64},
    },
    {
        "name": "int8",
        "kernel": "transpose",
        "signature": {"x_ptr": "*i8:16", "out_ptr": "*i8:16", "rows": "i32:16", "columns": "i32:16"},
        "constexprs": {"BLOCK": 128},
        "options": {"num_warps": 8},
    },
]


@triton.jit
def transpose(x_ptr, out_ptr, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(
        x_ptr + row[:, None] * columns + column[None, :],
        mask=(row[:, None] < rows) & (column[None, :] < columns),
    )
    tl.store(
        out_ptr + column[:, None] * rows + row[None, :],
        tile.T,
        mask=(column[:, None] < columns) & (row[None, :] < rows),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((1000, 512), "float32"), fake_tensor((512, 1000), "float32")
transpose[(16, 8)](x, out, 1000, 512, BLOCK=64)
