"""Compare and swap: a block of claims in 32 and 64 bits, and a ticket lock with each memory order and scope."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "claim_int32",
        "kernel": "claim",
        "signature": "*i32:16, *i32:16, *i32:16",
        "constexprs": {"BLOCK": 128},
    },
    {
        "name": "claim_int64",
        "kernel": "claim",
        "signature": "*i64:16, *i64:16, *i32:16",
        "constexprs": {"BLOCK": 64},
        "options": {"num_warps": 2},
    },
    {
        "name": "turn",
        "kernel": "take_turns",
        "signature": "*i32:16, *fp32:16, *fp32:16",
        "constexprs": {"BLOCK": 128},
    },
]


@triton.jit
def claim(slots_ptr, keys_ptr, won_ptr, BLOCK: tl.constexpr):
    """Put each key into its slot if the slot is free (0); note who won."""
    lane = tl.arange(0, BLOCK)
    offsets = tl.program_id(0) * BLOCK + lane
    key = tl.load(keys_ptr + offsets)
    found = tl.atomic_cas(slots_ptr + lane, tl.zeros_like(key), key, sem="relaxed")
    tl.store(won_ptr + offsets, (found == 0).to(tl.int32))


@triton.jit
def take_turns(turn_ptr, x_ptr, out_ptr, BLOCK: tl.constexpr):
    """Fold the blocks of x into out in the order of the programs."""
    program = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + program * BLOCK + lane)
    while tl.atomic_cas(turn_ptr, program, program, sem="acquire", scope="gpu") != program:
        pass
    tl.store(out_ptr + lane, tl.load(out_ptr + lane) * 0.5 + x)
    tl.debug_barrier()
    tl.atomic_add(turn_ptr, 1, sem="release", scope="gpu")
    tl.atomic_add(turn_ptr + 1, 1, sem="relaxed", scope="cta")
    tl.atomic_xchg(turn_ptr + 2, program, sem="acq_rel", scope="sys")


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

slots, keys, won = (fake_tensor((size,), "int32") for size in (128, 1024, 1024))
claim[(8,)](slots, keys, won, BLOCK=128)
turn, x, out = fake_tensor((3,), "int32"), fake_tensor((1024,)), fake_tensor((128,))
take_turns[(8,)](turn, x, out, BLOCK=128)
