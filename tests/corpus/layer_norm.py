"""Layer normalisation, forward: mean and variance of a row in blocks, then scale and shift."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "layer_norm_forward",
        "signature": {
            "x_ptr": "*fp16:16",
            "weight_ptr": "*fp16:16",
            "bias_ptr": "*fp16:16",
            "out_ptr": "*fp16:16",
            "mean_ptr": "*fp32:16",
            "rstd_ptr": "*fp32:16",
            "row_stride": "i32:16",
            "columns": "i32:16",
            "epsilon": "fp32",
        },
        "constexprs": {"BLOCK": 512},
    },
]


@triton.jit
def layer_norm_forward(
    x_ptr,
    weight_ptr,
    bias_ptr,
    out_ptr,
    mean_ptr,
    rstd_ptr,
    row_stride,
    columns,
    epsilon,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0)
    x_row = x_ptr + row * row_stride
    out_row = out_ptr + row * row_stride
    lane = tl.arange(0, BLOCK)

    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + lane
        total += tl.load(x_row + column, mask=column < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns

    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + lane
        x = tl.load(x_row + column, mask=column < columns, other=0.0).to(tl.float32)
        centred = tl.where(column < columns, x - mean, 0.0)
        squares += centred * centred
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)

    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, columns, BLOCK):
        column = start + lane
        inside = column < columns
        x = tl.load(x_row + column, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + column, mask=inside)
        bias = tl.load(bias_ptr + column, mask=inside)
        tl.store(out_row + column, (x - mean) * rstd * weight + bias, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, weight, bias, out = (fake_tensor((128, 512), "float16") for _ in range(4))
mean, rstd = fake_tensor((128,), "float32"), fake_tensor((128,), "float32")
layer_norm_forward[(128,)](x, weight, bias, out, mean, rstd, 512, 512, 1e-5, BLOCK=512)
