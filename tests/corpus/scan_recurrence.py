"""A linear recurrence h[t] = a[t] h[t-1] + b[t] in parallel: an associative scan over pairs (a, b)."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "forward",
        "kernel": "recurrence",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32",
        "constexprs": {"REVERSE": False, "BLOCK": 512},
    },
    {
        "name": "reverse",
        "kernel": "recurrence",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"REVERSE": True, "BLOCK": 256},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def compose(gain_a, shift_a, gain_b, shift_b):
    """Apply the affine map a, then b."""
    return gain_a * gain_b, shift_a * gain_b + shift_b


@triton.jit
def recurrence(a_ptr, b_ptr, h_ptr, length, REVERSE: tl.constexpr, BLOCK: tl.constexpr):
    base = tl.program_id(0) * length
    step = tl.arange(0, BLOCK)
    inside = step < length
    gain = tl.load(a_ptr + base + step, mask=inside, other=1.0)
    shift = tl.load(b_ptr + base + step, mask=inside, other=0.0)
    _, h = tl.associative_scan((gain, shift), 0, compose, reverse=REVERSE)
    tl.store(h_ptr + base + step, h, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, h = (fake_tensor((16, 500), "float32") for _ in range(3))
recurrence[(16,)](a, b, h, 500, REVERSE=False, BLOCK=512)
