"""Device functions: inlined, kept as calls by noinline, passed as constants, with defaults and keyword arguments."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "noinline",
        "kernel": "activate_call",
        "signature": "*fp32:16, *fp32:16, *fp32, i32",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "passed_function",
        "kernel": "activate_with",
    },
]


@triton.jit
def gate(x, steepness: tl.constexpr = 1.0):
    return tl.sigmoid(steepness * x)


@triton.jit
def swish(x):
    return x * gate(x)


@triton.jit
def quick_gelu(x):
    return x * gate(x, steepness=1.702)


@triton.jit(noinline=True)
def add_root(total_ptr, value, weight):
    """Add a weighted root to a total; a function that is not inlined takes scalars alone."""
    root = tl.sqrt(tl.abs(value)) * weight
    tl.atomic_add(total_ptr, root)
    return root


@triton.jit
def activate_call(x_ptr, out_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    y = swish(x)
    root = add_root(total_ptr, tl.sum(x, axis=0), 2.0)
    root += add_root(total_ptr + 1, tl.sum(y, axis=0), weight=0.5)
    tl.store(out_ptr + offsets, y + root, mask=inside)


@triton.jit
def activate_with(x_ptr, out_ptr, n, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    tl.store(out_ptr + offsets, FUNCTION(x), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((1000,), "float32"), fake_tensor((1000,), "float32")
activate_call[(4,)](x, out, fake_tensor((2,), align=4), 1000, BLOCK=256)
activate_with[(4,)](x, out, 1000, FUNCTION=quick_gelu, BLOCK=256)
