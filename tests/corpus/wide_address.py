"""Addresses beyond 2 GB: 64-bit offsets and strides, and AMD's buffer instructions where 32 bits are known to do."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "int64",
        "kernel": "copy_row",
        "signature": "*fp16:16, *fp16:16, i64:16, i64:16, i32:16",
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "below_2gb",
        "kernel": "copy_row",
        "signature": "*fp16:DS, *fp16:DS, i32:16, i32:16, i32:16",
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "pointer_table",
        "kernel": "copy_from_table",
        "signature": "*u64:16, *fp32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def copy_row(x_ptr, out_ptr, x_stride, out_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(x_ptr + row.to(x_stride.dtype) * x_stride + column, mask=inside)
    tl.store(out_ptr + row.to(out_stride.dtype) * out_stride + column, x, mask=inside)


@triton.jit
def copy_from_table(table_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    """Copy one array a program, of which only the address is in memory."""
    program = tl.program_id(0).to(tl.int64)
    address = tl.load(table_ptr + program).to(tl.pointer_type(tl.float32))
    address = tl.multiple_of(address, 16)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        x = tl.load(address + column, mask=inside)
        tl.store(out_ptr + program * columns + column, x, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = (fake_tensor((8, 65_536), "float16", strides=(5_000_000_000, 1)) for _ in range(2))
copy_row[(8, 64)](x, out, x.stride(0), out.stride(0), 65_536, BLOCK=1024)
copy_from_table[(8,)](fake_tensor((8,), "uint64"), fake_tensor((8, 4096)), 4096, BLOCK=256)
