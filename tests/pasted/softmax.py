"""Softmax of each row in one kernel: as many programs as fit the GPU at once."""

import matplotlib.pyplot as plt
import torch

import triton
import triton.language as tl
from triton.runtime import driver

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def on_amd():
    return triton.runtime.driver.active.get_current_target().backend == "hip"


def has_matrix_cores():
    return on_amd() and triton.runtime.driver.active.get_current_target().arch in ("gfx90a", "gfx942", "gfx950")


def naive(x):
    largest = x.max(dim=1)[0]
    shifted = x - largest[:, None]
    numerator = torch.exp(shifted)
    return numerator / numerator.sum(dim=1)[:, None]


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, rows, columns, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, rows, step, num_stages=num_stages):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < columns
        values = tl.load(in_ptr + row * in_stride + offsets, mask=mask, other=-float("inf"))
        shifted = values - tl.max(values, axis=0)
        numerator = tl.exp(shifted)
        result = numerator / tl.sum(numerator, axis=0)
        tl.store(out_ptr + row * out_stride + offsets, result, mask=mask)


properties = driver.active.utils.get_device_properties(DEVICE.index)
MULTIPROCESSORS = properties["multiprocessor_count"]
REGISTERS = properties["max_num_regs"]
SHARED = properties["max_shared_mem"]
WARP = properties["warpSize"]
target = triton.runtime.driver.active.get_current_target()
kernels = {}


def softmax(x):
    rows, columns = x.shape
    BLOCK = triton.next_power_of_2(columns)
    num_warps = 8
    num_stages = 4 if SHARED > 200000 else 2
    y = torch.empty_like(x)
    kernel = softmax_kernel.warmup(
        y, x, x.stride(0), y.stride(0), rows, columns, BLOCK=BLOCK, num_stages=num_stages, num_warps=num_warps, grid=(1,)
    )
    kernel._init_handles()
    if on_amd():
        general = REGISTERS * 2 if has_matrix_cores() else REGISTERS
        threads = torch.cuda.get_device_properties(0).max_threads_per_multi_processor
        waves = threads // WARP
        occupancy = min(general // WARP // kernel.n_regs, waves) // num_warps
    else:
        occupancy = REGISTERS // (kernel.n_regs * WARP * num_warps)
    occupancy = min(occupancy, SHARED // kernel.metadata.shared)
    programs = min(MULTIPROCESSORS * occupancy, rows)
    kernel[(programs, 1, 1)](y, x, x.stride(0), y.stride(0), rows, columns, BLOCK, num_stages)
    return y


torch.manual_seed(0)
x = torch.randn(1823, 781, device=DEVICE)
assert torch.allclose(softmax(x), torch.softmax(x, axis=1)), (softmax(x), torch.softmax(x, axis=1))
plt.plot([1, 2], [3, 4])
plt.show()


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["N"],
        x_vals=[128 * i for i in range(2, 100)],
        line_arg="provider",
        line_vals=["triton", "torch", "naive"],
        line_names=["Triton", "Torch", "Naive"],
        styles=[("blue", "-"), ("green", "-"), ("red", "-")],
        ylabel="GB/s",
        plot_name="softmax",
        args={"M": 4096},
    )
)
def benchmark(M, N, provider):
    x = torch.randn(M, N, device=DEVICE, dtype=torch.float32)
    stream = getattr(torch, DEVICE.type).Stream()
    getattr(torch, DEVICE.type).set_stream(stream)
    function = {"triton": softmax, "torch": lambda x: torch.softmax(x, axis=-1), "naive": naive}[provider]
    ms = triton.testing.do_bench(lambda: function(x))
    return 2 * x.nelement() * x.element_size() * 1e-9 / (ms * 1e-3)


benchmark.run(show_plots=True, print_data=True)
