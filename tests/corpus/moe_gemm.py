"""Mixture of experts: tokens sorted by expert are gathered, multiplied with that expert's matrix and weighted by the router."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "bf16",
        "kernel": "moe_matmul",
        "signature": {
            "tokens_ptr": "*bf16:16", "experts_ptr": "*bf16:16", "out_ptr": "*bf16:16", "weights_ptr": "*fp32:16",
            "slots_ptr": "*i32:16", "expert_of_block_ptr": "*i32:16", "slots": "i32", "n": "i32:16", "k": "i32:16",
        },
        "constexprs": {"TOP": 2, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32},
        "options": {"num_warps": 4, "num_stages": 3},
    },
]


@triton.jit
def moe_matmul(
    tokens_ptr,
    experts_ptr,
    out_ptr,
    weights_ptr,
    slots_ptr,
    expert_of_block_ptr,
    slots,
    n,
    k,
    TOP: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # Slot s is choice s % TOP of token s // TOP. Each expert's slots are padded to whole blocks
    # with the number `slots`, which names none.
    expert = tl.load(expert_of_block_ptr + tl.program_id(0)).to(tl.int64)
    slot = tl.load(slots_ptr + tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M))
    real = slot < slots
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a = tokens_ptr + (slot // TOP)[:, None] * k + inner[None, :]
    b = experts_ptr + expert * n * k + column[None, :] * k + inner[:, None]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        left = k - start
        a_tile = tl.load(a, mask=real[:, None] & (inner[None, :] < left), other=0.0)
        b_tile = tl.load(b, mask=(inner[:, None] < left) & (column[None, :] < n), other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a += BLOCK_K
        b += BLOCK_K
    total *= tl.load(weights_ptr + slot, mask=real, other=0.0)[:, None]
    tl.store(
        out_ptr + slot[:, None] * n + column[None, :],
        total.to(tl.bfloat16),
        mask=real[:, None] & (column[None, :] < n),
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
tokens, experts = fake_tensor((512, 256), "bfloat16"), fake_tensor((8, 512, 256), "bfloat16")
out, weights = fake_tensor((1024, 512), "bfloat16"), fake_tensor((1024,), "float32")
slots, expert_of_block = fake_tensor((1536,), "int32"), fake_tensor((24,), "int32")
blocks = {"TOP": 2, "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
moe_matmul[(24, 8)](tokens, experts, out, weights, slots, expert_of_block, 1024, 512, 256, **blocks)
