"""Embedding: rows gathered from a table by token, and their gradients scattered back with atomics."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "gather",
        "kernel": "embed",
        "signature": {
            "table_ptr": "*fp16:16", "tokens_ptr": "*i32:16", "out_ptr": "*fp16:16",
            "vocabulary": "i32", "columns": "i32:16",
        },
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "scatter",
        "kernel": "embed_backward",
        "signature": {
            "gradient_ptr": "*fp16:16", "tokens_ptr": "*i32:16", "table_gradient_ptr": "*fp32:16",
            "vocabulary": "i32", "columns": "i32:16",
        },
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "scatter_fp16",
        "kernel": "embed_backward",
        "signature": {
            "gradient_ptr": "*fp16:16", "tokens_ptr": "*i32:16", "table_gradient_ptr": "*fp16:16",
            "vocabulary": "i32", "columns": "i32:16",
        },
        "constexprs": {"BLOCK": 256},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def embed(table_ptr, tokens_ptr, out_ptr, vocabulary, columns, BLOCK: tl.constexpr):
    position = tl.program_id(0).to(tl.int64)
    token = tl.load(tokens_ptr + position).to(tl.int64)
    known = (token >= 0) & (token < vocabulary)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        row = tl.load(table_ptr + token * columns + column, mask=inside & known, other=0.0)
        tl.store(out_ptr + position * columns + column, row, mask=inside)


@triton.jit
def embed_backward(gradient_ptr, tokens_ptr, table_gradient_ptr, vocabulary, columns, BLOCK: tl.constexpr):
    position = tl.program_id(0).to(tl.int64)
    token = tl.load(tokens_ptr + position).to(tl.int64)
    if (token >= 0) & (token < vocabulary):
        for start in range(0, columns, BLOCK):
            column = start + tl.arange(0, BLOCK)
            inside = column < columns
            gradient = tl.load(gradient_ptr + position * columns + column, mask=inside, other=0.0)
            gradient = gradient.to(table_gradient_ptr.dtype.element_ty)
            tl.atomic_add(table_gradient_ptr + token * columns + column, gradient, mask=inside, sem="relaxed")


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
table, tokens = fake_tensor((32000, 256), "float16"), fake_tensor((512,), "int32")
out, gradient = fake_tensor((512, 256), "float16"), fake_tensor((32000, 256), "float16")
embed[(512,)](table, tokens, out, 32000, 256, BLOCK=256)
embed_backward[(512,)](out, tokens, gradient, 32000, 256, BLOCK=256)
