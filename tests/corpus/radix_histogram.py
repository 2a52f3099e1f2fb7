"""First step of a radix sort: how often each digit occurs in each block of keys."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "eight_bits",
        "kernel": "radix_histogram",
        "signature": {"keys_ptr": "*i32:16", "counts_ptr": "*i32:16", "n": "i32", "shift": "i32"},
        "constexprs": {"BITS": 8, "BLOCK": 2048},
    },
    {
        "name": "four_bits_wide_keys",
        "kernel": "radix_histogram",
        "signature": {"keys_ptr": "*i64:16", "counts_ptr": "*i32:16", "n": "i32:16", "shift": "i32:16"},
        "constexprs": {"BITS": 4, "BLOCK": 512},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def radix_histogram(keys_ptr, counts_ptr, n, shift, BITS: tl.constexpr, BLOCK: tl.constexpr):
    BINS: tl.constexpr = 1 << BITS
    block = tl.program_id(0)
    offsets = block * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    key = tl.load(keys_ptr + offsets, mask=inside, other=0)
    digit = ((key >> shift) & (BINS - 1)).to(tl.int32)
    bins = tl.arange(0, BINS)
    # What lies past the last key was loaded as zero and counted with digit 0.
    excess = tl.maximum((block + 1) * BLOCK - n, 0)
    counts = tl.histogram(digit, BINS) - tl.where(bins == 0, excess, 0)
    tl.store(counts_ptr + block * BINS + bins, counts)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
keys, counts = fake_tensor((65536,), "int32"), fake_tensor((32, 256), "int32")
radix_histogram[(32,)](keys, counts, 65536, 8, BITS=8, BLOCK=2048)
