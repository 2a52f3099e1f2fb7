"""Atomic add, maximum and minimum, masked and not, with the old values used, for each width of number."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int64",
        "kernel": "statistics",
        "signature": "*i64:16, *i64:16, *i64:16, *i64:16, *i64:16, i32",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "uint32",
        "kernel": "statistics",
        "signature": "*u32:16, *u32:16, *u32:16, *u32:16, *u32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "fp64",
        "kernel": "statistics",
        "signature": "*fp64:16, *fp64:16, *fp64:16, *fp64:16, *fp64:16, i32",
        "constexprs": {"BLOCK": 128},
        "options": {"num_warps": 2},
    },
    {
        "name": "fp32",
        "kernel": "statistics",
        "signature": "*fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32:16, i32",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def statistics(x_ptr, sum_ptr, highest_ptr, lowest_ptr, before_ptr, n, BLOCK: tl.constexpr):
    """Elementwise running statistics over all programs, and what the sum was before this program."""
    lane = tl.arange(0, BLOCK)
    offsets = tl.program_id(0) * BLOCK + lane
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    before = tl.atomic_add(sum_ptr + lane, x, mask=inside)
    tl.store(before_ptr + offsets, before, mask=inside)
    tl.atomic_max(highest_ptr + lane, x, mask=inside)
    tl.atomic_min(lowest_ptr + lane, x, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, before = fake_tensor((1000,), "int64"), fake_tensor((1000,), "int64")
total, highest, lowest = (fake_tensor((256,), "int64") for _ in range(3))
statistics[(4,)](x, total, highest, lowest, before, 1000, BLOCK=256)
