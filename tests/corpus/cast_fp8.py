"""Conversions to and from the 8-bit float formats, with the rounding stated where narrowing needs it."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "e5m2",
        "kernel": "round_trip",
        "signature": "*fp32:16, *fp8e5:16, *fp16:16, i32:16",
        "constexprs": {"FORMAT": "tl.float8e5", "BLOCK": 512},
    },
    {
        "name": "e4m3",
        "kernel": "round_trip",
        "signature": "*fp32:16, *fp8e4nv:16, *fp16:16, i32:16",
        "constexprs": {"FORMAT": "tl.float8e4nv", "BLOCK": 512},
    },
    {
        "name": "e4m3fnuz",
        "kernel": "round_trip",
        "signature": "*fp16:16, *fp8e4b8:16, *fp16:16, i32:16",
        "constexprs": {"FORMAT": "tl.float8e4b8", "BLOCK": 512},
    },
    {
        "name": "e4m3_from_bf16",
        "kernel": "round_trip",
        "signature": "*bf16:16, *fp8e4nv:16, *bf16:16, i32:16",
        "constexprs": {"FORMAT": "tl.float8e4nv", "BLOCK": 512},
    },
]


@triton.jit
def round_trip(x_ptr, narrow_ptr, out_ptr, n, FORMAT: tl.constexpr, BLOCK: tl.constexpr):
    """Store x in 8 bits, and what the narrowing lost."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    narrow = x.to(FORMAT, fp_downcast_rounding="rtne")
    tl.store(narrow_ptr + offsets, narrow, mask=inside)
    wide = narrow.to(tl.float32)
    lost = (x.to(tl.float32) - wide).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + offsets, lost, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4096,), "float32"), fake_tensor((4096,), "float16")
round_trip[(8,)](x, fake_tensor((4096,), "fp8e5"), out, 4096, FORMAT=tl.float8e5, BLOCK=512)
