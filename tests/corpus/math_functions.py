"""The functions of tl.math in fp32, and in 16 bits by way of fp32."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "evaluate",
        "signature": "*fp32:16, *fp32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "bf16",
        "kernel": "evaluate",
        "signature": "*bf16:16, *bf16:16, i32",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def evaluate(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Sixteen functions of x, behind one another in out, n numbers each; softmax is by block."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    # Beyond the end, minus infinity: it adds nothing to the sum in softmax.
    x = tl.load(x_ptr + offsets, mask=inside, other=-float("inf")).to(tl.float32)
    positive = tl.abs(x) + 0.5
    values = (
        tl.exp(x),
        tl.exp2(x),
        tl.log(positive),
        tl.log2(positive),
        tl.sin(x),
        tl.cos(x),
        tl.sqrt(positive),
        tl.sqrt_rn(positive),
        tl.rsqrt(positive),
        tl.erf(x),
        tl.floor(x),
        tl.ceil(x),
        tl.fma(x, positive, 1.0),
        tl.sigmoid(x),
        tl.math.abs(x),
        tl.softmax(x),
    )
    for i in tl.static_range(len(values)):
        tl.store(out_ptr + i * n + offsets, values[i].to(out_ptr.dtype.element_ty), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4096,), "float32"), fake_tensor((16, 4096), "float32")
evaluate[(16,)](x, out, 4096, BLOCK=256)
