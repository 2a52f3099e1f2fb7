"""Choice of values: where, minimum, maximum and clamp, with NaN ignored or handed on."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "limit",
        "signature": "*fp32:16, *fp32:16, fp32, fp32, i32:16",
        "constexprs": {"NAN": False, "BLOCK": 512},
    },
    {
        "name": "fp16_nan",
        "kernel": "limit",
        "signature": "*fp16:16, *fp16:16, fp32, fp32, i32:16",
        "constexprs": {"NAN": True, "BLOCK": 512},
    },
    {
        "name": "int32",
        "kernel": "middle",
        "signature": "*i32:16, *i32:16, *u32:16, *i32:16, i32",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def limit(x_ptr, out_ptr, low, high, n, NAN: tl.constexpr, BLOCK: tl.constexpr):
    PROPAGATE: tl.constexpr = tl.PropagateNan.ALL if NAN else tl.PropagateNan.NONE
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    bent = tl.where(x > 0, x, 0.01 * x)
    bent = tl.maximum(bent, -1.0, propagate_nan=PROPAGATE)
    bent = tl.minimum(bent, 6.0, propagate_nan=PROPAGATE)
    bounded = tl.clamp(bent.to(tl.float32), low, high, propagate_nan=PROPAGATE)
    tl.store(out_ptr + offsets, bounded.to(x.dtype), mask=inside)


@triton.jit
def middle(a_ptr, b_ptr, c_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Median of three, of which one is unsigned and below 2^31."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    a = tl.load(a_ptr + offsets, mask=inside, other=0)
    b = tl.load(b_ptr + offsets, mask=inside, other=0)
    c = tl.minimum(tl.load(c_ptr + offsets, mask=inside, other=0), 0x7FFFFFFF).to(tl.int32)
    median = tl.maximum(tl.minimum(a, b), tl.minimum(tl.maximum(a, b), c))
    tl.store(out_ptr + offsets, median, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4096,), "float32"), fake_tensor((4096,), "float32")
limit[(8,)](x, out, -1.0, 1.0, 4096, NAN=False, BLOCK=512)
a, b, c, m = (fake_tensor((1000,), name) for name in ("int32", "int32", "uint32", "int32"))
middle[(4,)](a, b, c, m, 1000, BLOCK=256)
