"""Vector addition: the smallest kernel with masked loads and a masked store."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "vector_add",
        "signature": {"x_ptr": "*fp32:16", "y_ptr": "*fp32:16", "out_ptr": "*fp32:16", "n": "i32:16"},
        "constexprs": {"BLOCK": 1024},
    },
    {
        "name": "fp16_unaligned",
        "kernel": "vector_add",
        "signature": {"x_ptr": "*fp16", "y_ptr": "*fp16", "out_ptr": "*fp16", "n": "i32"},
        "constexprs": {"BLOCK": 256},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, y, out = (fake_tensor((4096,), "float32") for _ in range(3))
vector_add[(4,)](x, y, out, 4096, BLOCK=1024)
