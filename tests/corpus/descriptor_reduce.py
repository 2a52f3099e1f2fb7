"""Reductions into memory through a tensor descriptor: add, minimum, maximum and the bitwise ones."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "add_fp32",
        "kernel": "add_partial",
        "signature": "*fp32:16, *fp32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 32},
    },
    {
        "name": "int32",
        "kernel": "merge_words",
        "signature": "*u32:16, *u32:16, i32:16, i32:16",
        "constexprs": {"BLOCK_M": 16, "BLOCK_N": 32},
    },
]


@triton.jit
def add_partial(x_ptr, sum_ptr, rows, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Add a third axis of x, one layer a program, into one matrix."""
    layer = x_ptr + tl.program_id(2).to(tl.int64) * rows * columns
    x = tl.make_tensor_descriptor(layer, [rows, columns], [columns, 1], [BLOCK_M, BLOCK_N])
    total = tl.make_tensor_descriptor(sum_ptr, [rows, columns], [columns, 1], [BLOCK_M, BLOCK_N])
    at = [tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N]
    total.atomic_add(at, x.load(at))


@triton.jit
def merge_words(x_ptr, out_ptr, rows, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Merge x into five matrices that lie behind one another in out."""
    x = tl.make_tensor_descriptor(x_ptr, [rows, columns], [columns, 1], [BLOCK_M, BLOCK_N])
    out = tl.make_tensor_descriptor(out_ptr, [5 * rows, columns], [columns, 1], [BLOCK_M, BLOCK_N])
    at_m, at_n = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    words = x.load([at_m, at_n])
    out.atomic_min([at_m, at_n], words)
    out.atomic_max([rows + at_m, at_n], words)
    out.atomic_and([2 * rows + at_m, at_n], words)
    out.atomic_or([3 * rows + at_m, at_n], words)
    out.atomic_xor([4 * rows + at_m, at_n], words)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, total = fake_tensor((8, 128, 128)), fake_tensor((128, 128))
add_partial[(4, 4, 8)](x, total, 128, 128, BLOCK_M=32, BLOCK_N=32)
words, merged = fake_tensor((64, 64), "uint32"), fake_tensor((320, 64), "uint32")
merge_words[(4, 2)](words, merged, 64, 64, BLOCK_M=16, BLOCK_N=32)
