"""Group normalisation of images (batch, channel, pixel): Welford's update along the loop, and a reduction of (mean, square, count) triples."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "group_norm",
        "signature": {
            "x_ptr": "*fp16:16", "weight_ptr": "*fp32:16", "bias_ptr": "*fp32:16", "out_ptr": "*fp16:16",
            "channels": "i32:16", "pixels": "i32", "epsilon": "fp32",
        },
        "constexprs": {"GROUP": 8, "BLOCK": 256},
    },
]


@triton.jit
def merge(mean_a, square_a, count_a, mean_b, square_b, count_b):
    count = count_a + count_b
    share = count_b / tl.maximum(count, 1.0)
    change = mean_b - mean_a
    return mean_a + change * share, square_a + square_b + change * change * count_a * share, count


@triton.jit
def group_norm(
    x_ptr, weight_ptr, bias_ptr, out_ptr, channels, pixels, epsilon, GROUP: tl.constexpr, BLOCK: tl.constexpr
):
    image = tl.program_id(0).to(tl.int64)
    first_channel = tl.program_id(1) * GROUP
    base = (image * channels + first_channel) * pixels
    size = GROUP * pixels
    lane = tl.arange(0, BLOCK)

    mean = tl.zeros([BLOCK], dtype=tl.float32)
    square = tl.zeros([BLOCK], dtype=tl.float32)
    count = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, size, BLOCK):
        inside = start + lane < size
        x = tl.load(x_ptr + base + start + lane, mask=inside, other=0.0).to(tl.float32)
        mean, square, count = merge(mean, square, count, x, 0.0, inside.to(tl.float32))
    mean, square, count = tl.reduce((mean, square, count), 0, merge)
    rstd = tl.rsqrt(square / count + epsilon)

    for start in range(0, size, BLOCK):
        offset = start + lane
        inside = offset < size
        channel = first_channel + offset // pixels
        x = tl.load(x_ptr + base + offset, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + channel, mask=inside)
        bias = tl.load(bias_ptr + channel, mask=inside)
        tl.store(out_ptr + base + offset, ((x - mean) * rstd * weight + bias).to(tl.float16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((8, 64, 14, 14), "float16"), fake_tensor((8, 64, 14, 14), "float16")
weight, bias = fake_tensor((64,), "float32"), fake_tensor((64,), "float32")
group_norm[(8, 8)](x, weight, bias, out, 64, 196, 1e-5, GROUP=8, BLOCK=256)
