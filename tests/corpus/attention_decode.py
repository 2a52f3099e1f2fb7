"""Attention for decoding: the keys of one head are split over programs, and a second kernel combines their parts.

The query heads that share a key head are the rows of the matrix products.
"""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "split",
        "kernel": "attention_split",
        "signature": {
            "q_ptr": "*fp16:16", "k_ptr": "*fp16:16", "v_ptr": "*fp16:16",
            "part_ptr": "*fp32:16", "highest_ptr": "*fp32:16", "weight_ptr": "*fp32:16",
            "length": "i32", "scale": "fp32",
        },
        "constexprs": {"SPLITS": 8, "QUERIES": 16, "HEAD": 64, "BLOCK": 64},
        "options": {"num_warps": 2, "num_stages": 2},
    },
    {
        "name": "combine",
        "kernel": "attention_combine",
        "signature": {"part_ptr": "*fp32:16", "highest_ptr": "*fp32:16", "weight_ptr": "*fp32:16", "out_ptr": "*fp16:16"},
        "constexprs": {"SPLITS": 8, "QUERIES": 16, "HEAD": 64},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def attention_split(
    q_ptr,
    k_ptr,
    v_ptr,
    part_ptr,
    highest_ptr,
    weight_ptr,
    length,
    scale,
    SPLITS: tl.constexpr,
    QUERIES: tl.constexpr,
    HEAD: tl.constexpr,
    BLOCK: tl.constexpr,
):
    head = tl.program_id(0)
    split = tl.program_id(1)
    query = tl.arange(0, QUERIES)
    feature = tl.arange(0, HEAD)
    q = tl.load(q_ptr + (head * QUERIES + query)[:, None] * HEAD + feature[None, :])
    share = tl.cdiv(length, SPLITS)
    end = tl.minimum((split + 1) * share, length)
    # A finite start: a split without keys must not give NaN.
    highest = tl.full([QUERIES], -1.0e30, dtype=tl.float32)
    weight = tl.zeros([QUERIES], dtype=tl.float32)
    part = tl.zeros([QUERIES, HEAD], dtype=tl.float32)
    head_base = head.to(tl.int64) * length * HEAD
    for start in range(split * share, end, BLOCK):
        key = start + tl.arange(0, BLOCK)
        tile = head_base + key[:, None] * HEAD + feature[None, :]
        k = tl.load(k_ptr + tile, mask=key[:, None] < end, other=0.0)
        v = tl.load(v_ptr + tile, mask=key[:, None] < end, other=0.0)
        score = tl.dot(q, k.T) * (scale * 1.4426950408889634)
        score = tl.where(key[None, :] < end, score, -1.0e30)
        new_highest = tl.maximum(highest, tl.max(score, axis=1))
        probability = tl.exp2(score - new_highest[:, None])
        correction = tl.exp2(highest - new_highest)
        weight = weight * correction + tl.sum(probability, axis=1)
        part = tl.dot(probability.to(tl.float16), v, part * correction[:, None])
        highest = new_highest
    row = (head * SPLITS + split) * QUERIES + query
    tl.store(part_ptr + row[:, None] * HEAD + feature[None, :], part)
    tl.store(highest_ptr + row, highest)
    tl.store(weight_ptr + row, weight)


@triton.jit
def attention_combine(
    part_ptr,
    highest_ptr,
    weight_ptr,
    out_ptr,
    SPLITS: tl.constexpr,
    QUERIES: tl.constexpr,
    HEAD: tl.constexpr,
):
    head = tl.program_id(0)
    query = tl.program_id(1)
    feature = tl.arange(0, HEAD)
    row = (head * SPLITS + tl.arange(0, SPLITS)) * QUERIES + query
    highest = tl.load(highest_ptr + row)
    factor = tl.exp2(highest - tl.max(highest, axis=0))
    weight = tl.sum(tl.load(weight_ptr + row) * factor, axis=0)
    part = tl.load(part_ptr + row[:, None] * HEAD + feature[None, :])
    out = tl.sum(part * factor[:, None], axis=0) / weight
    tl.store(out_ptr + (head * QUERIES + query) * HEAD + feature, out.to(tl.float16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
q, k, v = fake_tensor((8, 16, 64), "float16"), fake_tensor((8, 4096, 64), "float16"), fake_tensor((8, 4096, 64), "float16")
part, highest, weight = fake_tensor((8, 8, 16, 64)), fake_tensor((8, 8, 16)), fake_tensor((8, 8, 16))
out = fake_tensor((8, 16, 64), "float16")
attention_split[(8, 8)](q, k, v, part, highest, weight, 4096, 0.125, SPLITS=8, QUERIES=16, HEAD=64, BLOCK=64)
attention_combine[(8, 16)](part, highest, weight, out, SPLITS=8, QUERIES=16, HEAD=64)
