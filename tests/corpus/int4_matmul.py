"""Weight-only int4 matrix multiplication: two weights a byte, unpacked and interleaved along k, one scale a group of rows."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp16",
        "kernel": "int4_matmul",
        "signature": {
            "a_ptr": "*fp16:16", "packed_ptr": "*i8:16", "scale_ptr": "*fp16:16", "c_ptr": "*fp16:16",
            "m": "i32", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 64, "GROUP": 32},
        "options": {"num_warps": 4, "num_stages": 2},
    },
]


@triton.jit
def int4_matmul(
    a_ptr,
    packed_ptr,
    scale_ptr,
    c_ptr,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, GROUP)
    pair = tl.arange(0, GROUP // 2)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for group in range(k // GROUP):
        a = tl.load(
            a_ptr + row[:, None] * k + (group * GROUP + inner)[None, :],
            mask=row[:, None] < m,
            other=0.0,
        )
        byte = tl.load(
            packed_ptr + (group * (GROUP // 2) + pair)[:, None] * n + column[None, :],
            mask=column[None, :] < n,
            other=0,
        )
        # Signed nibbles: the low one is row 2p of the weight, the high one row 2p + 1.
        low = (byte << 4).to(tl.int8) >> 4
        high = byte >> 4
        weight = tl.join(low, high).permute(0, 2, 1).reshape(GROUP, BLOCK_N)
        scale = tl.load(scale_ptr + group * n + column, mask=column < n, other=0.0)
        total += tl.dot(a, weight.to(tl.float16)) * scale[None, :].to(tl.float32)
    tl.store(
        c_ptr + row[:, None] * n + column[None, :],
        total.to(tl.float16),
        mask=(row[:, None] < m) & (column[None, :] < n),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
a, packed = fake_tensor((256, 512), "float16"), fake_tensor((256, 512), "int8")
scale, c = fake_tensor((16, 512), "float16"), fake_tensor((256, 512), "float16")
int4_matmul[(4, 8)](a, packed, scale, c, 256, 512, 512, BLOCK_M=64, BLOCK_N=64, GROUP=32)
