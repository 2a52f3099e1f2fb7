"""Maximum and minimum of a row with their positions; among equals the leftmost, or any for speed."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "leftmost",
        "kernel": "extrema",
        "signature": "*fp32:16, *fp32:16, *i32:16, *fp32:16, *i32:16, i32:16",
        "constexprs": {"LEFTMOST": True, "BLOCK": 512},
    },
    {
        "name": "any_int16",
        "kernel": "extrema",
        "signature": "*i16:16, *i32:16, *i32:16, *i32:16, *i32:16, i32",
        "constexprs": {"LEFTMOST": False, "BLOCK": 256},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def extrema(
    x_ptr,
    highest_ptr,
    highest_at_ptr,
    lowest_ptr,
    lowest_at_ptr,
    row_stride,
    LEFTMOST: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * row_stride + tl.arange(0, BLOCK))
    highest, highest_at = tl.max(
        x, axis=0, return_indices=True, return_indices_tie_break_left=LEFTMOST
    )
    tl.store(highest_ptr + row, highest)
    tl.store(highest_at_ptr + row, highest_at)
    tl.store(lowest_ptr + row, tl.min(x, axis=0))
    tl.store(lowest_at_ptr + row, tl.argmin(x, axis=0, tie_break_left=LEFTMOST))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x = fake_tensor((64, 512), "float32")
highest, lowest = fake_tensor((64,), "float32"), fake_tensor((64,), "float32")
highest_at, lowest_at = fake_tensor((64,), "int32"), fake_tensor((64,), "int32")
extrema[(64,)](x, highest, highest_at, lowest, lowest_at, 512, LEFTMOST=True, BLOCK=512)
