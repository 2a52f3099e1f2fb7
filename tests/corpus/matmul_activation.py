"""Matrix multiplication with a fused epilogue: scale, bias and an activation chosen at compile time."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "gelu",
        "kernel": "matmul_activation",
        "signature": {
            "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "bias_ptr": "*fp32:16", "c_ptr": "*fp16:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16", "scale": "fp32",
        },
        "constexprs": {"ACTIVATION": "gelu", "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 3},
    },
    {
        "name": "leaky_relu",
        "kernel": "matmul_activation",
        "signature": {
            "a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "bias_ptr": "*fp32:16", "c_ptr": "*fp16:16",
            "m": "i32:16", "n": "i32:16", "k": "i32:16", "scale": "fp32",
        },
        "constexprs": {"ACTIVATION": "leaky_relu", "BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64},
        "options": {"num_warps": 8, "num_stages": 2},
    },
]


@triton.jit
def gelu(x):
    return 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def matmul_activation(
    a_ptr,
    b_ptr,
    bias_ptr,
    c_ptr,
    m,
    n,
    k,
    scale,
    ACTIVATION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        depth = start + inner
        a = tl.load(
            a_ptr + row[:, None] * k + depth[None, :],
            mask=(row[:, None] < m) & (depth[None, :] < k),
            other=0.0,
        )
        b = tl.load(
            b_ptr + depth[:, None] * n + column[None, :],
            mask=(depth[:, None] < k) & (column[None, :] < n),
            other=0.0,
        )
        total = tl.dot(a, b, total)
    bias = tl.load(bias_ptr + column, mask=column < n, other=0.0)
    result = total * scale + bias[None, :]
    if ACTIVATION == "gelu":
        result = gelu(result)
    elif ACTIVATION == "leaky_relu":
        result = leaky_relu(result)
    else:
        tl.static_assert(False, "ACTIVATION is gelu or leaky_relu")
    tl.store(
        c_ptr + row[:, None] * n + column[None, :],
        result.to(tl.float16),
        mask=(row[:, None] < m) & (column[None, :] < n),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, b, c = (fake_tensor((512, 512), "float16") for _ in range(3))
bias = fake_tensor((512,), "float32")
blocks = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
matmul_activation[(8, 8)](a, b, bias, c, 512, 512, 512, 0.5, ACTIVATION="gelu", **blocks)
