"""Dropout that keeps a seed instead of a mask."""

import tabulate
import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def dropout_with_mask(x_ptr, keep_ptr, out_ptr, count, p, BLOCK: tl.constexpr):
    index = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < count
    x = tl.load(x_ptr + index, mask=mask)
    keep = tl.load(keep_ptr + index, mask=mask)
    tl.store(out_ptr + index, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def masked(x, keep, p):
    out = torch.empty_like(x)
    assert x.is_contiguous()
    count = x.numel()
    grid = lambda meta: (triton.cdiv(count, meta["BLOCK"]),)
    dropout_with_mask[grid](x, keep, out, count, p, BLOCK=1024)
    return out


@triton.jit
def dropout_with_seed(x_ptr, out_ptr, count, p, seed, BLOCK: tl.constexpr):
    index = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < count
    x = tl.load(x_ptr + index, mask=mask)
    keep = tl.rand(seed, index) > p
    tl.store(out_ptr + index, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def seeded(x, p, seed):
    out = torch.empty_like(x)
    assert x.is_contiguous()
    count = x.numel()
    grid = lambda meta: (triton.cdiv(count, meta["BLOCK"]),)
    dropout_with_seed[grid](x, out, count, p, seed, BLOCK=1024)
    return out


x = torch.randn(size=(10,), device=DEVICE)
p = 0.5
keep = (torch.rand(size=(10,), device=DEVICE) > p).to(torch.int32)
out = masked(x, keep=keep, p=p)
first = seeded(x, p=0.5, seed=123)
again = seeded(x, p=0.5, seed=123)
other = seeded(x, p=0.5, seed=512)
print(
    tabulate.tabulate(
        [
            ["input"] + x.tolist(),
            ["mask"] + keep.tolist(),
            ["masked"] + out.tolist(),
            ["seed 123"] + first.tolist(),
            ["seed 123"] + again.tolist(),
            ["seed 512"] + other.tolist(),
        ]
    )
)
