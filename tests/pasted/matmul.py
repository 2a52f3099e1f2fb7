"""Matrix product with autotuning, and an activation folded in."""

import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def on_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def cuda_configs():
    sizes = [(128, 256, 64, 3, 8), (64, 256, 32, 4, 4), (128, 128, 32, 4, 4), (64, 32, 32, 5, 2)]
    return [
        triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8}, num_stages=stages, num_warps=warps)
        for bm, bn, bk, stages, warps in sizes
    ]


def hip_configs():
    return [
        triton.Config({"BM": 128, "BN": 256, "BK": 16, "GROUP": 1, "waves_per_eu": 2}, num_warps=4, num_stages=2),
        triton.Config({"BM": 64, "BN": 64, "BK": 32, "GROUP": 4, "waves_per_eu": 0}, num_warps=8, num_stages=2),
    ]


@triton.autotune(configs=cuda_configs() if on_cuda() else hip_configs(), key=["M", "N", "K"])
@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr,
    M, N, K,
    stride_am, stride_ak,
    stride_bk, stride_bn,
    stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
    ACTIVATION: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    per_group = GROUP * columns
    group = program // per_group
    first_row = group * GROUP
    height = min(rows - first_row, GROUP)
    row = first_row + ((program % per_group) % height)
    column = (program % per_group) // height

    offs_m = (row * BM + tl.arange(0, BM)) % M
    offs_n = (column * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    if ACTIVATION == "leaky_relu":
        total = leaky_relu(total)
    c = total.to(tl.float16)
    offs_m = row * BM + tl.arange(0, BM)
    offs_n = column * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * offs_m[:, None] + stride_cn * offs_n[None, :]
    tl.store(c_ptrs, c, mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


def matmul(a, b, activation=""):
    assert a.shape[1] == b.shape[0], "Incompatible dimensions"
    assert a.is_contiguous(), "Matrix A must be contiguous"
    M, K = a.shape
    K, N = b.shape
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
    matmul_kernel[grid](
        a, b, c,
        M, N, K,
        a.stride(0), a.stride(1),
        b.stride(0), b.stride(1),
        c.stride(0), c.stride(1),
        ACTIVATION=activation,
    )  # fmt: skip
    return c


torch.manual_seed(0)
a = torch.randn((512, 512), device=DEVICE, dtype=torch.float16)
b = torch.randn((512, 512), device=DEVICE, dtype=torch.float16)
triton_output = matmul(a, b)
torch_output = torch.matmul(a, b)
tolerance = 1e-2 if not on_cuda() else 0
if torch.allclose(triton_output, torch_output, atol=1e-2, rtol=tolerance):
    print("Triton and Torch match")
else:
    print("Triton and Torch differ")

if hasattr(torch, "float8_e5m2") and on_cuda():
    a8 = a.to(torch.float8_e5m2)
    b8 = b.T.to(torch.float8_e5m2)
    triton_output = matmul(a8, b8, activation="leaky_relu")
    torch_output = torch.matmul(a8.to(torch.float16), b8.to(torch.float16))
    assert triton_output.shape == torch_output.shape

vendor = "cuBLAS" if on_cuda() else "rocBLAS"


@triton.testing.perf_report(
    [
        triton.testing.Benchmark(
            x_names=["M", "N", "K"],
            x_vals=[128 * i for i in range(2, 33)],
            line_arg="provider",
            line_vals=[vendor.lower(), "triton"],
            line_names=[vendor, "Triton"],
            ylabel="TFLOPS",
            plot_name="matmul-fp16",
            args={},
        )
    ]
)
def benchmark(M, N, K, provider):
    a = torch.randn((M, K), device=DEVICE, dtype=torch.float16)
    b = torch.randn((K, N), device=DEVICE, dtype=torch.float16)
    run = (lambda: matmul(a, b)) if provider == "triton" else (lambda: torch.matmul(a, b))
    ms, low, high = triton.testing.do_bench(run, quantiles=[0.5, 0.2, 0.8])
    perf = lambda ms: 2 * M * N * K * 1e-12 / (ms * 1e-3)
    return perf(ms), perf(high), perf(low)


benchmark.run(show_plots=True, print_data=True)
