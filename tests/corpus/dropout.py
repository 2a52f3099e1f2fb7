"""Dropout with a counter-based generator: the mask is computed from a seed and never stored; four numbers a call in the second kernel."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "dropout",
        "signature": {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "n": "i32:16", "chance": "fp32", "seed": "i32"},
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "four_a_call",
        "kernel": "dropout_by_four",
        "signature": {"x_ptr": "*fp16:16", "out_ptr": "*fp16:16", "n": "i32:16", "chance": "fp32", "seed": "i64"},
        "constexprs": {"BLOCK": 256},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def dropout(x_ptr, out_ptr, n, chance, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    kept = tl.rand(seed, offsets) >= chance
    tl.store(out_ptr + offsets, tl.where(kept, x / (1 - chance), 0.0), mask=inside)


@triton.jit
def dropout_by_four(x_ptr, out_ptr, n, chance, seed, BLOCK: tl.constexpr):
    counter = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first, second, third, fourth = tl.rand4x(seed, counter)
    # Two joins interleave the four blocks, so that number 4c + i belongs to counter c.
    uniform = tl.interleave(tl.interleave(first, third), tl.interleave(second, fourth))
    offsets = tl.program_id(0) * BLOCK * 4 + tl.arange(0, BLOCK * 4)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    result = tl.where(uniform >= chance, x / (1 - chance), 0.0)
    tl.store(out_ptr + offsets, result.to(tl.float16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((65536,), "float16"), fake_tensor((65536,), "float16")
dropout[(64,)](x, out, 65536, 0.5, 2026, BLOCK=1024)
