"""The K largest numbers of each row with their positions: value and position are packed in one 64-bit key that sorts like the value."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "sixteen_of_512",
        "kernel": "top_k",
        "signature": {"x_ptr": "*fp32:16", "values_ptr": "*fp32:16", "indices_ptr": "*i32:16", "columns": "i32"},
        "constexprs": {"K": 16, "BLOCK": 512},
    },
]


@triton.jit
def top_k(x_ptr, values_ptr, indices_ptr, columns, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=-float("inf"))
    bits = x.to(tl.int32, bitcast=True)
    # Negative floats grow with falling bits; flipping all but their sign makes integers compare as floats do.
    ordered = tl.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    # The position is flipped too, so that of equal values the first comes first.
    key = (ordered.to(tl.int64) << 32) | (0x7FFFFFFF - column).to(tl.int64)
    best = tl.topk(key[None, :], K).reshape(K)
    ordered = (best >> 32).to(tl.int32)
    value = tl.where(ordered < 0, ordered ^ 0x7FFFFFFF, ordered).to(tl.float32, bitcast=True)
    at = row * K + tl.arange(0, K)
    tl.store(values_ptr + at, value)
    tl.store(indices_ptr + at, 0x7FFFFFFF - (best & 0x7FFFFFFF).to(tl.int32))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, values, indices = fake_tensor((128, 512), "float32"), fake_tensor((128, 16), "float32"), fake_tensor((128, 16), "int32")
top_k[(128,)](x, values, indices, 512, K=16, BLOCK=512)
