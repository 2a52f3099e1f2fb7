"""Functions of the vendors' device libraries: libdevice on CUDA, OCML on HIP."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "special_functions",
        "signature": {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 512},
    },
    {
        "name": "fp64",
        "kernel": "special_functions",
        "signature": {"x_ptr": "*fp64:16", "out_ptr": "*fp64:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def special_functions(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    y = libdevice.asin(libdevice.tanh(x)) + libdevice.pow(libdevice.log1p(x * x), x)
    tl.store(out_ptr + offsets, y, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4096,), "float32"), fake_tensor((4096,), "float32")
special_functions[(8,)](x, out, 4096, BLOCK=512)
