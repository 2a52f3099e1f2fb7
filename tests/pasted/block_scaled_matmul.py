"""Matrix product of four-bit floats with a scale for each block of elements."""

import torch

import triton
import triton.language as tl
from triton.tools.mxfp import MXFP4Tensor, MXScaleTensor

VEC_SIZE = 32


def supports_block_scaling():
    target = triton.runtime.driver.active.get_current_target()
    if target.backend == "cuda":
        return torch.cuda.get_device_capability()[0] >= 9
    return target.arch == "gfx950"


@triton.jit
def block_scaled_kernel(
    a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr,
    M, N, K, stride_am, stride_bk, stride_cm, stride_sa, stride_sb,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, VEC: tl.constexpr, NUM_STAGES: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(axis=0)
    rows = tl.cdiv(M, BM)
    offs_m = (pid % rows) * BM + tl.arange(0, BM)
    offs_n = (pid // rows) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK // 2)
    offs_s = tl.arange(0, BK // VEC)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :]
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :]
    sa_ptrs = a_scale_ptr + offs_m[:, None] * stride_sa + offs_s[None, :]
    sb_ptrs = b_scale_ptr + offs_n[:, None] * stride_sb + offs_s[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in tl.range(0, tl.cdiv(K, BK), num_stages=NUM_STAGES):
        a = tl.load(a_ptrs)
        b = tl.load(b_ptrs)
        scale_a = tl.load(sa_ptrs)
        scale_b = tl.load(sb_ptrs)
        total = tl.dot_scaled(a, scale_a, "e2m1", b, scale_b, "e2m1", total)
        a_ptrs += BK // 2
        b_ptrs += (BK // 2) * stride_bk
        sa_ptrs += BK // VEC
        sb_ptrs += BK // VEC
    tl.store(c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :], total.to(tl.float16))


def initialise(M, N, K):
    device = "cuda"
    a = MXFP4Tensor(size=(M, K), device=device).random()
    b = MXFP4Tensor(size=(K, N), device=device).random()
    a_scale = MXScaleTensor(size=(M, K // VEC_SIZE), device=device).random(high=64.0)
    b_scale = MXScaleTensor(size=(N, K // VEC_SIZE), device=device).random(high=64.0)
    packed_a = a.to_packed_tensor(dim=1)
    packed_b = b.to_packed_tensor(dim=0)
    assert packed_a.shape == (M, K // 2) and packed_b.shape == (K // 2, N)
    wide_a = a_scale.to(torch.float32).repeat_interleave(VEC_SIZE, dim=1)[:M, :K]
    wide_b = b_scale.to(torch.float32).repeat_interleave(VEC_SIZE, dim=1).T.contiguous()[:K, :N]
    reference = torch.matmul(a.to(torch.float32) * wide_a, b.to(torch.float32) * wide_b)
    return packed_a, a_scale.data, packed_b, b_scale.data, reference


def block_scaled_matmul(a, a_scale, b, b_scale, M, N, K, BM=128, BN=128, BK=128):
    output = torch.empty((M, N), dtype=torch.float16, device="cuda")
    grid = (triton.cdiv(M, BM) * triton.cdiv(N, BN), 1)
    block_scaled_kernel[grid](
        a, a_scale, b, b_scale, output, M, N, K,
        a.stride(0), b.stride(0), output.stride(0), a_scale.stride(0), b_scale.stride(0),
        BM=BM, BN=BN, BK=BK, VEC=VEC_SIZE, NUM_STAGES=2,
    )  # fmt: skip
    return output


if not supports_block_scaling():
    print("This GPU does not support block scaling")
else:
    M, N, K = 512, 512, 1024
    *operands, reference = initialise(M, N, K)
    output = block_scaled_matmul(*operands, M, N, K)
    torch.testing.assert_close(reference, output.to(torch.float32), atol=1e-3, rtol=1e-3)
    print("✅ (pass)")
