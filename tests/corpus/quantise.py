"""Quantisation by block to int8 and fp8 with one scale a block, and back."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int8",
        "kernel": "quantise_int8",
        "signature": {"x_ptr": "*bf16:16", "out_ptr": "*i8:16", "scale_ptr": "*fp32:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "e4m3",
        "kernel": "quantise_fp8",
        "signature": {
            "x_ptr": "*bf16:16", "out_ptr": "*fp8e4nv:16", "scale_ptr": "*fp32:16", "n": "i32:16", "largest": "fp32",
        },
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "e5m2",
        "kernel": "quantise_fp8",
        "signature": {
            "x_ptr": "*fp16:16", "out_ptr": "*fp8e5:16", "scale_ptr": "*fp32:16", "n": "i32:16", "largest": "fp32",
        },
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "back",
        "kernel": "dequantise",
        "signature": {"q_ptr": "*i8:16", "scale_ptr": "*fp32:16", "out_ptr": "*bf16:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 512},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def quantise_int8(x_ptr, out_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=0), 1.0e-12) / 127
    nearest = tl.clamp(tl.floor(x / scale + 0.5), -127.0, 127.0)
    tl.store(out_ptr + offsets, nearest.to(tl.int8), mask=inside)
    tl.store(scale_ptr + tl.program_id(0), scale)


@triton.jit
def quantise_fp8(x_ptr, out_ptr, scale_ptr, n, largest, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=0), 1.0e-12) / largest
    scaled = tl.clamp(x / scale, -largest, largest)
    tl.store(out_ptr + offsets, scaled.to(out_ptr.dtype.element_ty), mask=inside)
    tl.store(scale_ptr + tl.program_id(0), scale)


@triton.jit
def dequantise(q_ptr, scale_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    q = tl.load(q_ptr + offsets, mask=inside, other=0).to(tl.float32)
    x = q * tl.load(scale_ptr + tl.program_id(0))
    tl.store(out_ptr + offsets, x.to(tl.bfloat16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, scales = fake_tensor((65536,), "bfloat16"), fake_tensor((512,), "float32")
q8, f8 = fake_tensor((65536,), "int8"), fake_tensor((65536,), "fp8e4nv")
quantise_int8[(512,)](x, q8, scales, 65536, BLOCK=128)
quantise_fp8[(512,)](x, f8, scales, 65536, 448.0, BLOCK=128)
dequantise[(512,)](q8, scales, x, 65536, BLOCK=128)
