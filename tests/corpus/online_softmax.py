"""Softmax of rows longer than a block: one pass keeps the maximum and the sum of exponentials together, a second one divides."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "online_softmax",
        "signature": {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "columns": "i32"},
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "bf16_aligned",
        "kernel": "online_softmax",
        "signature": {"x_ptr": "*bf16:16", "out_ptr": "*bf16:16", "columns": "i32:16"},
        "constexprs": {"BLOCK": 2048},
        "options": {"num_warps": 8, "num_stages": 3},
    },
]


@triton.jit
def merge(highest_a, sum_a, highest_b, sum_b):
    highest = tl.maximum(highest_a, highest_b)
    return highest, sum_a * tl.exp(highest_a - highest) + sum_b * tl.exp(highest_b - highest)


@triton.jit
def online_softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * columns
    lane = tl.arange(0, BLOCK)
    # The lowest number rather than minus infinity, whose difference to itself is no number.
    highest = tl.full([BLOCK], -3.0e38, dtype=tl.float32)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        inside = start + lane < columns
        x = tl.load(x_ptr + base + start + lane, mask=inside, other=0.0).to(tl.float32)
        x = tl.where(inside, x, -3.0e38)
        highest, total = merge(highest, total, x, inside.to(tl.float32))
    highest, total = tl.reduce((highest, total), 0, merge)
    for start in range(0, columns, BLOCK):
        inside = start + lane < columns
        x = tl.load(x_ptr + base + start + lane, mask=inside, other=0.0).to(tl.float32)
        result = tl.exp(x - highest) / total
        tl.store(out_ptr + base + start + lane, result.to(out_ptr.dtype.element_ty), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((128, 20000), "float32"), fake_tensor((128, 20000), "float32")
online_softmax[(128,)](x, out, 20000, BLOCK=1024)
