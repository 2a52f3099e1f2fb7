"""Layer norm, forward and backward, as a function that autograd knows."""

import torch

import triton
import triton.language as tl

try:
    import apex

    HAS_APEX = True
except ModuleNotFoundError:
    HAS_APEX = False

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def forward_kernel(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for offset in range(0, N, BLOCK):
        columns = offset + tl.arange(0, BLOCK)
        total += tl.load(X + columns, mask=columns < N, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for offset in range(0, N, BLOCK):
        columns = offset + tl.arange(0, BLOCK)
        x = tl.load(X + columns, mask=columns < N, other=0.0).to(tl.float32)
        x = tl.where(columns < N, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for offset in range(0, N, BLOCK):
        columns = offset + tl.arange(0, BLOCK)
        mask = columns < N
        w = tl.load(W + columns, mask=mask)
        b = tl.load(B + columns, mask=mask)
        x = tl.load(X + columns, mask=mask, other=0.0).to(tl.float32)
        tl.store(Y + columns, (x - mean) * rstd * w + b, mask=mask)


@triton.jit
def backward_dx_kernel(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    slot = row % GROUP
    Lock += slot
    Count = Lock + GROUP
    DW = DW + slot * N + columns
    DB = DB + slot * N + columns
    x = tl.load(X + columns, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + columns, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + columns, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.0)
    wdy = tl.where(mask, w * dy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + columns, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)


@triton.jit
def backward_dwdb_kernel(DW, DB, FINAL_DW, FINAL_DB, M, N, BM: tl.constexpr, BN: tl.constexpr):
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    dw = tl.zeros((BM, BN), dtype=tl.float32)
    db = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, M, BM):
        rows = i + tl.arange(0, BM)
        mask = (rows[:, None] < M) & (columns[None, :] < N)
        offsets = rows[:, None] * N + columns[None, :]
        dw += tl.load(DW + offsets, mask=mask, other=0.0)
        db += tl.load(DB + offsets, mask=mask, other=0.0)
    tl.store(FINAL_DW + columns, tl.sum(dw, axis=0), mask=columns < N)
    tl.store(FINAL_DB + columns, tl.sum(db, axis=0), mask=columns < N)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, normalized_shape, weight, bias, eps):
        y = torch.empty_like(x)
        flat = x.reshape(-1, x.shape[-1])
        M, N = flat.shape
        mean = torch.empty((M,), dtype=torch.float32, device=x.device)
        rstd = torch.empty((M,), dtype=torch.float32, device=x.device)
        largest = 65536 // x.element_size()
        BLOCK = min(largest, triton.next_power_of_2(N))
        if N > BLOCK:
            raise RuntimeError("This layer norm doesn't support feature dim >= 64KB.")
        num_warps = min(max(BLOCK // 256, 1), 8)
        forward_kernel[(M,)](flat, y, weight, bias, mean, rstd, flat.stride(0), N, eps, BLOCK=BLOCK, num_warps=num_warps, num_ctas=1)
        ctx.save_for_backward(x, weight, bias, mean, rstd)
        ctx.BLOCK, ctx.num_warps, ctx.eps = BLOCK, num_warps, eps
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w, b, m, v = ctx.saved_tensors
        N = w.shape[0]
        GROUP = 64 if N > 8192 else 96 if N > 4096 else 128 if N > 1024 else 256
        locks = torch.zeros(2 * GROUP, dtype=torch.int32, device=w.device)
        partial_dw = torch.zeros((GROUP, N), dtype=x.dtype, device=w.device)
        partial_db = torch.zeros((GROUP, N), dtype=x.dtype, device=w.device)
        dw = torch.empty((N,), dtype=w.dtype, device=w.device)
        db = torch.empty((N,), dtype=w.dtype, device=w.device)
        dx = torch.empty_like(dy)
        flat = x.reshape(-1, x.shape[-1])
        M, N = flat.shape
        backward_dx_kernel[(M,)](
            dx, dy, partial_dw, partial_db, x, w, m, v, locks, flat.stride(0), N, GROUP=GROUP, BLOCK=ctx.BLOCK, num_warps=ctx.num_warps
        )
        grid = lambda meta: [triton.cdiv(N, meta["BN"])]
        backward_dwdb_kernel[grid](partial_dw, partial_db, dw, db, min(GROUP, M), N, BM=32, BN=128, num_ctas=1)
        return dx, None, dw, db, None


layer_norm = LayerNorm.apply


def test_layer_norm(M, N, dtype, eps=1e-5, device=DEVICE):
    shape = (M, N)
    weight = torch.rand(shape[-1:], dtype=dtype, device=device, requires_grad=True)
    bias = torch.rand(shape[-1:], dtype=dtype, device=device, requires_grad=True)
    x = -2.3 + 0.5 * torch.randn(shape, dtype=dtype, device=device)
    dy = 0.1 * torch.randn_like(x)
    x.requires_grad_(True)
    y = layer_norm(x, shape[-1:], weight, bias, eps)
    reference = torch.nn.functional.layer_norm(x, shape[-1:], weight, bias, eps).to(dtype)
    y.backward(dy, retain_graph=True)
    dx, dw, db = [one.grad.clone() for one in [x, weight, bias]]
    x.grad, weight.grad, bias.grad = None, None, None
    reference.backward(dy, retain_graph=True)
    dx_ref, dw_ref, db_ref = [one.grad.clone() for one in [x, weight, bias]]
    assert torch.allclose(y, reference, atol=1e-2, rtol=0)
    assert torch.allclose(dx, dx_ref, atol=1e-2, rtol=0)
    assert torch.allclose(dw, dw_ref, atol=1e-2, rtol=0)


test_layer_norm(1151, 8192, torch.float16)
