"""Loops unrolled by the frontend: tl.static_range with start and step, and constants that depend on the index."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "polynomial",
        "kernel": "polynomial",
        "signature": "*fp32:16, *fp32:16, *fp32, i32",
        "constexprs": {"DEGREE": 5, "BLOCK": 256},
    },
    {
        "name": "butterfly",
        "kernel": "hadamard",
        "signature": "*fp32:16, *fp32:16",
        "constexprs": {"LEVELS": 4},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def polynomial(x_ptr, out_ptr, coefficient_ptr, n, DEGREE: tl.constexpr, BLOCK: tl.constexpr):
    """Horner's rule, from the highest power down."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    value = tl.zeros_like(x)
    for power in tl.static_range(DEGREE, -1, -1):
        value = value * x + tl.load(coefficient_ptr + power)
    tl.store(out_ptr + offsets, value, mask=inside)


@triton.jit
def hadamard(x_ptr, out_ptr, LEVELS: tl.constexpr):
    """Walsh-Hadamard transform of 2^LEVELS numbers, one butterfly level at a time."""
    SIZE: tl.constexpr = 2**LEVELS
    offsets = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    x = tl.load(x_ptr + offsets)
    for level in tl.static_range(LEVELS):
        pairs = tl.reshape(x, (SIZE // 2 ** (level + 1), 2, 2**level))
        low, high = tl.split(tl.permute(pairs, (0, 2, 1)))
        x = tl.reshape(tl.permute(tl.join(low + high, low - high), (0, 2, 1)), (SIZE,))
    tl.store(out_ptr + offsets, x)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out, coefficients = fake_tensor((1000,)), fake_tensor((1000,)), fake_tensor((6,), align=4)
polynomial[(4,)](x, out, coefficients, 1000, DEGREE=5, BLOCK=256)
hadamard[(8,)](fake_tensor((128,)), fake_tensor((128,)), LEVELS=4, num_warps=1)
