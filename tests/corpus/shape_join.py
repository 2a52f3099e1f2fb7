"""Blocks put together and taken apart: cat, join, split and interleave."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "complex",
        "kernel": "multiply_complex",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "concatenate",
        "kernel": "concatenate",
        "signature": "*i32:16, *i32:16, *i32:16",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "unpack_int4",
        "kernel": "unpack",
        "signature": "*i8:16, *fp16:16, i32:16",
        "constexprs": {"ROWS": 16, "BYTES": 32},
    },
]


@triton.jit
def multiply_complex(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Multiply complex numbers that are stored as pairs, real part first."""
    offsets = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    inside = offsets < 2 * n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    y = tl.load(y_ptr + offsets, mask=inside, other=0.0)
    a, b = tl.split(tl.reshape(x, (BLOCK, 2)))
    c, d = tl.split(tl.reshape(y, (BLOCK, 2)))
    out = tl.join(a * c - b * d, a * d + b * c)
    tl.store(out_ptr + offsets, tl.reshape(out, (2 * BLOCK,)), mask=inside)


@triton.jit
def concatenate(x_ptr, y_ptr, total_ptr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    # cat is free to reorder, so only a sum may look at its result.
    both = tl.cat(tl.load(x_ptr + lane), tl.load(y_ptr + lane), can_reorder=True)
    tl.store(total_ptr, tl.sum(both, axis=0))


@triton.jit
def unpack(packed_ptr, out_ptr, row_stride, ROWS: tl.constexpr, BYTES: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    packed = tl.load(packed_ptr + row[:, None] * row_stride + tl.arange(0, BYTES)[None, :])
    # Shifting left first brings the sign of the low half into place.
    low, high = (packed << 4) >> 4, packed >> 4
    values = tl.interleave(low.to(tl.float16), high.to(tl.float16))
    column = tl.arange(0, 2 * BYTES)
    tl.store(out_ptr + row[:, None] * (2 * row_stride) + column[None, :], values)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = (fake_tensor((1000, 2), "float32") for _ in range(3))
multiply_complex[(8,)](x, y, out, 1000, BLOCK=128)
i, j, total = (fake_tensor((size,), "int32") for size in (128, 128, 1))
concatenate[(1,)](i, j, total, BLOCK=128)
unpack[(4,)](fake_tensor((64, 32), "int8"), fake_tensor((64, 64), "fp16"), 32, ROWS=16, BYTES=32)
