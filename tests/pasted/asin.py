"""A function of libdevice in a kernel."""

import inspect
import os
from pathlib import Path

import torch

import triton
import triton.language as tl
from triton.language.extra import libdevice

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def asin_kernel(x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < count
    x = tl.load(x_ptr + index, mask=mask)
    tl.store(y_ptr + index, libdevice.asin(x), mask=mask)


torch.manual_seed(0)
size = 98432
x = torch.rand(size, device=DEVICE)
output_triton = torch.zeros(size, device=DEVICE)
output_torch = torch.asin(x)
assert x.is_cuda and output_triton.is_cuda
count = output_torch.numel()
grid = lambda meta: (triton.cdiv(count, meta["BLOCK"]),)
asin_kernel[grid](x, output_triton, count, BLOCK=1024)
print(f"The maximum difference is {torch.max(torch.abs(output_torch - output_triton))}")


def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def is_hip():
    return triton.runtime.driver.active.get_current_target().backend == "hip"


folder = Path(inspect.getfile(triton)).parent / "backends"
if is_cuda():
    extern_libs = {"libdevice": str(folder / "nvidia" / "lib" / "libdevice.10.bc")}
elif is_hip():
    extern_libs = {name: str(folder / "amd" / "lib" / f"{name}.bc") for name in ["ocml", "ockl"]}
else:
    raise RuntimeError("unknown backend")
assert all(os.path.exists(path) for path in extern_libs.values())

output_triton = torch.empty_like(x)
asin_kernel[grid](x, output_triton, count, BLOCK=1024, extern_libs=extern_libs)
print(f"The maximum difference is {torch.max(torch.abs(output_torch - output_triton)).item():.2e}")
