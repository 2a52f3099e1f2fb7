"""Attention, forward, one head: softmax(q kᵀ) v over blocks of keys with running maximum and sum."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "full",
        "kernel": "attention_forward",
        "signature": {
            "q_ptr": "*fp16:16",
            "k_ptr": "*fp16:16",
            "v_ptr": "*fp16:16",
            "out_ptr": "*fp16:16",
            "length": "i32:16",
            "scale": "fp32",
        },
        "constexprs": {"CAUSAL": False, "HEAD": 64, "BLOCK_Q": 64, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 2},
    },
    {
        "name": "causal",
        "kernel": "attention_forward",
        "signature": {
            "q_ptr": "*fp16:16",
            "k_ptr": "*fp16:16",
            "v_ptr": "*fp16:16",
            "out_ptr": "*fp16:16",
            "length": "i32:16",
            "scale": "fp32",
        },
        "constexprs": {"CAUSAL": True, "HEAD": 64, "BLOCK_Q": 64, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def attention_forward(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    length,
    scale,
    CAUSAL: tl.constexpr,
    HEAD: tl.constexpr,
    BLOCK_Q: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    start_q = tl.program_id(0) * BLOCK_Q
    head = tl.program_id(1).to(tl.int64) * length * HEAD
    query = start_q + tl.arange(0, BLOCK_Q)
    feature = tl.arange(0, HEAD)
    q = tl.load(
        q_ptr + head + query[:, None] * HEAD + feature[None, :],
        mask=query[:, None] < length,
        other=0.0,
    )
    highest = tl.full([BLOCK_Q], -float("inf"), dtype=tl.float32)
    weight_sum = tl.zeros([BLOCK_Q], dtype=tl.float32)
    result = tl.zeros([BLOCK_Q, HEAD], dtype=tl.float32)
    # exp2 is one instruction on both vendors' GPUs, so the scale takes the change of base in.
    scale_log2 = scale * 1.4426950408889634
    end = tl.minimum(start_q + BLOCK_Q, length) if CAUSAL else length
    for start_k in range(0, end, BLOCK_K):
        key = start_k + tl.arange(0, BLOCK_K)
        k = tl.load(
            k_ptr + head + key[None, :] * HEAD + feature[:, None],
            mask=key[None, :] < length,
            other=0.0,
        )
        score = tl.dot(q, k) * scale_log2
        visible = key[None, :] < length
        if CAUSAL:
            visible = visible & (key[None, :] <= query[:, None])
        score = tl.where(visible, score, -1.0e6)
        new_highest = tl.maximum(highest, tl.max(score, axis=1))
        probability = tl.exp2(score - new_highest[:, None])
        correction = tl.exp2(highest - new_highest)
        weight_sum = weight_sum * correction + tl.sum(probability, axis=1)
        v = tl.load(
            v_ptr + head + key[:, None] * HEAD + feature[None, :],
            mask=key[:, None] < length,
            other=0.0,
        )
        result = tl.dot(probability.to(tl.float16), v, result * correction[:, None])
        highest = new_highest
    result = result / weight_sum[:, None]
    tl.store(
        out_ptr + head + query[:, None] * HEAD + feature[None, :],
        result.to(tl.float16),
        mask=query[:, None] < length,
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

q, k, v, out = (fake_tensor((1024, 64), "float16") for _ in range(4))
attention_forward[(16,)](q, k, v, out, 1024, 0.125, CAUSAL=True, HEAD=64, BLOCK_Q=64, BLOCK_K=64)
