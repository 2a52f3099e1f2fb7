"""Double precision: transcendental functions, fused multiply-add, and a reduction."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "functions",
        "kernel": "normal_functions",
        "signature": "*fp64:16, *fp64:16, *fp64:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "scalar",
        "kernel": "scale_by",
        "signature": "*fp64, fp64, i32",
        "constexprs": {"BLOCK": 128},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def normal_functions(x_ptr, out_ptr, total_ptr, n, BLOCK: tl.constexpr):
    """Functions of the standard normal density and upper tail, summed by element and over all."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    density = tl.exp(tl.fma(x * -0.5, x, 0.0)) * 0.3989422804014327
    tail = 0.5 - 0.5 * tl.erf(x * 0.7071067811865476)
    value = tl.log(density) + tl.log2(tail + 1.0) + tl.sqrt(tail) + tl.floor(x) - tl.rsqrt(x * x + 1.0)
    tl.store(out_ptr + offsets, value, mask=inside)
    tl.atomic_add(total_ptr, tl.sum(tl.where(inside, value, 0.0), axis=0))


@triton.jit
def scale_by(x_ptr, factor, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    tl.store(x_ptr + offsets, x * factor / 3.0, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out, total = fake_tensor(4096, "float64"), fake_tensor(4096, "float64"), fake_tensor(1, "float64")
normal_functions[(16,)](x, out, total, 4096, BLOCK=256)
scale_by[(32,)](x, 0.5, 4000, BLOCK=128, num_warps=1)
