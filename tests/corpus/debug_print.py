"""device_print of scalars and blocks, of several types at once, and in hexadecimal; static_print while compiling."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "values",
        "kernel": "print_values",
        "signature": "*fp32:16, *i32:16, i32",
        "constexprs": {"BLOCK": 64},
        "options": {"num_warps": 1},
    },
    {
        "name": "hexadecimal",
        "kernel": "print_bits",
        "signature": "*u8:16, *i64:16",
        "constexprs": {"BLOCK": 32},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def print_values(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.static_print("compiling with block", BLOCK)
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0.0)
    y = tl.load(y_ptr + lane, mask=lane < n, other=0)
    tl.device_print("program and size ", tl.program_id(0), n)
    tl.device_print("x, y: ", x, y)
    print("sum", tl.sum(x, axis=0))


@triton.jit
def print_bits(x_ptr, y_ptr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    tl.device_print("bytes ", tl.load(x_ptr + lane), hex=True)
    tl.device_print("words ", tl.load(y_ptr + lane), hex=True)
    tl.device_print("pointers ", x_ptr + lane)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y = fake_tensor((64,), "float32"), fake_tensor((64,), "int32")
print_values[(1,)](x, y, 50, BLOCK=64, num_warps=1)
print_bits[(1,)](fake_tensor(32, "uint8"), fake_tensor(32, "int64"), BLOCK=32, num_warps=1)
