"""Segments of unequal length: the mean of each segment's rows, and running sums that begin anew at every flag."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "mean",
        "kernel": "segment_mean",
        "signature": {"x_ptr": "*fp32:16", "starts_ptr": "*i32:16", "out_ptr": "*fp32:16", "columns": "i32:16"},
        "constexprs": {"ROWS": 16, "BLOCK": 64},
    },
    {
        "name": "scan",
        "kernel": "segmented_sum",
        "signature": {"x_ptr": "*fp32:16", "flags_ptr": "*i32:16", "out_ptr": "*fp32:16", "n": "i32"},
        "constexprs": {"BLOCK": 1024},
    },
]


@triton.jit
def segment_mean(x_ptr, starts_ptr, out_ptr, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    segment = tl.program_id(0)
    begin = tl.load(starts_ptr + segment)
    end = tl.load(starts_ptr + segment + 1)
    column = tl.arange(0, BLOCK)
    total = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    for start in range(begin, end, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = (row[:, None] < end) & (column[None, :] < columns)
        total += tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    mean = tl.sum(total, axis=0) / tl.maximum(end - begin, 1)
    tl.store(out_ptr + segment * columns + column, mean, mask=column < columns)


@triton.jit
def add_unless_flagged(flag_a, sum_a, flag_b, sum_b):
    return flag_a | flag_b, tl.where(flag_b != 0, sum_b, sum_a + sum_b)


@triton.jit
def segmented_sum(x_ptr, flags_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # Each program begins anew too: a whole array needs n <= BLOCK, or segments that begin at its blocks.
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    flag = tl.load(flags_ptr + offsets, mask=inside, other=0)
    _, total = tl.associative_scan((flag, x), 0, add_unless_flagged)
    tl.store(out_ptr + offsets, total, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, starts, out = fake_tensor((4096, 64), "float32"), fake_tensor((129,), "int32"), fake_tensor((128, 64), "float32")
flags = fake_tensor((4096,), "int32")
segment_mean[(128,)](x, starts, out, 64, ROWS=16, BLOCK=64)
segmented_sum[(4,)](x, flags, out, 4096, BLOCK=1024)
