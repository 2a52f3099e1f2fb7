"""Many small matrix products in one launch: the kernel reads their addresses from a tensor."""

import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def num_sms():
    if is_cuda():
        return torch.cuda.get_device_properties("cuda").multi_processor_count
    return 148


@triton.autotune(
    configs=[
        triton.Config({"BM": 128, "BN": 128, "BK": 32, "NUM_SM": 84}),
        triton.Config({"BM": 128, "BN": 128, "BK": 32, "NUM_SM": 128}),
        triton.Config({"BM": 64, "BN": 64, "BK": 32, "NUM_SM": num_sms()}),
    ],
    key=["group_size"],
)
@triton.jit
def grouped_kernel(
    a_ptrs, b_ptrs, c_ptrs, sizes_ptr, strides_ptr, group_size,
    NUM_SM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    tile = tl.program_id(0)
    last_end = 0
    for g in range(group_size):
        gm = tl.load(sizes_ptr + g * 3)
        gn = tl.load(sizes_ptr + g * 3 + 1)
        gk = tl.load(sizes_ptr + g * 3 + 2)
        columns = tl.cdiv(gn, BN)
        tiles = tl.cdiv(gm, BM) * columns
        while tile >= last_end and tile < last_end + tiles:
            lda = tl.load(strides_ptr + g * 3)
            ldb = tl.load(strides_ptr + g * 3 + 1)
            ldc = tl.load(strides_ptr + g * 3 + 2)
            a_ptr = tl.load(a_ptrs + g).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(b_ptrs + g).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(c_ptrs + g).to(tl.pointer_type(tl.float16))
            inside = tile - last_end
            offs_m = (inside // columns) * BM + tl.arange(0, BM)
            offs_n = (inside % columns) * BN + tl.arange(0, BN)
            offs_k = tl.arange(0, BK)
            pa = a_ptr + offs_m[:, None] * lda + offs_k[None, :]
            pb = b_ptr + offs_k[:, None] * ldb + offs_n[None, :]
            total = tl.zeros((BM, BN), dtype=tl.float32)
            for _ in range(0, tl.cdiv(gk, BK)):
                tl.multiple_of(pa, [16, 16])
                tl.multiple_of(pb, [16, 16])
                total += tl.dot(tl.load(pa), tl.load(pb))
                pa += BK
                pb += BK * ldb
            tl.store(c_ptr + ldc * offs_m[:, None] + offs_n[None, :], total.to(tl.float16))
            tile += NUM_SM
        last_end = last_end + tiles


def grouped_gemm(group_A, group_B):
    assert len(group_A) == len(group_B)
    addresses_a, addresses_b, addresses_c, sizes, strides, group_C = [], [], [], [], [], []
    for A, B in zip(group_A, group_B):
        assert A.shape[1] == B.shape[0]
        M, K = A.shape
        K, N = B.shape
        C = torch.empty((M, N), device=DEVICE, dtype=A.dtype)
        group_C.append(C)
        addresses_a.append(A.data_ptr())
        addresses_b.append(B.data_ptr())
        addresses_c.append(C.data_ptr())
        sizes += [M, N, K]
        strides += [A.stride(0), B.stride(0), C.stride(0)]
    d_a = torch.tensor(addresses_a, device=DEVICE)
    d_b = torch.tensor(addresses_b, device=DEVICE)
    d_c = torch.tensor(addresses_c, device=DEVICE)
    d_sizes = torch.tensor(sizes, dtype=torch.int32, device=DEVICE)
    d_strides = torch.tensor(strides, dtype=torch.int32, device=DEVICE)
    grid = lambda META: (META["NUM_SM"],)
    grouped_kernel[grid](d_a, d_b, d_c, d_sizes, d_strides, len(group_A))
    return group_C


group_m, group_n, group_k = [1024, 512, 256, 128], [1024, 512, 256, 128], [1024, 512, 256, 128]
group_A, group_B = [], []
for M, N, K in zip(group_m, group_n, group_k):
    group_A.append(torch.rand((M, K), device=DEVICE, dtype=torch.float16))
    group_B.append(torch.rand((K, N), device=DEVICE, dtype=torch.float16))
tri_out = grouped_gemm(group_A, group_B)
ref_out = [torch.matmul(a, b) for a, b in zip(group_A, group_B)]
for i in range(len(group_A)):
    assert torch.allclose(ref_out[i], tri_out[i], atol=1e-2, rtol=1e-2)
