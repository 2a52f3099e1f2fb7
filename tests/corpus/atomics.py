"""Atomics: a histogram with atomic_add, a maximum with atomic_max, and a spin lock with atomic_cas and atomic_xchg."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "histogram",
        "kernel": "histogram",
        "signature": {"x_ptr": "*i32:16", "bins_ptr": "*i32:16", "top_ptr": "*fp32:16", "n": "i32:16"},
        "constexprs": {"BINS": 64, "BLOCK": 256},
    },
    {
        "name": "locked_sum",
        "kernel": "locked_sum",
        "signature": {"x_ptr": "*fp32:16", "total_ptr": "*fp32:16", "lock_ptr": "*i32:16", "n": "i32"},
        "constexprs": {"BLOCK": 256},
    },
]


@triton.jit
def histogram(x_ptr, bins_ptr, top_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside, other=0)
    tl.atomic_add(bins_ptr + x % BINS, 1, mask=inside)
    tl.atomic_max(top_ptr, tl.max(x, axis=0).to(tl.float32), sem="relaxed")


@triton.jit
def locked_sum(x_ptr, total_ptr, lock_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), axis=0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(total_ptr, tl.load(total_ptr) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, bins, top = fake_tensor((4096,), "int32"), fake_tensor((64,), "int32"), fake_tensor((1,), "float32")
histogram[(16,)](x, bins, top, 4096, BINS=64, BLOCK=256)
