"""Rotary position embedding in place: a head's first half turned against its second, or neighbours turned against each other."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "halves",
        "kernel": "rotate_halves",
        "signature": {"x_ptr": "*fp16:16", "cosine_ptr": "*fp32:16", "sine_ptr": "*fp32:16", "heads": "i32"},
        "constexprs": {"HEADS": 8, "HALF": 32},
    },
    {
        "name": "pairs",
        "kernel": "rotate_pairs",
        "signature": {"x_ptr": "*fp16:16", "cosine_ptr": "*fp32:16", "sine_ptr": "*fp32:16", "heads": "i32"},
        "constexprs": {"HEADS": 8, "HALF": 32},
    },
]


@triton.jit
def rotate_halves(x_ptr, cosine_ptr, sine_ptr, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    position = tl.program_id(0)
    head = tl.arange(0, HEADS)[:, None]
    feature = tl.arange(0, HALF)[None, :]
    cosine = tl.load(cosine_ptr + position * HALF + feature)
    sine = tl.load(sine_ptr + position * HALF + feature)
    first = x_ptr + (position.to(tl.int64) * heads + head) * (2 * HALF) + feature
    inside = head < heads
    x = tl.load(first, mask=inside, other=0.0).to(tl.float32)
    y = tl.load(first + HALF, mask=inside, other=0.0).to(tl.float32)
    tl.store(first, (x * cosine - y * sine).to(tl.float16), mask=inside)
    tl.store(first + HALF, (y * cosine + x * sine).to(tl.float16), mask=inside)


@triton.jit
def rotate_pairs(x_ptr, cosine_ptr, sine_ptr, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    position = tl.program_id(0)
    head = tl.arange(0, HEADS)[:, None]
    pair = tl.arange(0, HALF)[None, :]
    cosine = tl.load(cosine_ptr + position * HALF + pair)
    sine = tl.load(sine_ptr + position * HALF + pair)
    feature = tl.arange(0, 2 * HALF)[None, :]
    row = x_ptr + (position.to(tl.int64) * heads + head) * (2 * HALF) + feature
    inside = head < heads
    both = tl.load(row, mask=inside, other=0.0).to(tl.float32)
    x, y = tl.split(both.reshape(HEADS, HALF, 2))
    turned = tl.interleave(x * cosine - y * sine, y * cosine + x * sine)
    tl.store(row, turned.to(tl.float16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, cosine, sine = fake_tensor((512, 8, 64), "float16"), fake_tensor((512, 32)), fake_tensor((512, 32))
rotate_halves[(512,)](x, cosine, sine, 8, HEADS=8, HALF=32)
rotate_pairs[(512,)](x, cosine, sine, 8, HEADS=8, HALF=32)
