"""device_assert with and without the debug option, which also checks integer arithmetic for overflow."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "on",
        "kernel": "checked_gather",
        "signature": "*fp32:16, *i32:16, *fp32:16, i32, i32",
        "constexprs": {"BLOCK": 128},
        "options": {"debug": True},
    },
    {
        "name": "off",
        "kernel": "checked_gather",
        "signature": "*fp32:16, *i32:16, *fp32:16, i32, i32",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def checked_gather(table_ptr, index_ptr, out_ptr, entries, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK % 32 == 0, "whole warps only")
    tl.device_assert(entries > 0, "the table is empty")
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    index = tl.load(index_ptr + offsets, mask=inside, other=0)
    tl.device_assert((index >= 0) & (index < entries), "index outside the table")
    assert n > 0, "nothing to do"
    # With debug, this product is checked for overflow.
    value = tl.load(table_ptr + index * 2, mask=inside, other=0.0)
    tl.store(out_ptr + offsets, value, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

table, out = fake_tensor((100, 2), "float32"), fake_tensor((1000,), "float32")
checked_gather[(8,)](table, fake_tensor((1000,), "int32"), out, 100, 1000, BLOCK=128)
