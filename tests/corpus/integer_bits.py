"""Bit arithmetic: shifts, masks, rotation, population count, high words of products and comparisons by sign."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "uint32",
        "kernel": "mix",
        "signature": "*u32:16, *u32:16, i32:16",
        "constexprs": {"WIDTH": 32, "BLOCK": 256},
    },
    {
        "name": "uint64",
        "kernel": "mix",
        "signature": "*u64:16, *u64:16, i32",
        "constexprs": {"WIDTH": 64, "BLOCK": 128},
    },
    {
        "name": "int16",
        "kernel": "signed_shifts",
        "signature": "*i16:16, *i16:16, *u1, i32:16",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def mix(x_ptr, out_ptr, n, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    """A multiplicative hash with rotation, and the number of bits set in it."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    multiplier = tl.full((BLOCK,), 0x9E3779B1, x.dtype)
    x ^= tl.umulhi(x, multiplier)
    x = x * multiplier
    x = (x << 13) | (x >> (WIDTH - 13))
    x = ~x & (x | 0xFF)
    bits = tl.zeros_like(x)
    for i in tl.static_range(WIDTH):
        bits += (x >> i) & 1
    tl.store(out_ptr + offsets, x + bits, mask=inside)


@triton.jit
def signed_shifts(x_ptr, out_ptr, order_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    arithmetic = x >> 3
    logical = (x.to(tl.uint16, bitcast=True) >> 3).to(tl.int16, bitcast=True)
    tl.store(out_ptr + offsets, arithmetic ^ logical ^ -x, mask=inside)
    # A negative number is above every positive one when compared as unsigned.
    above = x.to(tl.uint16, bitcast=True) > 100
    tl.store(order_ptr + offsets, above & (x < 100), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4096,), "uint32"), fake_tensor((4096,), "uint32")
mix[(16,)](x, out, 4096, WIDTH=32, BLOCK=256)
s, t = fake_tensor((4096,), "int16"), fake_tensor((4096,), "int16")
signed_shifts[(16,)](s, t, fake_tensor((4096,), "bool", align=1), 4096, BLOCK=256)
