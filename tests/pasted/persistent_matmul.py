"""Persistent matrix product: one program a multiprocessor, operands through tensor descriptors of the host or the device."""

import argparse
import itertools
from typing import Optional

import torch

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def supports_tma():
    return is_cuda() and torch.cuda.get_device_capability()[0] >= 9


def launch_metadata(grid, kernel, args):
    M, N, K = args["M"], args["N"], args["K"]
    return {"name": f"{kernel.name} [M={M}, N={N}, K={K}]", "flops": 2.0 * M * N * K}


@triton.jit
def tile_of(tile, per_group, rows, GROUP: tl.constexpr):
    first = (tile // per_group) * GROUP
    height = min(rows - first, GROUP)
    return first + (tile % height), (tile % per_group) // height


@triton.jit(launch_metadata=launch_metadata)
def persistent_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, NUM_SMS: tl.constexpr,
):  # fmt: skip
    start = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    offs_k = tl.arange(0, BK)
    for tile in tl.range(start, rows * columns, NUM_SMS, flatten=True):
        row, column = tile_of(tile, GROUP * columns, rows, GROUP)
        offs_m = tl.max_contiguous(tl.multiple_of((row * BM + tl.arange(0, BM)) % M, BM), BM)
        offs_n = tl.max_contiguous(tl.multiple_of((column * BN + tl.arange(0, BN)) % N, BN), BN)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            offs = k * BK + offs_k
            a = tl.load(a_ptr + offs_m[:, None] * stride_am + offs[None, :] * stride_ak, mask=offs[None, :] < K, other=0.0)
            b = tl.load(b_ptr + offs[:, None] * stride_bk + offs_n[None, :] * stride_bn, mask=offs[:, None] < K, other=0.0)
            total = tl.dot(a, b, total)
        c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn
        tl.store(c_ptrs, total.to(c_ptr.dtype.element_ty))


def prepare_descriptors(nargs):
    BM, BN, BK = nargs["BM"], nargs["BN"], nargs["BK"]
    nargs["a_desc"].block_shape = [BM, BK]
    nargs["b_desc"].block_shape = [BN, BK]
    nargs["c_desc"].block_shape = [BM, BN]


@triton.autotune(
    configs=[
        triton.Config({"BM": bm, "BN": 128, "BK": 64, "GROUP": 8}, num_stages=s, num_warps=w, pre_hook=prepare_descriptors)
        for bm, s, w in itertools.product([128], [3, 4], [4, 8])
    ],
    key=["M", "N", "K"],
)
@triton.jit(launch_metadata=launch_metadata)
def host_descriptor_kernel(
    a_desc, b_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, NUM_SMS: tl.constexpr,
):  # fmt: skip
    start = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(start, rows * columns, NUM_SMS):
        row, column = tile_of(tile, GROUP * columns, rows, GROUP)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            a = a_desc.load([row * BM, k * BK])
            b = b_desc.load([column * BN, k * BK])
            total = tl.dot(a, b.T, total)
        c_desc.store([row * BM, column * BN], total.to(tl.float16))


@triton.jit(launch_metadata=launch_metadata)
def device_descriptor_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, NUM_SMS: tl.constexpr,
):  # fmt: skip
    start = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    for tile in tl.range(start, rows * columns, NUM_SMS):
        row, column = tile_of(tile, GROUP * columns, rows, GROUP)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            a = a_desc.load([row * BM, k * BK])
            b = b_desc.load([column * BN, k * BK])
            total = tl.dot(a, b.T, total)
        c_desc.store([row * BM, column * BN], total.to(c_ptr.dtype.element_ty))


def sizes(a, b):
    M, K = a.shape
    N = b.shape[0]
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    return M, N, K, c, torch.cuda.get_device_properties("cuda").multi_processor_count


def matmul_persistent(a, b):
    M, N, K, c, NUM_SMS = sizes(a, b.T.contiguous().T)
    grid = lambda META: (min(NUM_SMS, triton.cdiv(M, META["BM"]) * triton.cdiv(N, META["BN"])),)
    bt = b.T
    persistent_kernel[grid](
        a, bt, c, M, N, K, a.stride(0), a.stride(1), bt.stride(0), bt.stride(1), c.stride(0), c.stride(1),
        BM=128, BN=128, BK=64, GROUP=8, NUM_SMS=NUM_SMS, num_stages=3 if is_cuda() else 2, num_warps=8,
    )  # fmt: skip
    return c


def matmul_host_descriptors(a, b):
    M, N, K, c, NUM_SMS = sizes(a, b)
    dummy = [1, 1]
    a_desc = TensorDescriptor(a, a.shape, a.stride(), dummy)
    b_desc = TensorDescriptor(b, b.shape, b.stride(), dummy)
    c_desc = TensorDescriptor(c, c.shape, c.stride(), dummy)
    host_descriptor_kernel[(NUM_SMS,)](a_desc, b_desc, c_desc, M, N, K, NUM_SMS=NUM_SMS)
    return c


def matmul_device_descriptors(a, b):
    M, N, K, c, NUM_SMS = sizes(a, b)

    def alloc_fn(size: int, alignment: int, stream: Optional[int]):
        return torch.empty(size, device="cuda", dtype=torch.int8)

    triton.set_allocator(alloc_fn)
    device_descriptor_kernel[(NUM_SMS,)](a, b, c, M, N, K, BM=128, BN=128, BK=64, GROUP=8, NUM_SMS=NUM_SMS, num_stages=3, num_warps=8)
    return c


def validate(M, N, K, dtype):
    a = torch.randn((M, K), device="cuda", dtype=torch.float16).to(dtype)
    b = torch.randn((K, N), device="cuda", dtype=torch.float16).to(dtype).T.contiguous()
    reference = torch.matmul(a.to(torch.float16), b.T.to(torch.float16))
    functions = [matmul_persistent] + ([matmul_host_descriptors, matmul_device_descriptors] if supports_tma() else [])
    for function in functions:
        found = function(a, b)
        good = torch.allclose(reference, found.to(torch.float16), atol=1.0)
        print(f"{function.__name__}: {'✅' if good else '❌'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-K", type=int, default=512)
    args, _ = parser.parse_known_args()
    validate(32, 32, 32, torch.float16)
    validate(8192, 8192, args.K, torch.float16)
