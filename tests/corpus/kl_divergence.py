"""Kullback-Leibler divergence of rows, from log-probabilities of the prediction and either kind of target."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "log_target",
        "kernel": "kl_divergence",
        "signature": {
            "prediction_ptr": "*fp32:16", "target_ptr": "*fp32:16", "out_ptr": "*fp32:16",
            "columns": "i32:16", "least": "fp32",
        },
        "constexprs": {"LOG_TARGET": True, "BLOCK": 2048},
        "options": {"num_warps": 8},
    },
    {
        "name": "fp16_target",
        "kernel": "kl_divergence",
        "signature": {
            "prediction_ptr": "*fp32:16", "target_ptr": "*fp16:16", "out_ptr": "*fp32:16",
            "columns": "i32", "least": "fp32",
        },
        "constexprs": {"LOG_TARGET": False, "BLOCK": 512},
    },
]


@triton.jit
def kl_divergence(
    prediction_ptr, target_ptr, out_ptr, columns, least, LOG_TARGET: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64) * columns
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in tl.range(0, columns, BLOCK, num_stages=3):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        prediction = tl.load(prediction_ptr + row + column, mask=inside, other=0.0)
        target = tl.load(target_ptr + row + column, mask=inside, other=0.0).to(tl.float32)
        if LOG_TARGET:
            part = tl.exp(target) * (target - prediction)
        else:
            part = target * (tl.log(tl.maximum(target, least)) - prediction)
        total += tl.where(inside, part, 0.0)
    tl.store(out_ptr + tl.program_id(0), tl.sum(total, axis=0))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
prediction, target = fake_tensor((128, 10000), "float32"), fake_tensor((128, 10000), "float32")
out = fake_tensor((128,), "float32")
kl_divergence[(128,)](prediction, target, out, 10000, 1e-10, LOG_TARGET=False, BLOCK=2048)
