"""Atomic addition of 16-bit floats, packed in pairs where the target can, as in an embedding's gradient."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "embedding_backward",
        "signature": "*fp16:16, *i32:16, *fp16:16, i32:16",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "bf16",
        "kernel": "embedding_backward",
        "signature": "*bf16:16, *i64:16, *bf16:16, i32",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def embedding_backward(gradient_ptr, index_ptr, table_ptr, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    feature = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = feature < width
    gradient = tl.load(gradient_ptr + token * width + feature, mask=inside, other=0.0)
    entry = tl.load(index_ptr + token)
    tl.atomic_add(table_ptr + entry * width + feature, gradient, mask=inside, sem="relaxed")


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

gradient, table = fake_tensor((32, 256), "float16"), fake_tensor((100, 256), "float16")
embedding_backward[(32, 2)](gradient, fake_tensor((32,), "int32"), table, 256, BLOCK=128)
