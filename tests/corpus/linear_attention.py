"""Causal linear attention by chunks: a running sum of outer products is carried as a matrix and is an operand of the next product."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16",
        "kernel": "linear_attention",
        "signature": {
            "q_ptr": "*bf16:16", "k_ptr": "*bf16:16", "v_ptr": "*bf16:16", "out_ptr": "*bf16:16", "length": "i32:16",
        },
        "constexprs": {"HEAD": 64, "CHUNK": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def linear_attention(q_ptr, k_ptr, v_ptr, out_ptr, length, HEAD: tl.constexpr, CHUNK: tl.constexpr):
    head = tl.program_id(0).to(tl.int64) * length * HEAD
    lane = tl.arange(0, CHUNK)
    feature = tl.arange(0, HEAD)
    state = tl.zeros([HEAD, HEAD], dtype=tl.float32)
    for start in range(0, length, CHUNK):
        time = start + lane
        tile = head + time[:, None] * HEAD + feature[None, :]
        inside = time[:, None] < length
        q = tl.load(q_ptr + tile, mask=inside, other=0.0)
        k = tl.load(k_ptr + tile, mask=inside, other=0.0)
        v = tl.load(v_ptr + tile, mask=inside, other=0.0)
        score = tl.where(lane[:, None] >= lane[None, :], tl.dot(q, k.T), 0.0)
        out = tl.dot(q, state.to(tl.bfloat16))
        out = tl.dot(score.to(tl.bfloat16), v, out)
        state = tl.dot(k.T, v, state)
        tl.store(out_ptr + tile, out.to(tl.bfloat16), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
q, k, v, out = (fake_tensor((8, 1024, 64), "bfloat16") for _ in range(4))
linear_attention[(8,)](q, k, v, out, 1024, HEAD=64, CHUNK=64)
