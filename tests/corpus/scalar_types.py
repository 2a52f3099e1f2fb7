"""Arguments of every scalar type, a constant pointer, a pointer to pointers, and arithmetic that mixes them."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "all",
        "kernel": "combine",
        "signature": "*kfp32:16, **fp32, u1, i8, u8, i16, u16, u32, i64:16, u64, fp16, bf16, fp64",
        "constexprs": {"BLOCK": 64},
        "options": {"num_warps": 2},
    },
    {
        "name": "ones",
        "kernel": "combine",
        "signature": "*kfp32, **fp32:16, u1, i8:1, u8, i16:1, u16, u32:1, i64:1, u64:1, fp16, bf16, fp64",
        "constexprs": {"BLOCK": 64},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def combine(
    x_ptr,
    out_ptr_ptr,
    flag,
    int_8,
    uint_8,
    int_16,
    uint_16,
    uint_32,
    int_64,
    uint_64,
    float_16,
    bfloat_16,
    float_64,
    BLOCK: tl.constexpr,
):
    lane = tl.arange(0, BLOCK)
    whole = int_8 * int_16 + uint_8 * uint_16
    wide = int_64 + uint_32 - tl.cast(uint_64 % 1024, tl.int64) + whole
    real = float_16 * 2 + bfloat_16
    # Triton loads no pointers; an address can be loaded as a number.
    address = tl.load(out_ptr_ptr.to(tl.pointer_type(tl.uint64), bitcast=True))
    out_ptr = address.to(tl.pointer_type(tl.float32))
    if flag:
        real += 1.0
    value = tl.load(x_ptr + lane) * real + wide + float_64
    tl.store(out_ptr + lane, value.to(tl.float32))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, addresses = fake_tensor((64,), "float32"), fake_tensor((1,), "uint64")
combine[(1,)](x, addresses, True, 2, 3, 4, 5, 6, 7, 8, 0.5, 0.25, 0.125, BLOCK=64, num_warps=2)
