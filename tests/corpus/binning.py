"""tl.histogram of a block, added to the bins of the whole array."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bins_64",
        "kernel": "count",
        "signature": "*i32:16, *i32:16, i32:16",
        "constexprs": {"BINS": 64, "BLOCK": 512},
    },
    {
        "name": "bins_8",
        "kernel": "count",
        "signature": "*u8:16, *i32:16, i32",
        "constexprs": {"BINS": 8, "BLOCK": 256},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def count(x_ptr, bins_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0).to(tl.int32) & (BINS - 1)
    found = tl.histogram(x, BINS)
    bins = tl.arange(0, BINS)
    # Elements beyond the end were counted as zeros.
    excess = BLOCK - tl.sum(inside.to(tl.int32), axis=0)
    tl.atomic_add(bins_ptr + bins, found - tl.where(bins == 0, excess, 0))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, bins = fake_tensor((4096,), "int32"), fake_tensor((64,), "int32")
count[(8,)](x, bins, 4096, BINS=64, BLOCK=512)
