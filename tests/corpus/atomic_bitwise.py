"""Atomic and, or, exclusive or and exchange on integers of 32 and 64 bits, scalar and by block."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int32",
        "kernel": "mark",
        "signature": "*i32:16, *i32:16, *i32:16, *i32:16, i32",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "uint64",
        "kernel": "mark",
        "signature": "*u64:16, *u64:16, *u64:16, *i32:16, i32:16",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def mark(bits_ptr, mask_ptr, last_ptr, seen_ptr, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    offsets = program * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    bits = tl.load(bits_ptr + offsets, mask=inside, other=0)
    tl.atomic_and(mask_ptr + tl.arange(0, BLOCK), bits, mask=inside)
    tl.atomic_or(mask_ptr + BLOCK + tl.arange(0, BLOCK), bits, mask=inside)
    tl.atomic_xor(mask_ptr + 2 * BLOCK + tl.arange(0, BLOCK), bits, mask=inside)
    tl.store(last_ptr + offsets, tl.atomic_xchg(mask_ptr + 3 * BLOCK + tl.arange(0, BLOCK), bits), mask=inside)
    word = tl.atomic_or(seen_ptr + program // 32, 1 << (program % 32))
    tl.atomic_xor(seen_ptr + tl.num_programs(0) // 32 + 1, word)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

bits, last = fake_tensor((1000,), "int32"), fake_tensor((1000,), "int32")
masks, seen = fake_tensor((4 * 128,), "int32"), fake_tensor((2,), "int32")
mark[(8,)](bits, masks, last, seen, 1000, BLOCK=128)
