"""tl.gather: elements of a block picked by computed positions, along either axis."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "rows",
        "kernel": "pick",
        "signature": "*fp32:16, *i32:16, *fp32:16",
        "constexprs": {"AXIS": 0, "ROWS": 64, "COLUMNS": 32, "TAKEN": 16},
    },
    {
        "name": "columns",
        "kernel": "pick",
        "signature": "*fp16:16, *i64:16, *fp16:16",
        "constexprs": {"AXIS": 1, "ROWS": 16, "COLUMNS": 64, "TAKEN": 32},
    },
    {
        "name": "in_a_warp",
        "kernel": "permute_lanes",
        "signature": "*i32:16, *i32:16, *i32:16",
        "constexprs": {"BLOCK": 32},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def pick(
    x_ptr,
    at_ptr,
    out_ptr,
    AXIS: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    TAKEN: tl.constexpr,
):
    row, column, taken = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, TAKEN)
    x = tl.load(x_ptr + row[:, None] * COLUMNS + column[None, :])
    if AXIS == 0:
        element = taken[:, None] * COLUMNS + column[None, :]
    else:
        element = row[:, None] * TAKEN + taken[None, :]
    tl.store(out_ptr + element, tl.gather(x, tl.load(at_ptr + element), AXIS))


@triton.jit
def permute_lanes(x_ptr, at_ptr, out_ptr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    tl.store(out_ptr + lane, tl.load(x_ptr + lane).gather(tl.load(at_ptr + lane), 0))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, at, out = fake_tensor((64, 32)), fake_tensor((16, 32), "int32"), fake_tensor((16, 32))
pick[(1,)](x, at, out, AXIS=0, ROWS=64, COLUMNS=32, TAKEN=16)
lanes = fake_tensor((32,), "int32")
permute_lanes[(1,)](lanes, lanes, lanes, BLOCK=32, num_warps=1)
