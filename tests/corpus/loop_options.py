"""Options of tl.range: pipeline stages without a dot, unrolling, and an accumulator kept single."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "stages",
        "kernel": "add_pipelined",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"STAGES": 3, "BLOCK": 256},
    },
    {
        "name": "unrolled",
        "kernel": "add_unrolled",
        "signature": "*fp32:16, *fp32:16, i32",
        "constexprs": {"FACTOR": 4, "BLOCK": 128},
    },
    {
        "name": "single_accumulator",
        "kernel": "matmul_single_accumulator",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"BLOCK": 64, "BLOCK_K": 32},
    },
]


@triton.jit
def add_pipelined(x_ptr, y_ptr, out_ptr, n, STAGES: tl.constexpr, BLOCK: tl.constexpr):
    step = tl.num_programs(0) * BLOCK
    for start in tl.range(tl.program_id(0) * BLOCK, n, step, num_stages=STAGES):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < n
        x = tl.load(x_ptr + offsets, mask=inside)
        y = tl.load(y_ptr + offsets, mask=inside)
        tl.store(out_ptr + offsets, x + y, mask=inside)


@triton.jit
def add_unrolled(x_ptr, out_ptr, rows, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    """Sum each column over the rows."""
    column = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in tl.range(rows, loop_unroll_factor=FACTOR):
        total += tl.load(x_ptr + row * BLOCK + column)
    tl.store(out_ptr + column, total)


@triton.jit
def matmul_single_accumulator(
    a_ptr, b_ptr, c_ptr, n, k, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr
):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in tl.range(0, k, BLOCK_K, num_stages=4, disallow_acc_multi_buffer=True):
        a = tl.load(a_ptr + row[:, None] * k + (start + inner)[None, :])
        b = tl.load(b_ptr + (start + inner)[:, None] * n + column[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = (fake_tensor((65536,), "float32") for _ in range(3))
add_pipelined[(32,)](x, y, out, 65536, STAGES=3, BLOCK=256)
add_unrolled[(1,)](x, out, 500, FACTOR=4, BLOCK=128)
a, b, c = fake_tensor((256, 256), "fp16"), fake_tensor((256, 256), "fp16"), fake_tensor((256, 256))
matmul_single_accumulator[(4, 4)](a, b, c, 256, 256, BLOCK=64, BLOCK_K=32)
