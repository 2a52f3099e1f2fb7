"""Division: the default, rounded to nearest, approximate, and by integers with their remainder."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "quotients",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "int32",
        "kernel": "integer_quotients",
        "signature": "*i32:16, *i32:16, *i32:16, i32, i32:16",
        "constexprs": {"FIXED": 7, "BLOCK": 128},
    },
    {
        "name": "uint64",
        "kernel": "integer_quotients",
        "signature": "*u64:16, *u64:16, *u64:16, u64, i32:16",
        "constexprs": {"FIXED": 16, "BLOCK": 128},
    },
]


@triton.jit
def quotients(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    y = tl.load(y_ptr + offsets, mask=inside, other=1.0)
    tl.store(out_ptr + offsets, x / y, mask=inside)
    tl.store(out_ptr + n + offsets, tl.div_rn(x, y), mask=inside)
    tl.store(out_ptr + 2 * n + offsets, tl.fdiv(x, y), mask=inside)
    tl.store(out_ptr + 3 * n + offsets, tl.fdiv(x, y, ieee_rounding=True), mask=inside)
    tl.store(out_ptr + 4 * n + offsets, 1.0 / y, mask=inside)
    tl.store(out_ptr + 5 * n + offsets, x % y, mask=inside)


@triton.jit
def integer_quotients(
    x_ptr, y_ptr, out_ptr, scalar, n, FIXED: tl.constexpr, BLOCK: tl.constexpr
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    y = tl.load(y_ptr + offsets, mask=inside, other=1)
    tl.store(out_ptr + offsets, x // y + x % y, mask=inside)
    tl.store(out_ptr + n + offsets, x // scalar + x % scalar, mask=inside)
    # By a constant, the compiler multiplies or shifts instead.
    tl.store(out_ptr + 2 * n + offsets, x // FIXED + x % FIXED, mask=inside)
    tl.store(out_ptr + 3 * n + offsets, tl.cdiv(x, FIXED), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = fake_tensor((4096,)), fake_tensor((4096,)), fake_tensor((6, 4096))
quotients[(16,)](x, y, out, 4096, BLOCK=256)
i, j, k = (fake_tensor((size,), "int32") for size in (1024, 1024, 4096))
integer_quotients[(8,)](i, j, k, 10, 1024, FIXED=7, BLOCK=128)
