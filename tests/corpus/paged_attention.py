"""Paged attention, one new query a sequence: keys and values lie in pages that a block table names."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16",
        "kernel": "paged_attention",
        "signature": {
            "q_ptr": "*bf16:16", "key_pages_ptr": "*bf16:16", "value_pages_ptr": "*bf16:16",
            "table_ptr": "*i32:16", "lengths_ptr": "*i32:16", "out_ptr": "*bf16:16",
            "table_stride": "i32", "heads": "i32", "scale": "fp32",
        },
        "constexprs": {"HEAD": 128, "PAGE": 16},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def paged_attention(
    q_ptr,
    key_pages_ptr,
    value_pages_ptr,
    table_ptr,
    lengths_ptr,
    out_ptr,
    table_stride,
    heads,
    scale,
    HEAD: tl.constexpr,
    PAGE: tl.constexpr,
):
    sequence = tl.program_id(0)
    head = tl.program_id(1)
    feature = tl.arange(0, HEAD)
    slot = tl.arange(0, PAGE)
    length = tl.load(lengths_ptr + sequence)
    q = tl.load(q_ptr + (sequence * heads + head) * HEAD + feature).to(tl.float32) * scale
    highest = -float("inf")
    weight = 0.0
    result = tl.zeros([HEAD], dtype=tl.float32)
    for index in range(tl.cdiv(length, PAGE)):
        # Pages are shared by all sequences, so their pool may pass 2³¹ elements.
        page = tl.load(table_ptr + sequence * table_stride + index).to(tl.int64)
        tile = (page * heads + head) * PAGE * HEAD + slot[:, None] * HEAD + feature[None, :]
        filled = index * PAGE + slot < length
        k = tl.load(key_pages_ptr + tile, mask=filled[:, None], other=0.0).to(tl.float32)
        v = tl.load(value_pages_ptr + tile, mask=filled[:, None], other=0.0).to(tl.float32)
        score = tl.where(filled, tl.sum(k * q[None, :], axis=1), -float("inf"))
        new_highest = tl.maximum(highest, tl.max(score, axis=0))
        probability = tl.exp(score - new_highest)
        correction = tl.exp(highest - new_highest)
        weight = weight * correction + tl.sum(probability, axis=0)
        result = result * correction + tl.sum(v * probability[:, None], axis=0)
        highest = new_highest
    tl.store(out_ptr + (sequence * heads + head) * HEAD + feature, (result / weight).to(tl.bfloat16))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
q, out = fake_tensor((4, 8, 128), "bfloat16"), fake_tensor((4, 8, 128), "bfloat16")
keys, values = (fake_tensor((256, 8, 16, 128), "bfloat16") for _ in range(2))
table, lengths = fake_tensor((4, 64), "int32"), fake_tensor((4,), "int32")
paged_attention[(4, 8)](q, keys, values, table, lengths, out, 64, 8, 0.088, HEAD=128, PAGE=16)
