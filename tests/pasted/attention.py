"""Attention in one pass over the keys, with autograd and a pytest test; the main guard runs the benchmark."""

import pytest
import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def on_hip():
    return triton.runtime.driver.active.get_current_target().backend == "hip"


def supports_host_descriptor():
    return not on_hip() and torch.cuda.get_device_capability()[0] == 9


@triton.jit
def inner(acc, l_i, m_i, q, K_ptrs, V_ptrs, stride_kn, stride_vn, start_m, scale, N_CTX,
          STAGE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):  # fmt: skip
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    if STAGE == 1:
        low, high = 0, start_m * BM
    elif STAGE == 2:
        low, high = start_m * BM, (start_m + 1) * BM
        low = tl.multiple_of(low, BM)
    else:
        low, high = 0, N_CTX
    K_ptrs += low * stride_kn
    V_ptrs += low * stride_vn
    for start_n in range(low, high, BN):
        start_n = tl.multiple_of(start_n, BN)
        k = tl.load(K_ptrs)
        qk = tl.dot(q, k)
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            qk = qk * scale + tl.where(mask, 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * scale)
            qk = qk * scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        l_ij = tl.sum(p, 1)
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + l_ij
        acc = acc * alpha[:, None]
        v = tl.load(V_ptrs)
        acc = tl.dot(p.to(v.dtype), v, acc)
        m_i = m_ij
        V_ptrs += BN * stride_vn
        K_ptrs += BN * stride_kn
    return acc, l_i, m_i


configs = [
    triton.Config({"BM": bm, "BN": bn}, num_stages=stages, num_warps=warps)
    for bm in [64, 128]
    for bn in [32, 64]
    for stages in ([1] if on_hip() else [3, 4])
    for warps in [4, 8]
]


def keep(config):
    return not (config.kwargs["BM"] * config.kwargs["BN"] < 128 * 128 and config.num_warps == 8)


@triton.autotune(list(filter(keep, configs)), key=["N_CTX", "HEAD"])
@triton.jit
def attention_kernel(
    Q, K, V, scale, M, Out,
    stride_qz, stride_qh, stride_qm, stride_qk,
    stride_kz, stride_kh, stride_kn, stride_kk,
    stride_vz, stride_vh, stride_vn, stride_vk,
    H, N_CTX,
    HEAD: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, STAGE: tl.constexpr,
):  # fmt: skip
    tl.static_assert(BN <= HEAD)
    start_m = tl.program_id(0)
    batch = tl.program_id(1) // H
    head = tl.program_id(1) % H
    base = batch.to(tl.int64) * stride_qz + head.to(tl.int64) * stride_qh
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD)
    q = tl.load(Q + base + offs_m[:, None] * stride_qm + offs_d[None, :] * stride_qk)
    K_ptrs = K + base + offs_n[None, :] * stride_kn + offs_d[:, None] * stride_kk
    V_ptrs = V + base + offs_n[:, None] * stride_vn + offs_d[None, :] * stride_vk
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, HEAD], dtype=tl.float32)
    scale *= 1.44269504
    if STAGE & 1:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, K_ptrs, V_ptrs, stride_kn, stride_vn, start_m, scale, N_CTX, 4 - STAGE, BM, BN)
    if STAGE & 2:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, K_ptrs, V_ptrs, stride_kn, stride_vn, start_m, scale, N_CTX, 2, BM, BN)
    m_i += tl.math.log2(l_i)
    acc = acc / l_i[:, None]
    tl.store(M + tl.program_id(1) * N_CTX + offs_m, m_i)
    tl.store(Out + base + offs_m[:, None] * stride_qm + offs_d[None, :] * stride_qk, acc.to(Out.type.element_ty))


