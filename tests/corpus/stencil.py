"""One step of heat diffusion on a plane, a five-point stencil; the rim keeps its values."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "heat_step",
        "signature": {"in_ptr": "*fp32:16", "out_ptr": "*fp32:16", "height": "i32", "width": "i32:16", "rate": "fp32"},
        "constexprs": {"BLOCK_Y": 16, "BLOCK_X": 64},
    },
    {
        "name": "fp64",
        "kernel": "heat_step",
        "signature": {"in_ptr": "*fp64:16", "out_ptr": "*fp64:16", "height": "i32", "width": "i32", "rate": "fp64"},
        "constexprs": {"BLOCK_Y": 8, "BLOCK_X": 32},
    },
]


@triton.jit
def heat_step(in_ptr, out_ptr, height, width, rate, BLOCK_Y: tl.constexpr, BLOCK_X: tl.constexpr):
    y = (tl.program_id(0) * BLOCK_Y + tl.arange(0, BLOCK_Y))[:, None]
    x = (tl.program_id(1) * BLOCK_X + tl.arange(0, BLOCK_X))[None, :]
    inside = (y < height) & (x < width)
    inner = (y > 0) & (y < height - 1) & (x > 0) & (x < width - 1)
    at = in_ptr + y * width + x
    centre = tl.load(at, mask=inside, other=0.0)
    around = tl.load(at - width, mask=inner, other=0.0) + tl.load(at + width, mask=inner, other=0.0)
    around += tl.load(at - 1, mask=inner, other=0.0) + tl.load(at + 1, mask=inner, other=0.0)
    result = tl.where(inner, centre + rate * (around - 4 * centre), centre)
    tl.store(out_ptr + y * width + x, result, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
grid_in, grid_out = fake_tensor((512, 512), "float32"), fake_tensor((512, 512), "float32")
heat_step[(32, 8)](grid_in, grid_out, 512, 512, 0.2, BLOCK_Y=16, BLOCK_X=64)
