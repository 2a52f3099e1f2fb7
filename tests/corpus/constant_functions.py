"""Work done while compiling: constexpr functions, constant arithmetic, global constants and lists in the frontend."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "shift_6",
        "kernel": "quantise",
        "signature": "*fp32:16, *i8:16, i32",
        "constexprs": {"BITS": 6, "BLOCK": 256},
    },
    {
        "name": "shift_8",
        "kernel": "quantise",
        "signature": "*fp32:16, *i8:16, i32:16",
        "constexprs": {"BITS": 8, "BLOCK": 512},
        "options": {"num_warps": 8},
    },
]

HALF_RANGE = tl.constexpr(4.0)


@tl.constexpr_function
def steps_of(bits):
    """Count the steps between 0 and the largest signed number of so many bits."""
    return 2 ** (bits - 1) - 1


@tl.constexpr_function
def is_power_of_two(value):
    return value > 0 and value & (value - 1) == 0


@triton.jit
def quantise(x_ptr, out_ptr, n, BITS: tl.constexpr, BLOCK: tl.constexpr):
    tl.static_assert(is_power_of_two(BLOCK), "the block must be a power of two")
    STEPS: tl.constexpr = steps_of(BITS)
    SCALE: tl.constexpr = STEPS / HALF_RANGE
    LANES: tl.constexpr = BLOCK // 2 if BITS > 6 and BLOCK >= 512 else BLOCK
    for part in tl.static_range(BLOCK // LANES):
        offsets = tl.program_id(0) * BLOCK + part * LANES + tl.arange(0, LANES)
        inside = offsets < n
        scaled = tl.load(x_ptr + offsets, mask=inside, other=0.0) * SCALE
        rounded = tl.floor(tl.clamp(scaled, -1.0 * STEPS, 1.0 * STEPS) + 0.5)
        tl.store(out_ptr + offsets, rounded.to(tl.int8), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((1000,), "float32"), fake_tensor((1000,), "int8")
quantise[(4,)](x, out, 1000, BITS=6, BLOCK=256)