@triton.jit
def preprocess_kernel(O, DO, Delta, N_CTX, BM: tl.constexpr, HEAD: tl.constexpr):
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    row = tl.program_id(1)
    offs_n = tl.arange(0, HEAD)
    o = tl.load(O + row * HEAD * N_CTX + offs_m[:, None] * HEAD + offs_n[None, :])
    do = tl.load(DO + row * HEAD * N_CTX + offs_m[:, None] * HEAD + offs_n[None, :]).to(tl.float32)
    tl.store(Delta + row * N_CTX + offs_m, tl.sum(o * do, axis=1))


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal, scale):
        HEAD_Q, HEAD_K = q.shape[-1], k.shape[-1]
        assert HEAD_Q == HEAD_K and HEAD_K in {16, 32, 64, 128, 256}
        o = torch.empty_like(q)
        stage = 3 if causal else 1
        extra = {"waves_per_eu": 3 if HEAD_K <= 64 else 2} if on_hip() else {}
        M = torch.empty((q.shape[0], q.shape[1], q.shape[2]), device=q.device, dtype=torch.float32)
        grid = lambda args: (triton.cdiv(q.shape[2], args["BM"]), q.shape[0] * q.shape[1], 1)
        ctx.grid = grid
        attention_kernel[grid](
            q, k, v, scale, M, o,
            q.stride(0), q.stride(1), q.stride(2), q.stride(3),
            k.stride(0), k.stride(1), k.stride(2), k.stride(3),
            v.stride(0), v.stride(1), v.stride(2), v.stride(3),
            q.shape[1], N_CTX=q.shape[2], HEAD=HEAD_K, STAGE=stage, **extra,
        )  # fmt: skip
        ctx.save_for_backward(q, k, v, o, M)
        ctx.scale, ctx.causal = scale, causal
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, o, M = ctx.saved_tensors
        assert do.is_contiguous()
        assert q.stride() == k.stride() == v.stride() == o.stride() == do.stride()
        batch, heads, length = q.shape[:3]
        delta = torch.empty_like(M)
        assert length % 128 == 0
        preprocess_kernel[(length // 128, batch * heads)](o, do, delta, length, BM=128, HEAD=q.shape[-1])
        return torch.empty_like(q), torch.empty_like(k), torch.empty_like(v), None, None


attention = Attention.apply


@pytest.mark.parametrize("Z, H, N_CTX, HEAD", [(1, 2, 1024, 64), (4, 48, 1024, 128)])
@pytest.mark.parametrize("causal", [True, False])
def test_attention(Z, H, N_CTX, HEAD, causal, dtype=torch.float16):
    torch.manual_seed(20)
    q = torch.empty((Z, H, N_CTX, HEAD), dtype=dtype, device=DEVICE).normal_(mean=0.0, std=0.5).requires_grad_()
    k = torch.empty((Z, H, N_CTX, HEAD), dtype=dtype, device=DEVICE).normal_(mean=0.0, std=0.5).requires_grad_()
    v = torch.empty((Z, H, N_CTX, HEAD), dtype=dtype, device=DEVICE).normal_(mean=0.0, std=0.5).requires_grad_()
    scale = 0.5
    dout = torch.randn_like(q)
    mask = torch.tril(torch.ones((N_CTX, N_CTX), device=DEVICE))
    p = torch.matmul(q, k.transpose(2, 3)) * scale
    if causal:
        p[:, :, mask == 0] = float("-inf")
    p = torch.softmax(p.float(), dim=-1).half()
    reference = torch.matmul(p, v)
    reference.backward(dout)
    ref_dv, v.grad = v.grad.clone(), None
    out = attention(q, k, v, causal, scale).half()
    out.backward(dout)
    torch.testing.assert_close(reference, out, atol=1e-2, rtol=0)
    rtol = 0.0
    if torch.version.hip is not None and triton.runtime.driver.active.get_current_target().arch == "gfx90a":
        rtol = 1e-2
    assert torch.allclose(ref_dv, v.grad, atol=1e-2, rtol=rtol)


try:
    from flash_attn.flash_attn_interface import flash_attn_func

    HAS_FLASH = True
except BaseException:
    HAS_FLASH = False


@triton.testing.perf_report(
    [
        triton.testing.Benchmark(
            x_names=["N_CTX"], x_vals=[2**i for i in range(10, 15)],
            line_arg="provider", line_vals=["triton"] + (["flash"] if HAS_FLASH else []), line_names=["Triton"],
            ylabel="TFLOPS", plot_name=f"attention-{mode}", args={"H": 32, "BATCH": 4, "HEAD": 64, "mode": mode},
        )
        for mode in ["fwd", "bwd"]
    ]
)  # fmt: skip
def bench_attention(BATCH, H, N_CTX, HEAD, mode, provider, device=DEVICE):
    q, k, v = (torch.randn((BATCH, H, N_CTX, HEAD), dtype=torch.float16, device=device, requires_grad=True) for _ in range(3))
    fn = lambda: attention(q, k, v, True, 1.3)
    if mode == "bwd":
        o = fn()
        do = torch.randn_like(o)
        fn = lambda: o.backward(do, retain_graph=True)
    ms = triton.testing.do_bench(fn)
    return 4.0 * BATCH * H * N_CTX * N_CTX * HEAD * 1e-12 / (ms * 1e-3)


if __name__ == "__main__":
    bench_attention.run(save_path=".", print_data=True)
