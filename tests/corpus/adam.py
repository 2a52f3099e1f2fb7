"""One step of Adam with decoupled weight decay: fp32 weights and moments in place, and a bf16 copy of the weights."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16_copy",
        "kernel": "adam_step",
        "signature": {
            "weights_ptr": "*fp32:16", "copy_ptr": "*bf16:16", "gradient_ptr": "*bf16:16",
            "first_ptr": "*fp32:16", "second_ptr": "*fp32:16", "n": "i32",
            "rate": "fp32", "beta1": "fp32", "beta2": "fp32", "epsilon": "fp32", "decay": "fp32",
            "correction1": "fp32", "correction2": "fp32",
        },
        "constexprs": {"BLOCK": 1024},
    },
]


@triton.jit
def adam_step(
    weights_ptr,
    copy_ptr,
    gradient_ptr,
    first_ptr,
    second_ptr,
    n,
    rate,
    beta1,
    beta2,
    epsilon,
    decay,
    correction1,
    correction2,
    BLOCK: tl.constexpr,
):
    # correction1 and correction2 are 1 - beta1 ** step and 1 - beta2 ** step.
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    gradient = tl.load(gradient_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    weights = tl.load(weights_ptr + offsets, mask=inside, other=0.0)
    first = beta1 * tl.load(first_ptr + offsets, mask=inside, other=0.0) + (1 - beta1) * gradient
    second = beta2 * tl.load(second_ptr + offsets, mask=inside, other=0.0) + (1 - beta2) * gradient * gradient
    step = (first / correction1) / (tl.sqrt_rn(second / correction2) + epsilon)
    weights -= rate * (step + decay * weights)
    tl.store(first_ptr + offsets, first, mask=inside)
    tl.store(second_ptr + offsets, second, mask=inside)
    tl.store(weights_ptr + offsets, weights, mask=inside)
    tl.store(copy_ptr + offsets, weights.to(tl.bfloat16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
weights, copy = fake_tensor((1048576,), "float32"), fake_tensor((1048576,), "bfloat16")
gradient, first, second = fake_tensor((1048576,), "bfloat16"), fake_tensor((1048576,)), fake_tensor((1048576,))
adam_step[(1024,)](weights, copy, gradient, first, second, 1048576, 1e-3, 0.9, 0.999, 1e-8, 0.01, 0.1, 0.001, BLOCK=1024)
