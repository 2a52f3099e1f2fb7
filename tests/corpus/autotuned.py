"""A kernel with autotune's configurations and heuristics, compiled for two of them from its launch."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "first",
        "kernel": "scale_and_shift",
        "config": 0,
    },
    {
        "name": "second",
        "kernel": "scale_and_shift",
        "config": 1,
    },
]


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 256}, num_warps=2, num_stages=1),
        triton.Config({"BLOCK": 2048}, num_warps=8, num_stages=2),
    ],
    key=["n"],
)
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
@triton.jit
def scale_and_shift(x_ptr, out_ptr, factor, offset, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out_ptr + index, tl.load(x_ptr + index) * factor + offset)
    else:
        inside = index < n
        x = tl.load(x_ptr + index, mask=inside)
        tl.store(out_ptr + index, x * factor + offset, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((5120,), "float32"), fake_tensor((5120,), "float32")
scale_and_shift[lambda meta: (triton.cdiv(5120, meta["BLOCK"]),)](x, out, 2.0, 1, 5120)
