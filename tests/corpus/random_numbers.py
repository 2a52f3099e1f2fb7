"""Philox random numbers: uniform, normal, integers in fours, and by a 64-bit seed and offset."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "uniform_and_normal",
        "kernel": "fill_random",
        "signature": "*fp32:16, *fp32:16, i32, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "integers",
        "kernel": "fill_integers",
        "signature": "*u32:16, i64, i32:16",
        "constexprs": {"ROUNDS": 7, "BLOCK": 256},
    },
    {
        "name": "wide",
        "kernel": "fill_uniform_wide",
        "signature": "*fp32:16, u64, i64",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def fill_random(uniform_ptr, normal_ptr, seed, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(uniform_ptr + offsets, tl.rand(seed, offsets), mask=inside)
    tl.store(normal_ptr + offsets, tl.randn(seed, offsets), mask=inside)


@triton.jit
def fill_integers(out_ptr, seed, n, ROUNDS: tl.constexpr, BLOCK: tl.constexpr):
    """Four numbers a counter, each kind behind the other, n numbers each."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    a, b, c, d = tl.randint4x(seed, offsets, n_rounds=ROUNDS)
    tl.store(out_ptr + offsets, a, mask=inside)
    tl.store(out_ptr + n + offsets, b, mask=inside)
    tl.store(out_ptr + 2 * n + offsets, c, mask=inside)
    tl.store(out_ptr + 3 * n + offsets, d, mask=inside)


@triton.jit
def fill_uniform_wide(out_ptr, seed, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a, b, c, d = tl.rand4x(seed, offsets)
    tl.store(out_ptr + offsets, (a + b + c + d) * 0.25, mask=offsets < n)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

uniform, normal = fake_tensor((4096,), "float32"), fake_tensor((4096,), "float32")
fill_random[(16,)](uniform, normal, 42, 4096, BLOCK=256)
fill_integers[(16,)](fake_tensor((4, 4096), "uint32"), 1 << 40, 4096, ROUNDS=7, BLOCK=256)
fill_uniform_wide[(32,)](uniform, 1 << 63, 4096, BLOCK=128)
