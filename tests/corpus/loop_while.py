"""While loops: a scalar binary search, Newton's method until a block converges, and loops nested in each other."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "search",
        "kernel": "find_segment",
        "signature": "*i32:16, *i32:16, i32",
        "constexprs": {},
    },
    {
        "name": "newton",
        "kernel": "cube_root",
        "signature": "*fp32:16, *fp32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "nested",
        "kernel": "collatz",
        "signature": "*i64:16, *i32:16, i32",
        "constexprs": {},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def find_segment(start_ptr, out_ptr, segments):
    """Find the last segment that starts at or before this program."""
    program = tl.program_id(0)
    low, high = 0, segments
    while high - low > 1:
        middle = (low + high) // 2
        if tl.load(start_ptr + middle) <= program:
            low = middle
        else:
            high = middle
    tl.store(out_ptr + program, low)


@triton.jit
def cube_root(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """For positive x; at most 64 steps."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=1.0)
    # A start at or above the root makes the steps fall monotonically.
    root = tl.maximum(x, 1.0)
    change = 1.0
    steps = 0
    while (change > 1e-6) & (steps < 64):
        better = (2.0 * root + x / (root * root)) / 3.0
        change = tl.max(tl.abs(better - root) / better, axis=0)
        root = better
        steps += 1
    tl.store(out_ptr + offsets, root, mask=inside)


@triton.jit
def collatz(x_ptr, steps_ptr, n):
    """Count, for each number, the steps that halve or triple it until it is 1."""
    for i in range(tl.program_id(0), n, tl.num_programs(0)):
        x = tl.load(x_ptr + i)
        steps = 0
        while x > 1:
            while x % 2 == 0:
                x = x // 2
                steps += 1
            if x > 1:
                x = 3 * x + 1
                steps += 1
        tl.store(steps_ptr + i, steps)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

starts, found = fake_tensor((100,), "int32"), fake_tensor((512,), "int32")
find_segment[(512,)](starts, found, 100)
x, roots = fake_tensor((4096,)), fake_tensor((4096,))
cube_root[(16,)](x, roots, 4096, BLOCK=256)
numbers, steps = fake_tensor((1000,), "int64"), fake_tensor((1000,), "int32")
collatz[(32,)](numbers, steps, 1000, num_warps=1)
