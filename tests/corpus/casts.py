"""Conversions between number types, by value with a chosen rounding, by pointer, and bit by bit."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32_to_fp16",
        "kernel": "convert",
        "signature": "*fp32:16, *fp16:16, i32:16",
        "constexprs": {"TO": "tl.float16", "BLOCK": 256},
    },
    {
        "name": "int64_to_bf16",
        "kernel": "convert",
        "signature": "*i64:16, *bf16:16, i32:16",
        "constexprs": {"TO": "tl.bfloat16", "BLOCK": 256},
    },
    {
        "name": "fp64_to_uint8",
        "kernel": "convert",
        "signature": "*fp64:16, *u8:16, i32",
        "constexprs": {"TO": "tl.uint8", "BLOCK": 256},
    },
    {
        "name": "bits",
        "kernel": "exponent_and_sign",
        "signature": "*fp32:16, *i16:16, *fp16:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def convert(x_ptr, out_ptr, n, TO: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    tl.store(out_ptr + offsets, x.to(TO), mask=inside)


@triton.jit
def exponent_and_sign(x_ptr, exponent_ptr, half_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    bits = x.to(tl.int32, bitcast=True)
    exponent = ((bits >> 23) & 0xFF).to(tl.int16) - 127
    tl.store(exponent_ptr + offsets, tl.where(bits < 0, -exponent, exponent), mask=inside)
    # Cutting off and rounding to nearest differ in at most the last bit.
    towards_zero = x.to(tl.float16, fp_downcast_rounding="rtz")
    nearest = x.to(tl.float16, fp_downcast_rounding="rtne")
    tl.store(half_ptr + offsets, nearest - towards_zero, mask=inside)
    words = half_ptr.to(tl.pointer_type(tl.int16), bitcast=True) + n
    tl.store(words + offsets, nearest.to(tl.int16, bitcast=True) & 0x7FFF, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, half = fake_tensor((4096,), "float32"), fake_tensor((8192,), "float16")
convert[(16,)](x, half, 4096, TO=tl.float16, BLOCK=256)
exponent_and_sign[(16,)](x, fake_tensor((4096,), "int16"), half, 4096, BLOCK=256)
