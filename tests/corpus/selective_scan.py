"""Selective state-space scan: a linear recurrence with inputs of its own for each step, by associative scans over blocks of time."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "selective_scan",
        "signature": {
            "x_ptr": "*fp32:16", "delta_ptr": "*fp32:16", "decay_ptr": "*fp32:16", "b_ptr": "*fp32:16",
            "c_ptr": "*fp32:16", "skip_ptr": "*fp32:16", "out_ptr": "*fp32:16", "length": "i32", "channels": "i32:16",
        },
        "constexprs": {"STATE": 16, "BLOCK": 64},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def compose(factor_a, sum_a, factor_b, sum_b):
    """Compose two steps h -> factor * h + sum, the earlier one first."""
    return factor_a * factor_b, factor_b * sum_a + sum_b


@triton.jit
def selective_scan(
    x_ptr,
    delta_ptr,
    decay_ptr,
    b_ptr,
    c_ptr,
    skip_ptr,
    out_ptr,
    length,
    channels,
    STATE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    batch = tl.program_id(0)
    channel = tl.program_id(1)
    state = tl.arange(0, STATE)
    lane = tl.arange(0, BLOCK)
    decay = tl.load(decay_ptr + channel * STATE + state)
    skip = tl.load(skip_ptr + channel)
    carried = tl.zeros([STATE], dtype=tl.float32)
    for start in range(0, length, BLOCK):
        time = start + lane
        inside = time < length
        at = (batch * length + time) * channels + channel
        x = tl.load(x_ptr + at, mask=inside, other=0.0)
        delta = tl.load(delta_ptr + at, mask=inside, other=0.0)
        tile = (batch * length + time)[:, None] * STATE + state[None, :]
        b = tl.load(b_ptr + tile, mask=inside[:, None], other=0.0)
        c = tl.load(c_ptr + tile, mask=inside[:, None], other=0.0)
        # Past the end delta is zero: the state stays as it is.
        factor = tl.exp(delta[:, None] * decay[None, :])
        added = (delta * x)[:, None] * b
        factor, added = tl.associative_scan((factor, added), 0, compose)
        hidden = factor * carried[None, :] + added
        out = tl.sum(hidden * c, axis=1) + skip * x
        tl.store(out_ptr + at, out, mask=inside)
        carried = tl.sum(tl.where(lane[:, None] == BLOCK - 1, hidden, 0.0), axis=0)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, delta, out = (fake_tensor((2, 1024, 64), "float32") for _ in range(3))
decay, b, c = fake_tensor((64, 16)), fake_tensor((2, 1024, 16)), fake_tensor((2, 1024, 16))
skip = fake_tensor((64,))
selective_scan[(2, 64)](x, delta, decay, b, c, skip, out, 1024, 64, STATE=16, BLOCK=64)
