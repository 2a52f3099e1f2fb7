import triton
import triton.language as tl
from triton_playground import fake_tensor


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """out = x + y, one block of elements a program."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


# A launch says what to compile for: types, divisibility, constants. It is recorded, not run.
n = 1 << 20
x, y, out = (fake_tensor((n,), dtype="fp32") for _ in range(3))
add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
