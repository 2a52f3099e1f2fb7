"""Gated activation silu(gate) * value, and its gradients in place of gate and value."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "forward",
        "kernel": "swiglu",
        "signature": {"gate_ptr": "*bf16:16", "value_ptr": "*bf16:16", "out_ptr": "*bf16:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "backward",
        "kernel": "swiglu_backward",
        "signature": {"gate_ptr": "*bf16:16", "value_ptr": "*bf16:16", "gradient_ptr": "*bf16:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 1024},
    },
]


@triton.jit
def swiglu(gate_ptr, value_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    gate = tl.load(gate_ptr + offsets, mask=inside).to(tl.float32)
    value = tl.load(value_ptr + offsets, mask=inside).to(tl.float32)
    tl.store(out_ptr + offsets, (gate * tl.sigmoid(gate) * value).to(tl.bfloat16), mask=inside)


@triton.jit
def swiglu_backward(gate_ptr, value_ptr, gradient_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    gate = tl.load(gate_ptr + offsets, mask=inside).to(tl.float32)
    value = tl.load(value_ptr + offsets, mask=inside).to(tl.float32)
    gradient = tl.load(gradient_ptr + offsets, mask=inside).to(tl.float32)
    share = tl.sigmoid(gate)
    silu = gate * share
    slope = share * (1 + gate * (1 - share))
    tl.store(gate_ptr + offsets, (gradient * value * slope).to(tl.bfloat16), mask=inside)
    tl.store(value_ptr + offsets, (gradient * silu).to(tl.bfloat16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
gate, value, out = (fake_tensor((512, 1024), "bfloat16") for _ in range(3))
swiglu[(512,)](gate, value, out, 524288, BLOCK=1024)
swiglu_backward[(512,)](gate, value, out, 524288, BLOCK=1024)
