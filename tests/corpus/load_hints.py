"""Every cache modifier and eviction policy of loads and stores, and volatile loads."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "hinted_copy",
        "signature": "*fp32:16, *fp32:16, i32:16",
        "constexprs": {"BLOCK": 256},
    },
    {
        "name": "bf16_eight_warps",
        "kernel": "hinted_copy",
        "signature": "*bf16:16, *bf16:16, i32",
        "constexprs": {"BLOCK": 1024},
        "options": {"num_warps": 8},
    },
]


@triton.jit
def hinted_copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    at, to = x_ptr + offsets, out_ptr + offsets
    all_levels = tl.load(at, mask=inside, cache_modifier=".ca", eviction_policy="evict_last")
    global_level = tl.load(at + n, mask=inside, cache_modifier=".cg", eviction_policy="evict_first")
    again = tl.load(at + 2 * n, mask=inside, cache_modifier=".cv")
    changing = tl.load(at + 3 * n, mask=inside, volatile=True)
    tl.store(to, all_levels, mask=inside, cache_modifier=".wb", eviction_policy="evict_last")
    tl.store(to + n, global_level, mask=inside, cache_modifier=".cg")
    tl.store(to + 2 * n, again, mask=inside, cache_modifier=".cs", eviction_policy="evict_first")
    tl.store(to + 3 * n, changing, mask=inside, cache_modifier=".wt")


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((4, 4096), "float32"), fake_tensor((4, 4096), "float32")
hinted_copy[(16,)](x, out, 4096, BLOCK=256)
