"""Maximum pooling of images: an unrolled window whose NaN wins, as frameworks have it."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "3x3_stride_2",
        "kernel": "max_pool",
        "signature": {
            "x_ptr": "*fp16:16", "out_ptr": "*fp16:16",
            "height": "i32", "width": "i32", "out_height": "i32", "out_width": "i32",
        },
        "constexprs": {"SIDE": 3, "STRIDE": 2, "PADDING": 1, "BLOCK": 256},
    },
]


@triton.jit
def max_pool(
    x_ptr,
    out_ptr,
    height,
    width,
    out_height,
    out_width,
    SIDE: tl.constexpr,
    STRIDE: tl.constexpr,
    PADDING: tl.constexpr,
    BLOCK: tl.constexpr,
):
    plane = tl.program_id(0).to(tl.int64)
    pixel = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = pixel < out_height * out_width
    top = pixel // out_width * STRIDE - PADDING
    left = pixel % out_width * STRIDE - PADDING
    result = tl.full([BLOCK], -float("inf"), dtype=tl.float32)
    for step in tl.static_range(SIDE * SIDE):
        y = top + step // SIDE
        x = left + step % SIDE
        seen = inside & (y >= 0) & (y < height) & (x >= 0) & (x < width)
        source = x_ptr + plane * height * width + y * width + x
        value = tl.load(source, mask=seen, other=-float("inf")).to(tl.float32)
        result = tl.maximum(result, value, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + plane * out_height * out_width + pixel, result.to(tl.float16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((8, 64, 56, 56), "float16"), fake_tensor((8, 64, 28, 28), "float16")
max_pool[(512, 4)](x, out, 56, 56, 28, 28, SIDE=3, STRIDE=2, PADDING=1, BLOCK=256)
