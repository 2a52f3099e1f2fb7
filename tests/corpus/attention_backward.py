"""Attention, backward: the gradients of keys and values by blocks of keys, that of queries by blocks of queries.

Probabilities are computed again from the base-2 logarithm of each row's sum of exponentials, which the forward pass keeps.
"""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "delta",
        "kernel": "attention_delta",
        "signature": {"out_ptr": "*fp16:16", "gradient_ptr": "*fp16:16", "delta_ptr": "*fp32:16", "rows": "i32:16"},
        "constexprs": {"HEAD": 64, "BLOCK": 64},
    },
    {
        "name": "keys",
        "kernel": "attention_key_gradient",
        "signature": {
            "q_ptr": "*fp16:16", "k_ptr": "*fp16:16", "v_ptr": "*fp16:16", "gradient_ptr": "*fp16:16",
            "log_sum_ptr": "*fp32:16", "delta_ptr": "*fp32:16", "dk_ptr": "*fp16:16", "dv_ptr": "*fp16:16",
            "length": "i32:16", "scale": "fp32",
        },
        "constexprs": {"CAUSAL": True, "HEAD": 64, "BLOCK_Q": 16, "BLOCK_K": 64},
        "options": {"num_warps": 4, "num_stages": 2},
    },
    {
        "name": "queries",
        "kernel": "attention_query_gradient",
        "signature": {
            "q_ptr": "*fp16:16", "k_ptr": "*fp16:16", "v_ptr": "*fp16:16", "gradient_ptr": "*fp16:16",
            "log_sum_ptr": "*fp32:16", "delta_ptr": "*fp32:16", "dq_ptr": "*fp16:16",
            "length": "i32:16", "scale": "fp32",
        },
        "constexprs": {"CAUSAL": True, "HEAD": 64, "BLOCK_Q": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def attention_delta(out_ptr, gradient_ptr, delta_ptr, rows, HEAD: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    offsets = row[:, None] * HEAD + tl.arange(0, HEAD)[None, :]
    inside = row[:, None] < rows
    out = tl.load(out_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    gradient = tl.load(gradient_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    tl.store(delta_ptr + row, tl.sum(out * gradient, axis=1), mask=row < rows)


@triton.jit
def attention_key_gradient(
    q_ptr,
    k_ptr,
    v_ptr,
    gradient_ptr,
    log_sum_ptr,
    delta_ptr,
    dk_ptr,
    dv_ptr,
    length,
    scale,
    CAUSAL: tl.constexpr,
    HEAD: tl.constexpr,
    BLOCK_Q: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    tl.static_assert(BLOCK_K % BLOCK_Q == 0)
    start_k = tl.program_id(0) * BLOCK_K
    first_row = tl.program_id(1).to(tl.int64) * length
    head = first_row * HEAD
    key = start_k + tl.arange(0, BLOCK_K)
    feature = tl.arange(0, HEAD)
    key_tile = head + key[:, None] * HEAD + feature[None, :]
    inside_k = key[:, None] < length
    k = tl.load(k_ptr + key_tile, mask=inside_k, other=0.0)
    v = tl.load(v_ptr + key_tile, mask=inside_k, other=0.0)
    dk = tl.zeros([BLOCK_K, HEAD], dtype=tl.float32)
    dv = tl.zeros([BLOCK_K, HEAD], dtype=tl.float32)
    scale_log2 = scale * 1.4426950408889634
    # No query before the block's first key sees any of its keys.
    begin = start_k if CAUSAL else 0
    for start_q in range(begin, length, BLOCK_Q):
        query = start_q + tl.arange(0, BLOCK_Q)
        query_tile = head + query[:, None] * HEAD + feature[None, :]
        q = tl.load(q_ptr + query_tile, mask=query[:, None] < length, other=0.0)
        gradient = tl.load(gradient_ptr + query_tile, mask=query[:, None] < length, other=0.0)
        log_sum = tl.load(log_sum_ptr + first_row + query, mask=query < length, other=0.0)
        delta = tl.load(delta_ptr + first_row + query, mask=query < length, other=0.0)
        score = tl.dot(k, tl.trans(q)) * scale_log2
        visible = inside_k & (query[None, :] < length)
        if CAUSAL:
            visible = visible & (key[:, None] <= query[None, :])
        probability = tl.where(visible, tl.exp2(score - log_sum[None, :]), 0.0)
        dv = tl.dot(probability.to(tl.float16), gradient, dv)
        dscore = probability * (tl.dot(v, tl.trans(gradient)) - delta[None, :])
        dk = tl.dot(dscore.to(tl.float16), q, dk)
    tl.store(dk_ptr + key_tile, (dk * scale).to(tl.float16), mask=inside_k)
    tl.store(dv_ptr + key_tile, dv.to(tl.float16), mask=inside_k)


@triton.jit
def attention_query_gradient(
    q_ptr,
    k_ptr,
    v_ptr,
    gradient_ptr,
    log_sum_ptr,
    delta_ptr,
    dq_ptr,
    length,
    scale,
    CAUSAL: tl.constexpr,
    HEAD: tl.constexpr,
    BLOCK_Q: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    start_q = tl.program_id(0) * BLOCK_Q
    first_row = tl.program_id(1).to(tl.int64) * length
    head = first_row * HEAD
    query = start_q + tl.arange(0, BLOCK_Q)
    feature = tl.arange(0, HEAD)
    query_tile = head + query[:, None] * HEAD + feature[None, :]
    inside_q = query[:, None] < length
    q = tl.load(q_ptr + query_tile, mask=inside_q, other=0.0)
    gradient = tl.load(gradient_ptr + query_tile, mask=inside_q, other=0.0)
    log_sum = tl.load(log_sum_ptr + first_row + query, mask=query < length, other=0.0)
    delta = tl.load(delta_ptr + first_row + query, mask=query < length, other=0.0)
    dq = tl.zeros([BLOCK_Q, HEAD], dtype=tl.float32)
    scale_log2 = scale * 1.4426950408889634
    end = tl.minimum(start_q + BLOCK_Q, length) if CAUSAL else length
    for start_k in range(0, end, BLOCK_K):
        key = start_k + tl.arange(0, BLOCK_K)
        key_tile = head + key[:, None] * HEAD + feature[None, :]
        k = tl.load(k_ptr + key_tile, mask=key[:, None] < length, other=0.0)
        v = tl.load(v_ptr + key_tile, mask=key[:, None] < length, other=0.0)
        score = tl.dot(q, tl.trans(k)) * scale_log2
        visible = inside_q & (key[None, :] < length)
        if CAUSAL:
            visible = visible & (key[None, :] <= query[:, None])
        probability = tl.where(visible, tl.exp2(score - log_sum[:, None]), 0.0)
        dscore = probability * (tl.dot(gradient, tl.trans(v)) - delta[:, None])
        dq = tl.dot(dscore.to(tl.float16), k, dq)
    tl.store(dq_ptr + query_tile, (dq * scale).to(tl.float16), mask=inside_q)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
q, k, v, gradient, dq, dk, dv = (fake_tensor((1024, 64), "float16") for _ in range(7))
log_sum, delta = fake_tensor((1024,), "float32"), fake_tensor((1024,), "float32")
options = {"CAUSAL": True, "HEAD": 64, "BLOCK_Q": 32, "BLOCK_K": 64}
attention_key_gradient[(16, 1)](q, k, v, gradient, log_sum, delta, dk, dv, 1024, 0.125, **options)
attention_query_gradient[(32, 1)](q, k, v, gradient, log_sum, delta, dq, 1024, 0.125, **options)
