"""Sum of two vectors: check it against PyTorch, then measure its bandwidth."""

import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def add_kernel(a_ptr, b_ptr, sum_ptr, count, BLOCK: tl.constexpr):
    first = tl.program_id(axis=0) * BLOCK
    index = first + tl.arange(0, BLOCK)
    inside = index < count
    a = tl.load(a_ptr + index, mask=inside)
    b = tl.load(b_ptr + index, mask=inside)
    tl.store(sum_ptr + index, a + b, mask=inside)


def add(a: torch.Tensor, b: torch.Tensor):
    total = torch.empty_like(a)
    assert a.device == DEVICE and b.device == DEVICE and total.device == DEVICE
    assert a.is_cuda and a.is_contiguous()
    count = total.numel()
    grid = lambda meta: (triton.cdiv(count, meta["BLOCK"]),)
    add_kernel[grid](a, b, total, count, BLOCK=1024)
    return total


torch.manual_seed(0)
length = 98432
a = torch.rand(length, device=DEVICE)
b = torch.rand(length, device=DEVICE)
expected = a + b
found = add(a, b)
print(expected)
print(found)
print(f"The largest difference is {torch.max(torch.abs(expected - found)):.3e}")
assert torch.allclose(expected, found, atol=1e-6)

# A slice that does not begin at a multiple of 16 bytes, of a length that is no multiple of 16.
add(a[1:1002], b[1:1002])
add(a[:1].half(), b[:1].half())


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["size"],
        x_vals=[2**i for i in range(12, 28)],
        x_log=True,
        line_arg="provider",
        line_vals=["triton", "torch"],
        line_names=["Triton", "Torch"],
        styles=[("blue", "-"), ("green", "-")],
        ylabel="GB/s",
        plot_name="vector-add",
        args={},
    )
)
def benchmark(size, provider):
    a = torch.rand(size, device=DEVICE, dtype=torch.float32)
    b = torch.rand(size, device=DEVICE, dtype=torch.float32)
    quantiles = [0.5, 0.2, 0.8]
    if provider == "torch":
        ms, low, high = triton.testing.do_bench(lambda: a + b, quantiles=quantiles)
    else:
        ms, low, high = triton.testing.do_bench(lambda: add(a, b), quantiles=quantiles)
    rate = lambda ms: 3 * a.numel() * a.element_size() * 1e-9 / (ms * 1e-3)
    return rate(ms), rate(high), rate(low)


benchmark.run(print_data=True, show_plots=True)
