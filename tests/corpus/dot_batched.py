"""Three-dimensional dots: each program multiplies a block of small matrices pairwise."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "batched_product",
        "signature": "*fp16:16, *fp16:16, *fp32:16, i32",
        "constexprs": {"BATCH": 4, "SIZE": 32},
        "options": {"num_warps": 4},
    },
    {
        "name": "fp32",
        "kernel": "batched_product",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32",
        "constexprs": {"BATCH": 2, "SIZE": 16},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def batched_product(a_ptr, b_ptr, c_ptr, count, BATCH: tl.constexpr, SIZE: tl.constexpr):
    matrix = tl.program_id(0) * BATCH + tl.arange(0, BATCH)
    index = tl.arange(0, SIZE)
    element = matrix[:, None, None] * SIZE * SIZE + index[None, :, None] * SIZE + index[None, None, :]
    inside = matrix[:, None, None] < count
    a = tl.load(a_ptr + element, mask=inside, other=0.0)
    b = tl.load(b_ptr + element, mask=inside, other=0.0)
    tl.store(c_ptr + element, tl.dot(a, b), mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((10, 32, 32), "float16"), fake_tensor((10, 32, 32), "float16")
c = fake_tensor((10, 32, 32), "float32")
batched_product[(3,)](a, b, c, 10, BATCH=4, SIZE=32)
