"""Programs that end early, functions that return from several places, and conditions on scalars and constants."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "ragged",
        "kernel": "ragged_scale",
        "signature": "*fp32:16, *i32:16, *fp32:16, i32",
        "constexprs": {"MODE": "positive", "BLOCK": 128},
    },
    {
        "name": "bias_only",
        "kernel": "ragged_scale",
        "signature": "*fp32:16, *i32:16, None, i32:16",
        "constexprs": {"MODE": None, "BLOCK": 128},
    },
]


@triton.jit
def slope(kind):
    if kind == 0:
        return 1.0
    elif kind == 1:
        return 0.5
    else:
        return 0.25


@triton.jit
def shape_value(x, MODE: tl.constexpr):
    if MODE is None:
        return x
    else:
        tl.static_assert(MODE == "positive")
        return tl.maximum(x, 0.0)


@triton.jit
def ragged_scale(x_ptr, start_ptr, bias_ptr, rows, MODE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if row >= rows:
        return
    start, end = tl.load(start_ptr + row), tl.load(start_ptr + row + 1)
    if start == end:
        return
    offsets = start + tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < end
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0) * slope(row % 3)
    if bias_ptr is not None:
        x += tl.load(bias_ptr + row)
    tl.store(x_ptr + offsets, shape_value(x, MODE), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, starts, bias = fake_tensor((10000,)), fake_tensor((101,), "int32"), fake_tensor((100,))
ragged_scale[(128, 4)](x, starts, bias, 100, MODE="positive", BLOCK=128)
