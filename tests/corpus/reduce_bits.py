"""Bitwise reductions: exclusive or and inclusive or over an axis, of integers and of a condition."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int32",
        "kernel": "checksum",
        "signature": "*i32:16, *i32:16, *i32:16, *u1, i32:16",
        "constexprs": {"ROWS": 16, "BLOCK": 64},
    },
    {
        "name": "uint8",
        "kernel": "checksum",
        "signature": "*u8:16, *u8:16, *u8:16, *u1, i32:16",
        "constexprs": {"ROWS": 32, "BLOCK": 32},
    },
]


@triton.jit
def checksum(
    x_ptr, parity_ptr, union_ptr, any_ptr, row_stride, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row, column = tl.arange(0, ROWS), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row[:, None] * row_stride + column[None, :])
    tl.store(parity_ptr + row, tl.xor_sum(x, axis=1))
    tl.store(union_ptr + column, tl.reduce_or(x, axis=0))
    tl.store(any_ptr, tl.max(tl.max((x == 0).to(tl.int32), axis=1), axis=0) != 0)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x = fake_tensor((16, 64), "int32")
parity, union = fake_tensor((16,), "int32"), fake_tensor((64,), "int32")
checksum[(1,)](x, parity, union, fake_tensor((1,), "bool", align=1), 64, ROWS=16, BLOCK=64)
