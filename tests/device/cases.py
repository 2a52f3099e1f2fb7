"""Every case: inputs, launches of emitted kernels, and references in fp64 or exact integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy
import torch
from comparison import Comparison
from philox import dropout_uniform

Result = list[Comparison]
WIDE = torch.float64


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        name: the first kernel's, which is unique.
        kernels: cases of the corpus, such as ``matmul-fp16_three_stages``, in the order that run takes them.
        run: takes the loaded kernels and an Inputs, returns comparisons.
    """

    name: str
    kernels: tuple[str, ...]
    run: Callable[..., Result]


CASES: list[Case] = []


def case(*kernels: str) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Register a case that launches these kernels; scripts/verify/device.py reads the names from the source."""

    def register(run: Callable[..., Result]) -> Callable[..., Result]:
        CASES.append(Case(kernels[0], kernels, run))
        return run

    return register


class Inputs:
    """Random tensors on the GPU, the same for a seed everywhere."""

    def __init__(self, seed: int) -> None:
        self._random = numpy.random.default_rng(seed)

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return standard normal numbers."""
        return torch.from_numpy(self._random.standard_normal(shape)).to("cuda", dtype)

    def uniform(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return uniform numbers from 0 to 1."""
        return torch.from_numpy(self._random.random(shape)).to("cuda", dtype)

    def integers(
        self, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int32
    ) -> torch.Tensor:
        """Return integers from low up to, not including, high."""
        return torch.from_numpy(self._random.integers(low, high, shape)).to("cuda", dtype)


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return a tensor for results, filled so that what a kernel leaves out cannot be right by chance."""
    if dtype.is_floating_point:
        return torch.full(shape, math.nan, device="cuda").to(dtype)
    return torch.full(shape, -77, device="cuda", dtype=dtype)


def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return zeros on the GPU."""
    return torch.zeros(shape, device="cuda", dtype=dtype)


def ceil_div(number: int, divisor: int) -> int:
    """Return the quotient, rounded up."""
    return -(-number // divisor)


def unaligned(tensor: torch.Tensor) -> torch.Tensor:
    """Return a copy whose address is a multiple of the element size alone."""
    room = torch.empty(tensor.numel() + 1, dtype=tensor.dtype, device="cuda")
    room[1:] = tensor.flatten()
    return room[1:].view(tensor.shape)


# --- Elementwise -----------------------------------------------------------------------------


@case("vector_add-fp32")
def vector_add(kernel, inputs: Inputs) -> Result:
    n = 4096 - 16
    x, y, out = inputs.normal(n), inputs.normal(n), empty(n)
    kernel((4,), x_ptr=x, y_ptr=y, out_ptr=out, n=n)
    return [Comparison("x + y", out, x.to(WIDE) + y, 1e-7, 1e-7)]


@case("vector_add-fp16_unaligned")
def vector_add_unaligned(kernel, inputs: Inputs) -> Result:
    n = 1001
    x, y, out = (unaligned(inputs.normal(n, dtype=torch.float16)) for _ in range(3))
    kernel((4,), x_ptr=x, y_ptr=y, out_ptr=out, n=n)
    return [Comparison("x + y", out, x.to(WIDE) + y.to(WIDE), 1e-6, 5e-4)]


@case("dropout-fp32")
def dropout(kernel, inputs: Inputs) -> Result:
    n, chance, seed = 65536 - 16, 0.25, 123456789
    x, out, again = inputs.normal(n), empty(n), empty(n)
    for result in (out, again):
        kernel((64,), x_ptr=x, out_ptr=result, n=n, chance=chance, seed=seed)
    kept = torch.from_numpy(dropout_uniform(seed, n)[:, 0] >= numpy.float32(chance)).to("cuda")
    expected = torch.where(kept, x.to(WIDE) / (1 - chance), 0.0)
    return [
        Comparison("mask", out != 0, kept),
        Comparison("x", out, expected, 0, 1e-6),
        Comparison("second launch", again.view(torch.int32), out.view(torch.int32)),
    ]


@case("dropout-four_a_call")
def dropout_by_four(kernel, inputs: Inputs) -> Result:
    n, chance, seed = 65536, 0.5, (7 << 32) + 99
    x, out = inputs.normal(n, dtype=torch.float16), empty(n, dtype=torch.float16)
    x += (x == 0).to(x.dtype)
    kernel((64,), x_ptr=x, out_ptr=out, n=n, chance=chance, seed=seed)
    kept = torch.from_numpy(dropout_uniform(seed, n // 4).reshape(-1) >= 0.5).to("cuda")
    expected = torch.where(kept, x.to(WIDE) * 2, 0.0)
    return [Comparison("mask", out != 0, kept), Comparison("x", out, expected, 0, 5e-4)]


@case("swiglu-forward")
def swiglu(kernel, inputs: Inputs) -> Result:
    n = 10000
    gate, value = (inputs.normal(n, dtype=torch.bfloat16) for _ in range(2))
    out = empty(n, dtype=torch.bfloat16)
    kernel((10,), gate_ptr=gate, value_ptr=value, out_ptr=out, n=n)
    expected = torch.nn.functional.silu(gate.to(WIDE)) * value
    return [Comparison("silu(gate) * value", out, expected, 1e-6, 4e-3)]


@case("swiglu-backward")
def swiglu_backward(kernel, inputs: Inputs) -> Result:
    n = 10000
    gate, value, gradient = (inputs.normal(n, dtype=torch.bfloat16) for _ in range(3))
    wide_gate, wide_value = (t.to(WIDE).requires_grad_() for t in (gate, value))
    (torch.nn.functional.silu(wide_gate) * wide_value).backward(gradient.to(WIDE))
    kernel((10,), gate_ptr=gate, value_ptr=value, gradient_ptr=gradient, n=n)
    return [
        Comparison("gate gradient", gate, wide_gate.grad, 1e-5, 4e-3),
        Comparison("value gradient", value, wide_value.grad, 1e-6, 4e-3),
    ]


@case("adam-bf16_copy")
def adam(kernel, inputs: Inputs) -> Result:
    n, step = 100001, 7
    weights, first = inputs.normal(n), inputs.normal(n) * 0.1
    second, gradient = inputs.uniform(n), inputs.normal(n, dtype=torch.bfloat16)
    copy = empty(n, dtype=torch.bfloat16)
    rate, beta1, beta2, epsilon, decay = 1e-2, 0.9, 0.999, 1e-8, 0.01
    corrections = 1 - beta1**step, 1 - beta2**step
    g = gradient.to(WIDE)
    wanted_first = beta1 * first.to(WIDE) + (1 - beta1) * g
    wanted_second = beta2 * second.to(WIDE) + (1 - beta2) * g * g
    change = wanted_first / corrections[0] / ((wanted_second / corrections[1]).sqrt() + epsilon)
    wanted = weights.to(WIDE) - rate * (change + decay * weights.to(WIDE))
    kernel(
        (ceil_div(n, 1024),), weights_ptr=weights, copy_ptr=copy, gradient_ptr=gradient,
        first_ptr=first, second_ptr=second, n=n, rate=rate, beta1=beta1, beta2=beta2,
        epsilon=epsilon, decay=decay, correction1=corrections[0], correction2=corrections[1],
    )  # fmt: skip
    return [
        Comparison("first moment", first, wanted_first, 1e-6, 1e-5),
        Comparison("second moment", second, wanted_second, 1e-6, 1e-5),
        Comparison("weights", weights, wanted, 1e-5, 1e-5),
        Comparison("bf16 weights", copy, wanted, 1e-5, 4e-3),
    ]


def _options(inputs: Inputs, n: int, dtype: torch.dtype) -> tuple[dict, dict]:
    """Return what the kernel is given, and the prices."""
    rate, volatility = 0.02, 0.3
    spot, strike = (inputs.uniform(n, dtype=dtype) * 90 + 10 for _ in range(2))
    years = inputs.uniform(n, dtype=dtype) * 4 + 0.25
    s, k, t = spot.to(WIDE), strike.to(WIDE), years.to(WIDE)
    d1 = ((s / k).log() + (rate + volatility**2 / 2) * t) / (volatility * t.sqrt())
    d2 = d1 - volatility * t.sqrt()
    call = s * torch.special.ndtr(d1) - k * (-rate * t).exp() * torch.special.ndtr(d2)
    given = {
        "spot_ptr": spot, "strike_ptr": strike, "years_ptr": years, "n": n, "rate": rate,
        "volatility": volatility,
    }  # fmt: skip
    return given, {"call": call, "put": call - s + k * (-rate * t).exp()}


@case("option_pricing-fp32")
def option_pricing(kernel, inputs: Inputs) -> Result:
    n = 10000
    given, expected = _options(inputs, n, torch.float32)
    call, put = empty(n), empty(n)
    kernel((ceil_div(n, 1024),), call_ptr=call, put_ptr=put, **given)
    return [
        Comparison("call", call, expected["call"], 1e-4, 1e-5),
        Comparison("put", put, expected["put"], 1e-4, 1e-5),
    ]


@case("option_pricing-fp64")
def option_pricing_fp64(kernel, inputs: Inputs) -> Result:
    n = 10000
    given, expected = _options(inputs, n, WIDE)
    call, put = empty(n, dtype=WIDE), empty(n, dtype=WIDE)
    kernel((ceil_div(n, 256),), call_ptr=call, put_ptr=put, **given)
    return [
        Comparison("call", call, expected["call"], 1e-12, 1e-12),
        Comparison("put", put, expected["put"], 1e-12, 1e-12),
    ]


@case("rotary-halves")
def rotary_halves(kernel, inputs: Inputs) -> Result:
    return _rotary(kernel, inputs, lambda x: (x[..., :32], x[..., 32:]), torch.cat)


@case("rotary-pairs")
def rotary_pairs(kernel, inputs: Inputs) -> Result:
    def interleave(parts: list[torch.Tensor], dim: int) -> torch.Tensor:
        return torch.stack(parts, dim).flatten(-2)

    return _rotary(kernel, inputs, lambda x: (x[..., 0::2], x[..., 1::2]), interleave)


def _rotary(kernel, inputs: Inputs, parts, join) -> Result:
    positions, heads, half = 33, 7, 32
    x = inputs.normal(positions, heads, 2 * half, dtype=torch.float16)
    angle = inputs.uniform(positions, half, dtype=WIDE) * 6
    cosine, sine = angle.cos().float(), angle.sin().float()
    first, second = parts(x.to(WIDE))
    c, s = cosine.to(WIDE)[:, None], sine.to(WIDE)[:, None]
    expected = join([first * c - second * s, second * c + first * s], -1)
    kernel((positions,), x_ptr=x, cosine_ptr=cosine, sine_ptr=sine, heads=heads)
    return [Comparison("x", x, expected, 1e-6, 5e-4)]


@case("quantise-int8", "quantise-back")
def quantise_int8(quantise, back, inputs: Inputs) -> Result:
    n, block = 512 * 19 + 16, 512
    x = inputs.normal(n, dtype=torch.bfloat16)
    q, scale = empty(n, dtype=torch.int8), empty(20)
    restored = empty(n, dtype=torch.bfloat16)
    quantise((20,), x_ptr=x, out_ptr=q, scale_ptr=scale, n=n)
    back((20,), q_ptr=q, scale_ptr=scale, out_ptr=restored, n=n)
    wide = torch.nn.functional.pad(x.to(WIDE), (0, 20 * block - n)).view(20, block)
    wanted_scale = wide.abs().amax(1) / 127
    # A number within rounding error of a half may go either way.
    wanted = (wide / wanted_scale[:, None]).flatten()[:n]
    expected = q.to(WIDE) * scale.to(WIDE).repeat_interleave(block)[:n]
    return [
        Comparison("scale", scale, wanted_scale, 0, 1e-6),
        Comparison("int8", q.to(WIDE), wanted, 0.5 + 1e-4),
        Comparison("back", restored, expected, 0, 4e-3),
    ]


@case("quantise-e4m3")
def quantise_e4m3(kernel, inputs: Inputs) -> Result:
    return _quantise_fp8(kernel, inputs, torch.bfloat16, torch.float8_e4m3fn, 448.0)


@case("quantise-e5m2")
def quantise_e5m2(kernel, inputs: Inputs) -> Result:
    return _quantise_fp8(kernel, inputs, torch.float16, torch.float8_e5m2, 57344.0)


def _quantise_fp8(kernel, inputs: Inputs, source, narrow, largest: float) -> Result:
    n, block = 512 * 20, 512
    x, q, scale = inputs.normal(n, dtype=source), empty(n, dtype=narrow), empty(20)
    kernel((20,), x_ptr=x, out_ptr=q, scale_ptr=scale, n=n, largest=largest)
    wide = x.to(WIDE).view(20, block)
    wanted_scale = wide.abs().amax(1) / largest
    wanted = (wide / wanted_scale[:, None]).flatten()
    # Half a unit in the last place of 3 (e4m3) or 2 (e5m2) bits of mantissa, and of the smallest subnormal.
    bits, least = (3, 2.0**-9) if narrow == torch.float8_e4m3fn else (2, 2.0**-16)
    return [
        Comparison("scale", scale, wanted_scale, 0, 1e-6),
        Comparison("fp8", q.to(WIDE), wanted, least / 2 * 1.001, 2.0 ** -(bits + 1) * 1.001),
    ]


# --- Rows: softmax, norms, losses --------------------------------------------------------------


@case("softmax-fp32")
def softmax(kernel, inputs: Inputs) -> Result:
    rows, columns = 37, 1008
    x, out = inputs.normal(rows, columns) * 4, empty(rows, columns)
    kernel((16,), out_ptr=out, in_ptr=x, row_stride=columns, rows=rows, columns=columns)
    return [Comparison("softmax", out, x.to(WIDE).softmax(1), 1e-7, 1e-5)]


@case("online_softmax-fp32")
def online_softmax(kernel, inputs: Inputs) -> Result:
    return _online_softmax(kernel, inputs, 20001, torch.float32, 1e-5)


@case("online_softmax-bf16_aligned")
def online_softmax_bf16(kernel, inputs: Inputs) -> Result:
    return _online_softmax(kernel, inputs, 20000, torch.bfloat16, 4e-3)


def _online_softmax(kernel, inputs: Inputs, columns: int, dtype, relative: float) -> Result:
    x, out = (inputs.normal(17, columns) * 4).to(dtype), empty(17, columns, dtype=dtype)
    kernel((17,), x_ptr=x, out_ptr=out, columns=columns)
    return [Comparison("softmax", out, x.to(WIDE).softmax(1), 1e-9, relative)]


@case("log_softmax-forward", "log_softmax-backward")
def log_softmax(forward, backward, inputs: Inputs) -> Result:
    rows, columns = 112, 100
    x, gradient = inputs.normal(rows, columns), inputs.normal(rows, columns)
    out, dx = empty(rows, columns), empty(rows, columns)
    forward((14,), x_ptr=x, out_ptr=out, rows=rows, columns=columns)
    backward((14,), out_ptr=out, gradient_ptr=gradient, dx_ptr=dx, rows=rows, columns=columns)
    wide = x.to(WIDE).requires_grad_()
    expected = wide.log_softmax(1)
    expected.backward(gradient.to(WIDE))
    return [
        Comparison("log-softmax", out, expected, 1e-6, 1e-6),
        Comparison("gradient", dx, wide.grad, 1e-5, 1e-5),
    ]


@case("layer_norm-fp16")
def layer_norm(kernel, inputs: Inputs) -> Result:
    rows, columns = 37, 1200
    x = inputs.normal(rows, columns, dtype=torch.float16)
    weight, bias = (inputs.normal(columns, dtype=torch.float16) for _ in range(2))
    out, mean, rstd = empty(rows, columns, dtype=torch.float16), empty(rows), empty(rows)
    kernel(
        (rows,), x_ptr=x, weight_ptr=weight, bias_ptr=bias, out_ptr=out, mean_ptr=mean,
        rstd_ptr=rstd, row_stride=columns, columns=columns, epsilon=1e-5,
    )  # fmt: skip
    wide = x.to(WIDE)
    expected = torch.nn.functional.layer_norm(wide, (columns,), weight.to(WIDE), bias.to(WIDE))
    variance = wide.var(1, correction=0)
    return [
        Comparison("normalised", out, expected, 1e-4, 1e-3),
        Comparison("mean", mean, wide.mean(1), 1e-6, 1e-5),
        Comparison("rstd", rstd, (variance + 1e-5).rsqrt(), 0, 1e-5),
    ]


@case("layer_norm_backward-rows", "layer_norm_backward-sum_parts")
def layer_norm_backward(rows_kernel, sum_kernel, inputs: Inputs) -> Result:
    rows, columns, programs = 203, 1008, 50
    x, gradient = (inputs.normal(rows, columns, dtype=torch.float16) for _ in range(2))
    weight = inputs.normal(columns, dtype=torch.float16)
    wide, wide_weight = x.to(WIDE).requires_grad_(), weight.to(WIDE).requires_grad_()
    bias = torch.zeros(columns, dtype=WIDE, device="cuda", requires_grad=True)
    torch.nn.functional.layer_norm(wide, (columns,), wide_weight, bias).backward(gradient.to(WIDE))
    mean = wide.detach().mean(1)
    rstd = (wide.detach().var(1, correction=0) + 1e-5).rsqrt()
    dx = empty(rows, columns, dtype=torch.float16)
    dw_parts, db_parts = empty(programs, columns), empty(programs, columns)
    dw, db = empty(columns, dtype=torch.float16), empty(columns, dtype=torch.float16)
    rows_kernel(
        (programs,), x_ptr=x, gradient_ptr=gradient, weight_ptr=weight, mean_ptr=mean.float(),
        rstd_ptr=rstd.float(), dx_ptr=dx, dw_parts_ptr=dw_parts, db_parts_ptr=db_parts,
        rows=rows, columns=columns,
    )  # fmt: skip
    sum_kernel(
        (ceil_div(columns, 128),), dw_parts_ptr=dw_parts, db_parts_ptr=db_parts, dw_ptr=dw,
        db_ptr=db, parts=programs, columns=columns,
    )  # fmt: skip
    return [
        Comparison("x gradient", dx, wide.grad, 1e-4, 1e-3),
        Comparison("weight gradient", dw, wide_weight.grad, 1e-3, 1e-3),
        Comparison("bias gradient", db, bias.grad, 1e-3, 1e-3),
    ]


@case("rms_norm-bf16")
def rms_norm(kernel, inputs: Inputs) -> Result:
    return _rms_norm(kernel, inputs, 2000, torch.bfloat16, lambda tensor: tensor, 8e-3)


@case("rms_norm-fp32_unaligned")
def rms_norm_unaligned(kernel, inputs: Inputs) -> Result:
    return _rms_norm(kernel, inputs, 501, torch.float32, unaligned, 1e-5)


def _rms_norm(kernel, inputs: Inputs, columns: int, dtype, place, relative: float) -> Result:
    x, residual = (place(inputs.normal(19, columns, dtype=dtype)) for _ in range(2))
    weight, out = place(inputs.normal(columns, dtype=dtype)), place(empty(19, columns, dtype=dtype))
    total = x.to(WIDE) + residual.to(WIDE)
    kernel(
        (19,), x_ptr=x, residual_ptr=residual, weight_ptr=weight, out_ptr=out, columns=columns,
        epsilon=1e-6,
    )  # fmt: skip
    expected = total * (total.square().mean(1, keepdim=True) + 1e-6).rsqrt() * weight.to(WIDE)
    return [
        Comparison("normalised", out, expected, 1e-6, relative),
        Comparison("residual", residual, total, 1e-6, relative),
    ]


@case("group_norm-fp16")
def group_norm(kernel, inputs: Inputs) -> Result:
    x = inputs.normal(3, 64, 13, 13, dtype=torch.float16) * 2 + 5
    weight, bias, out = inputs.normal(64), inputs.normal(64), empty(*x.shape, dtype=torch.float16)
    kernel(
        (3, 8), x_ptr=x, weight_ptr=weight, bias_ptr=bias, out_ptr=out, channels=64, pixels=169,
        epsilon=1e-5,
    )  # fmt: skip
    expected = torch.nn.functional.group_norm(x.to(WIDE), 8, weight.to(WIDE), bias.to(WIDE), 1e-5)
    return [Comparison("normalised", out, expected, 1e-4, 1e-3)]


@case("cross_entropy-smoothed")
def cross_entropy_smoothed(kernel, inputs: Inputs) -> Result:
    return _cross_entropy(kernel, inputs, 9008, torch.bfloat16, 0.1, 4e-3)


@case("cross_entropy-plain")
def cross_entropy_plain(kernel, inputs: Inputs) -> Result:
    return _cross_entropy(kernel, inputs, 3001, torch.float32, 0.0, 1e-5)


def _cross_entropy(kernel, inputs: Inputs, classes: int, dtype, smoothing, relative) -> Result:
    rows = 29
    logits = (inputs.normal(rows, classes) * 3).to(dtype)
    targets = inputs.integers(0, classes, rows, dtype=torch.int64)
    targets[3] = -100
    wide = logits.to(WIDE).requires_grad_()
    expected = torch.nn.functional.cross_entropy(
        wide, targets, reduction="none", ignore_index=-100, label_smoothing=smoothing
    )
    expected.sum().backward()
    losses = empty(rows)
    kernel(
        (rows,), logits_ptr=logits, targets_ptr=targets, losses_ptr=losses, classes=classes,
        ignored=-100, smoothing=smoothing,
    )  # fmt: skip
    return [
        Comparison("loss", losses, expected, 1e-5, 1e-5),
        Comparison("gradient", logits, wide.grad, 1e-7, relative),
    ]


@case("kl_divergence-log_target")
def kl_divergence_log(kernel, inputs: Inputs) -> Result:
    columns = 10000
    prediction, target = (inputs.normal(23, columns).log_softmax(1) for _ in range(2))
    out, p, t = empty(23), prediction.to(WIDE), target.to(WIDE)
    kernel(
        (23,), prediction_ptr=prediction, target_ptr=target, out_ptr=out, columns=columns, least=0.0
    )
    return [Comparison("divergence", out, (t.exp() * (t - p)).sum(1), 1e-6, 1e-4)]


@case("kl_divergence-fp16_target")
def kl_divergence(kernel, inputs: Inputs) -> Result:
    columns, least = 3001, 1e-10
    prediction = inputs.normal(23, columns).log_softmax(1)
    target = inputs.normal(23, columns).softmax(1).half()
    out, t = empty(23), target.to(WIDE)
    kernel(
        (23,),
        prediction_ptr=prediction,
        target_ptr=target,
        out_ptr=out,
        columns=columns,
        least=least,
    )
    expected = (t * (t.clamp_min(least).log() - prediction.to(WIDE))).sum(1)
    return [Comparison("divergence", out, expected, 1e-6, 1e-4)]


# --- Matrix products ---------------------------------------------------------------------------


def _matrix_pair(
    inputs: Inputs, m: int, n: int, k: int, dtype
) -> tuple[torch.Tensor, torch.Tensor]:
    return inputs.normal(m, k, dtype=dtype), inputs.normal(k, n, dtype=dtype)


@case("matmul-fp16_three_stages")
def matmul(kernel, inputs: Inputs) -> Result:
    m, n, k = 208, 176, 1008
    a, b = _matrix_pair(inputs, m, n, k, torch.float16)
    c = empty(m, n, dtype=torch.float16)
    kernel(
        (ceil_div(m, 64) * ceil_div(n, 64),), a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=k,
        a_stride_m=k, a_stride_k=1, b_stride_k=n, b_stride_n=1, c_stride_m=n, c_stride_n=1,
    )  # fmt: skip
    return [Comparison("a b", c, a.to(WIDE) @ b.to(WIDE), 2e-3, 1e-3)]


@case("persistent_matmul-pointers")
def persistent_matmul(kernel, inputs: Inputs) -> Result:
    m, n, k = 400, 336, 496
    a, b = _matrix_pair(inputs, m, n, k, torch.float16)
    c = empty(m, n, dtype=torch.float16)
    kernel((11,), a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=k)
    return [Comparison("a b", c, a.to(WIDE) @ b.to(WIDE), 2e-3, 1e-3)]


@case("persistent_matmul-descriptors")
def descriptor_matmul(kernel, inputs: Inputs) -> Result:
    m, n, k = 400, 336, 496
    a, b = inputs.normal(m, k, dtype=torch.float16), inputs.normal(n, k, dtype=torch.float16)
    c = empty(m, n, dtype=torch.float16)
    kernel((11,), a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=k)
    return [Comparison("a bᵀ", c, a.to(WIDE) @ b.to(WIDE).T, 2e-3, 1e-3)]


@case("batched_matmul-row_major")
def batched_matmul(kernel, inputs: Inputs) -> Result:
    batch, m, n, k = 5, 144, 80, 208
    a, b = (inputs.normal(batch, *shape, dtype=torch.bfloat16) for shape in ((m, k), (k, n)))
    c = empty(batch, m, n)
    return _batched_matmul(kernel, a, b, c, 64)


@case("batched_matmul-any_strides")
def batched_matmul_strides(kernel, inputs: Inputs) -> Result:
    batch, m, n, k = 3, 77, 91, 131
    a = unaligned(inputs.normal(batch, k, m, dtype=torch.bfloat16)).transpose(1, 2)
    b = unaligned(inputs.normal(batch, n, k, dtype=torch.bfloat16)).transpose(1, 2)
    return _batched_matmul(kernel, a, b, unaligned(empty(batch, m, n)), 32)


def _batched_matmul(kernel, a, b, c, block_m: int) -> Result:
    batch, m, n = c.shape
    strides = {
        f"{name}_stride_{axis}": stride
        for name, tensor, axes in (("a", a, "mk"), ("b", b, "kn"), ("c", c, "mn"))
        for axis, stride in zip(("batch", *axes), tensor.stride(), strict=True)
    }
    grid = (ceil_div(m, block_m) * ceil_div(n, 64), batch)
    kernel(grid, a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=a.shape[2], **strides)
    return [Comparison("a b", c, a.to(WIDE) @ b.to(WIDE), 1e-3, 1e-4)]


@case("matmul_activation-gelu")
def matmul_gelu(kernel, inputs: Inputs) -> Result:
    return _matmul_activation(kernel, inputs, 64, torch.nn.functional.gelu)


@case("matmul_activation-leaky_relu")
def matmul_leaky_relu(kernel, inputs: Inputs) -> Result:
    return _matmul_activation(kernel, inputs, 128, torch.nn.functional.leaky_relu)


def _matmul_activation(kernel, inputs: Inputs, block_m: int, activation) -> Result:
    m, n, k, scale = 208, 176, 336, 0.125
    a, b = _matrix_pair(inputs, m, n, k, torch.float16)
    bias, c = inputs.normal(n), empty(m, n, dtype=torch.float16)
    kernel(
        (ceil_div(m, block_m), ceil_div(n, 64)), a_ptr=a, b_ptr=b, bias_ptr=bias, c_ptr=c,
        m=m, n=n, k=k, scale=scale,
    )  # fmt: skip
    expected = activation(a.to(WIDE) @ b.to(WIDE) * scale + bias)
    return [Comparison("activation", c, expected, 1e-3, 1e-3)]


@case("split_k_matmul-bf16")
def split_k_matmul(kernel, inputs: Inputs) -> Result:
    m, n, k = 80, 112, 4000
    a, b = _matrix_pair(inputs, m, n, k, torch.bfloat16)
    c = zeros(m, n)
    kernel((4, 8), a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=k)
    return [Comparison("a b", c, a.to(WIDE) @ b.to(WIDE), 5e-3, 1e-4)]


@case("stream_k-fp16")
def stream_k(kernel, inputs: Inputs) -> Result:
    m, n, k = 208, 176, 1008
    a, b = _matrix_pair(inputs, m, n, k, torch.float16)
    c = zeros(m, n)
    kernel((17,), a_ptr=a, b_ptr=b, c_ptr=c, m=m, n=n, k=k)
    return [Comparison("a b", c, a.to(WIDE) @ b.to(WIDE), 2e-3, 1e-4)]


@case("fp8_matmul-e4m3")
def fp8_matmul_e4m3(kernel, inputs: Inputs) -> Result:
    return _fp8_matmul(kernel, inputs, torch.float8_e4m3fn)


@case("fp8_matmul-e5m2")
def fp8_matmul_e5m2(kernel, inputs: Inputs) -> Result:
    return _fp8_matmul(kernel, inputs, torch.float8_e5m2)


def _fp8_matmul(kernel, inputs: Inputs, dtype: torch.dtype) -> Result:
    m, n, k = 208, 176, 336
    a, b = inputs.normal(m, k).to(dtype), inputs.normal(n, k).to(dtype)
    a_scale, b_scale = inputs.uniform(m) + 0.5, inputs.uniform(n) + 0.5
    c = empty(m, n, dtype=torch.bfloat16)
    kernel(
        (ceil_div(m, 64), ceil_div(n, 64)), a_ptr=a, b_ptr=b, a_scale_ptr=a_scale,
        b_scale_ptr=b_scale, c_ptr=c, m=m, n=n, k=k,
    )  # fmt: skip
    expected = a.to(WIDE) @ b.to(WIDE).T * a_scale[:, None] * b_scale[None, :]
    # Hopper's fp8 products are summed with about 14 bits before they reach fp32.
    return [Comparison("a bᵀ", c, expected, 5e-2, 5e-3)]


@case("int4_matmul-fp16")
def int4_matmul(kernel, inputs: Inputs) -> Result:
    m, n, k, group = 77, 176, 320, 32
    a = inputs.normal(m, k, dtype=torch.float16)
    weight = inputs.integers(-8, 8, k, n)
    low, high = weight[0::2], weight[1::2]
    packed = ((high << 4) | (low & 15)).to(torch.int8)
    scale = (inputs.uniform(k // group, n) * 0.1).half()
    c = empty(m, n, dtype=torch.float16)
    grid = (ceil_div(m, 64), ceil_div(n, 64))
    kernel(grid, a_ptr=a, packed_ptr=packed, scale_ptr=scale, c_ptr=c, m=m, n=n, k=k)
    full = weight.to(WIDE) * scale.to(WIDE).repeat_interleave(group, 0)
    return [Comparison("a w", c, a.to(WIDE) @ full, 1e-3, 1e-3)]


@case("int8_dot-int8")
def int8_dot(kernel, inputs: Inputs) -> Result:
    m, n, k = 128, 192, 256
    a, b = (inputs.integers(-128, 128, rows, k, dtype=torch.int8) for rows in (m, n))
    scale, c = inputs.uniform(m) * 1e-3, empty(m, n, dtype=torch.float16)
    kernel((m // 64, n // 64), a_ptr=a, b_ptr=b, scale_ptr=scale, c_ptr=c, n=n, k=k)
    return [Comparison("a bᵀ", c, a.to(WIDE) @ b.to(WIDE).T * scale[:, None], 1e-6, 5e-4)]


@case("grouped_gemm-fp16")
def grouped_gemm(kernel, inputs: Inputs) -> Result:
    sizes = [(100, 60, 72), (33, 200, 128), (256, 64, 40), (1, 5, 7)]
    pairs = [_matrix_pair(inputs, m, n, k, torch.float16) for m, n, k in sizes]
    results = [empty(m, n, dtype=torch.float16) for m, n, _ in sizes]
    columns = ([a for a, _ in pairs], [b for _, b in pairs], results)
    addresses = torch.tensor([[t.data_ptr() for t in column] for column in columns], device="cuda")
    table = torch.tensor(sizes, dtype=torch.int32, device="cuda")
    kernel((7,), addresses_ptr=addresses, sizes_ptr=table, groups=len(sizes))
    return [
        Comparison(f"group {index}", c, a.to(WIDE) @ b.to(WIDE), 1e-3, 1e-3)
        for index, ((a, b), c) in enumerate(zip(pairs, results, strict=True))
    ]


@case("moe_gemm-bf16")
def moe_gemm(kernel, inputs: Inputs) -> Result:
    tokens, experts, top, n, k, block = 150, 6, 2, 112, 176, 64
    x = inputs.normal(tokens, k, dtype=torch.bfloat16)
    matrices = inputs.normal(experts, n, k, dtype=torch.bfloat16)
    weights = inputs.uniform(tokens * top)
    chosen = inputs.integers(0, experts, tokens * top)
    order, expert_of_block = [], []
    for expert in range(experts):
        slots = (chosen == expert).nonzero().flatten().tolist()
        blocks = ceil_div(len(slots), block)
        order += slots + [tokens * top] * (blocks * block - len(slots))
        expert_of_block += [expert] * blocks
    out = empty(tokens * top, n, dtype=torch.bfloat16)
    kernel(
        (len(expert_of_block), ceil_div(n, 64)), tokens_ptr=x, experts_ptr=matrices, out_ptr=out,
        weights_ptr=weights, slots_ptr=torch.tensor(order, dtype=torch.int32, device="cuda"),
        expert_of_block_ptr=torch.tensor(expert_of_block, dtype=torch.int32, device="cuda"),
        slots=tokens * top, n=n, k=k,
    )  # fmt: skip
    rows = x.to(WIDE).repeat_interleave(top, 0)
    expected = torch.einsum("sk,snk->sn", rows, matrices.to(WIDE)[chosen.long()]) * weights[:, None]
    return [Comparison("expert products", out, expected, 1e-3, 4e-3)]


@case("lora_matmul-rank_16")
def lora_matmul(kernel, inputs: Inputs) -> Result:
    m, n, k, rank, scale = 208, 176, 336, 16, 0.5
    x, w = _matrix_pair(inputs, m, n, k, torch.float16)
    a, b = _matrix_pair(inputs, k, n, rank, torch.float16)
    y = empty(m, n, dtype=torch.float16)
    kernel(
        (ceil_div(m, 64), ceil_div(n, 64)), x_ptr=x, w_ptr=w, a_ptr=a, b_ptr=b, y_ptr=y,
        m=m, n=n, k=k, scale=scale,
    )  # fmt: skip
    low = (x.to(WIDE) @ a.to(WIDE)).half().to(WIDE)
    # The inner product is rounded to fp16 on the way: a rounding that goes the other way moves the result.
    return [
        Comparison(
            "x w + s (x a) b", y, x.to(WIDE) @ w.to(WIDE) + scale * low @ b.to(WIDE), 2e-2, 1e-3
        )
    ]


@case("convolution-3x3_stride_2")
def convolution(kernel, inputs: Inputs) -> Result:
    return _convolution(kernel, inputs, 3, 2, 1, 64)


@case("convolution-1x1")
def convolution_1x1(kernel, inputs: Inputs) -> Result:
    return _convolution(kernel, inputs, 1, 1, 0, 32)


def _convolution(
    kernel, inputs: Inputs, side: int, stride: int, padding: int, block: int
) -> Result:
    batch, height, width, channels, filters = 3, 19, 23, 48, 80
    x = inputs.normal(batch, height, width, channels, dtype=torch.float16)
    window = inputs.normal(side, side, channels, filters, dtype=torch.float16)
    expected = torch.nn.functional.conv2d(
        x.to(WIDE).permute(0, 3, 1, 2), window.to(WIDE).permute(3, 2, 0, 1), None, stride, padding
    ).permute(0, 2, 3, 1)
    out = empty(*expected.shape, dtype=torch.float16)
    pixels = out.numel() // filters
    kernel(
        (ceil_div(pixels, block), ceil_div(filters, block)), x_ptr=x, kernel_ptr=window,
        out_ptr=out, batch=batch, height=height, width=width, channels=channels, filters=filters,
    )  # fmt: skip
    return [Comparison("convolution", out, expected, 2e-3, 1e-3)]


# --- Attention ---------------------------------------------------------------------------------


def _attention(q, k, v, scale: float, causal: bool) -> torch.Tensor:
    score = q @ k.transpose(-1, -2) * scale
    if causal:
        hidden = torch.ones(score.shape[-2:], dtype=torch.bool, device="cuda").triu(1)
        score = score.masked_fill(hidden, -math.inf)
    return score.softmax(-1) @ v


@case("attention-full")
def attention_full(kernel, inputs: Inputs) -> Result:
    return _attention_forward(kernel, inputs, causal=False)


@case("attention-causal")
def attention_causal(kernel, inputs: Inputs) -> Result:
    return _attention_forward(kernel, inputs, causal=True)


def _attention_forward(kernel, inputs: Inputs, causal: bool) -> Result:
    heads, length, head, scale = 3, 400, 64, 0.125
    q, k, v = (inputs.normal(heads, length, head, dtype=torch.float16) for _ in range(3))
    out = empty(heads, length, head, dtype=torch.float16)
    grid = (ceil_div(length, 64), heads)
    kernel(grid, q_ptr=q, k_ptr=k, v_ptr=v, out_ptr=out, length=length, scale=scale)
    expected = _attention(q.to(WIDE), k.to(WIDE), v.to(WIDE), scale, causal)
    return [Comparison("attention", out, expected, 2e-3, 2e-3)]


@case("attention_backward-delta", "attention_backward-keys", "attention_backward-queries")
def attention_backward(delta_kernel, keys_kernel, queries_kernel, inputs: Inputs) -> Result:
    heads, length, head, scale = 3, 208, 64, 0.125
    q, k, v, gradient = (inputs.normal(heads, length, head, dtype=torch.float16) for _ in range(4))
    wide = [tensor.to(WIDE).requires_grad_() for tensor in (q, k, v)]
    result = _attention(*wide, scale, causal=True)
    result.backward(gradient.to(WIDE))
    score = (wide[0] @ wide[1].transpose(1, 2) * scale).detach()
    hidden = torch.ones(length, length, dtype=torch.bool, device="cuda").triu(1)
    log_sum = score.masked_fill(hidden, -math.inf).logsumexp(-1) / math.log(2)
    out, delta = result.detach().half(), empty(heads * length)
    dq, dk, dv = (empty(heads, length, head, dtype=torch.float16) for _ in range(3))
    delta_kernel(
        (ceil_div(heads * length, 64),), out_ptr=out, gradient_ptr=gradient, delta_ptr=delta,
        rows=heads * length,
    )  # fmt: skip
    given = {
        "q_ptr": q, "k_ptr": k, "v_ptr": v, "gradient_ptr": gradient, "delta_ptr": delta,
        "log_sum_ptr": log_sum.float(), "length": length, "scale": scale,
    }  # fmt: skip
    grid = (ceil_div(length, 64), heads)
    keys_kernel(grid, dk_ptr=dk, dv_ptr=dv, **given)
    queries_kernel(grid, dq_ptr=dq, **given)
    return [
        Comparison(
            "delta", delta, (out.to(WIDE) * gradient.to(WIDE)).sum(-1).flatten(), 1e-5, 1e-5
        ),
        Comparison("query gradient", dq, wide[0].grad, 3e-3, 3e-3),
        Comparison("key gradient", dk, wide[1].grad, 3e-3, 3e-3),
        Comparison("value gradient", dv, wide[2].grad, 3e-3, 3e-3),
    ]


@case("attention_decode-split", "attention_decode-combine")
def attention_decode(split_kernel, combine_kernel, inputs: Inputs) -> Result:
    heads, splits, queries, length, head, scale = 3, 8, 16, 1003, 64, 0.125
    q = inputs.normal(heads, queries, head, dtype=torch.float16)
    k, v = (inputs.normal(heads, length, head, dtype=torch.float16) for _ in range(2))
    part = empty(heads, splits, queries, head)
    highest, weight = empty(heads, splits, queries), empty(heads, splits, queries)
    out = empty(heads, queries, head, dtype=torch.float16)
    parts = {"part_ptr": part, "highest_ptr": highest, "weight_ptr": weight}
    split_kernel((heads, splits), q_ptr=q, k_ptr=k, v_ptr=v, length=length, scale=scale, **parts)
    combine_kernel((heads, queries), out_ptr=out, **parts)
    expected = _attention(q.to(WIDE), k.to(WIDE), v.to(WIDE), scale, causal=False)
    return [Comparison("attention", out, expected, 1e-3, 2e-3)]


@case("paged_attention-bf16")
def paged_attention(kernel, inputs: Inputs) -> Result:
    heads, head, page, pages, width, scale = 5, 128, 16, 40, 9, 128**-0.5
    lengths = [1, 16, 77, 144]
    q = inputs.normal(len(lengths), heads, head, dtype=torch.bfloat16)
    keys, values = (inputs.normal(pages, heads, page, head, dtype=torch.bfloat16) for _ in range(2))
    order = torch.from_numpy(numpy.random.default_rng(1).permutation(pages)).to("cuda", torch.int32)
    table = order[: len(lengths) * width].view(len(lengths), width).contiguous()
    out = empty(*q.shape, dtype=torch.bfloat16)
    kernel(
        (len(lengths), heads), q_ptr=q, key_pages_ptr=keys, value_pages_ptr=values, table_ptr=table,
        lengths_ptr=torch.tensor(lengths, dtype=torch.int32, device="cuda"), out_ptr=out,
        table_stride=width, heads=heads, scale=scale,
    )  # fmt: skip
    expected = []
    for index, length in enumerate(lengths):
        chosen = table[index].long()
        k, v = (
            cache[chosen].to(WIDE).transpose(0, 1).reshape(heads, -1, head)[:, :length]
            for cache in (keys, values)
        )
        expected.append(_attention(q[index].to(WIDE)[:, None], k, v, scale, causal=False)[:, 0])
    return [Comparison("attention", out, torch.stack(expected), 1e-5, 4e-3)]


@case("linear_attention-bf16")
def linear_attention(kernel, inputs: Inputs) -> Result:
    heads, length, head = 3, 208, 64
    q, k, v = (inputs.normal(heads, length, head).mul(0.25).bfloat16() for _ in range(3))
    out = empty(heads, length, head, dtype=torch.bfloat16)
    kernel((heads,), q_ptr=q, k_ptr=k, v_ptr=v, out_ptr=out, length=length)
    score = (q.to(WIDE) @ k.to(WIDE).transpose(1, 2)).tril()
    # Scores and state are rounded to bf16 before they are multiplied again.
    return [Comparison("attention", out, score @ v.to(WIDE), 3e-2, 1e-2)]


# --- Scans, sorts, histograms, sparse and irregular access -------------------------------------


@case("atomics-histogram")
def histogram(kernel, inputs: Inputs) -> Result:
    n = 4000
    x, bins, top = inputs.integers(0, 1000, n), zeros(64, dtype=torch.int32), zeros(1)
    kernel((16,), x_ptr=x, bins_ptr=bins, top_ptr=top, n=n)
    return [
        Comparison("bins", bins, torch.bincount(x % 64, minlength=64)),
        Comparison("maximum", top.to(torch.int64), x.max()[None].long()),
    ]


@case("atomics-locked_sum")
def locked_sum(kernel, inputs: Inputs) -> Result:
    n = 5000
    x, total, lock = inputs.normal(n), zeros(1), zeros(1, dtype=torch.int32)
    kernel((20,), x_ptr=x, total_ptr=total, lock_ptr=lock, n=n)
    return [
        Comparison("sum", total, x.to(WIDE).sum()[None], 1e-3, 1e-5),
        Comparison("lock", lock, zeros(1, dtype=torch.int32)),
    ]


@case("radix_histogram-eight_bits")
def radix_histogram(kernel, inputs: Inputs) -> Result:
    return _radix_histogram(kernel, inputs, 10001, torch.int32, 8, 8, 2048)


@case("radix_histogram-four_bits_wide_keys")
def radix_histogram_wide(kernel, inputs: Inputs) -> Result:
    return _radix_histogram(kernel, inputs, 10000, torch.int64, 16, 4, 512)


def _radix_histogram(
    kernel, inputs: Inputs, n: int, dtype, shift: int, bits: int, block: int
) -> Result:
    keys = inputs.integers(-(2**30), 2**30, n, dtype=dtype)
    blocks, bins = ceil_div(n, block), 1 << bits
    counts = empty(blocks, bins, dtype=torch.int32)
    kernel((blocks,), keys_ptr=keys, counts_ptr=counts, n=n, shift=shift)
    digit = ((keys.long() >> shift) & (bins - 1)) + bins * (torch.arange(n, device="cuda") // block)
    return [
        Comparison(
            "counts", counts, torch.bincount(digit, minlength=blocks * bins).view(blocks, bins)
        )
    ]


@case("top_k-sixteen_of_512")
def top_k(kernel, inputs: Inputs) -> Result:
    rows, columns = 37, 500
    # Rounded, so that rows have equal numbers, of which the first must win.
    x = (inputs.normal(rows, columns) * 8).round() / 8
    values, indices = empty(rows, 16), empty(rows, 16, dtype=torch.int32)
    kernel((rows,), x_ptr=x, values_ptr=values, indices_ptr=indices, columns=columns)
    wanted, order = x.sort(dim=1, descending=True, stable=True)
    return [
        Comparison("values", values, wanted[:, :16]),
        Comparison("indices", indices, order[:, :16]),
    ]


@case("row_sort-bf16")
def row_sort(kernel, inputs: Inputs) -> Result:
    rows, columns = 31, 101
    x = inputs.normal(rows, columns, dtype=torch.bfloat16)
    order = empty(rows, columns, dtype=torch.int32)
    kernel((8,), x_ptr=x, order_ptr=order, rows=rows, columns=columns)
    # Zeros of either sign would be a tie for PyTorch alone.
    return [Comparison("order", order, (x + 0.0).sort(dim=1, stable=True)[1])]


@case("prefix_sum-int32")
def prefix_sum(kernel, inputs: Inputs) -> Result:
    n = 1_000_003
    x, out = inputs.integers(-1000, 1000, n), empty(n, dtype=torch.int32)
    blocks = ceil_div(n, 1024)
    states, ticket = zeros(blocks, dtype=torch.int64), zeros(1, dtype=torch.int32)
    kernel((blocks,), x_ptr=x, out_ptr=out, states_ptr=states, ticket_ptr=ticket, n=n)
    return [Comparison("running sum", out, x.long().cumsum(0))]


@case("segment_reduce-mean")
def segment_mean(kernel, inputs: Inputs) -> Result:
    columns, lengths = 48, [0, 1, 16, 17, 90, 3]
    x, out = inputs.normal(sum(lengths), columns), empty(len(lengths), columns)
    starts = torch.tensor([0, *numpy.cumsum(lengths)], dtype=torch.int32, device="cuda")
    kernel((len(lengths),), x_ptr=x, starts_ptr=starts, out_ptr=out, columns=columns)
    parts = x.to(WIDE).split(lengths)
    expected = torch.stack([part.sum(0) / max(len(part), 1) for part in parts])
    return [Comparison("means", out, expected, 1e-6, 1e-5)]


@case("segment_reduce-scan")
def segmented_sum(kernel, inputs: Inputs) -> Result:
    n = 1000
    x, flags, out = inputs.normal(n), (inputs.uniform(n) < 0.05).int(), empty(n)
    kernel((1,), x_ptr=x, flags_ptr=flags, out_ptr=out, n=n)
    expected, running = [], 0.0
    for number, flag in zip(x.tolist(), flags.tolist(), strict=True):
        running = number if flag else running + number
        expected.append(running)
    return [Comparison("running sums", out, torch.tensor(expected, dtype=WIDE), 1e-5, 1e-5)]


@case("selective_scan-fp32")
def selective_scan(kernel, inputs: Inputs) -> Result:
    batch, length, channels, state = 2, 203, 48, 16
    x, delta = inputs.normal(batch, length, channels), inputs.uniform(batch, length, channels)
    decay, skip = -inputs.uniform(channels, state), inputs.normal(channels)
    b, c = (inputs.normal(batch, length, state) for _ in range(2))
    out = empty(batch, length, channels)
    kernel(
        (batch, channels), x_ptr=x, delta_ptr=delta, decay_ptr=decay, b_ptr=b, c_ptr=c,
        skip_ptr=skip, out_ptr=out, length=length, channels=channels,
    )  # fmt: skip
    hidden, rows = torch.zeros(batch, channels, state, dtype=WIDE, device="cuda"), []
    for time in range(length):
        step = delta[:, time, :, None].to(WIDE)
        added = step * x[:, time, :, None] * b[:, time, None, :]
        hidden = hidden * (step * decay).exp() + added
        rows.append((hidden * c[:, time, None, :]).sum(-1) + skip * x[:, time])
    return [Comparison("output", out, torch.stack(rows, 1), 1e-5, 1e-4)]


@case("embedding-gather")
def embedding(kernel, inputs: Inputs) -> Result:
    vocabulary, columns, positions = 101, 304, 57
    table = inputs.normal(vocabulary, columns, dtype=torch.float16)
    tokens = inputs.integers(0, vocabulary, positions)
    tokens[5], tokens[9] = -1, vocabulary
    out = empty(positions, columns, dtype=torch.float16)
    kernel(
        (positions,), table_ptr=table, tokens_ptr=tokens, out_ptr=out, vocabulary=vocabulary,
        columns=columns,
    )  # fmt: skip
    known = (tokens >= 0) & (tokens < vocabulary)
    expected = table[tokens.clamp(0, vocabulary - 1).long()].to(WIDE) * known[:, None]
    return [Comparison("rows", out, expected)]


@case("embedding-scatter")
def embedding_backward(kernel, inputs: Inputs) -> Result:
    return _embedding_backward(kernel, inputs, torch.float32, 1e-5, 1e-5)


@case("embedding-scatter_fp16")
def embedding_backward_fp16(kernel, inputs: Inputs) -> Result:
    return _embedding_backward(kernel, inputs, torch.float16, 2e-2, 2e-2)


def _embedding_backward(kernel, inputs: Inputs, dtype, absolute: float, relative: float) -> Result:
    vocabulary, columns, positions = 23, 304, 200
    gradient = inputs.normal(positions, columns, dtype=torch.float16)
    tokens = inputs.integers(-1, vocabulary, positions)
    out = zeros(vocabulary, columns, dtype=dtype)
    kernel(
        (positions,), gradient_ptr=gradient, tokens_ptr=tokens, table_gradient_ptr=out,
        vocabulary=vocabulary, columns=columns,
    )  # fmt: skip
    known = tokens >= 0
    expected = torch.zeros(vocabulary, columns, dtype=WIDE, device="cuda")
    expected.index_add_(0, tokens[known].long(), gradient[known].to(WIDE))
    return [Comparison("table gradient", out, expected, absolute, relative)]


@case("sparse_matvec-fp32")
def sparse_matvec(kernel, inputs: Inputs) -> Result:
    rows, columns = 203, 301
    lengths = inputs.integers(0, 150, rows)
    starts = torch.nn.functional.pad(lengths.cumsum(0), (1, 0)).to(torch.int32)
    entries = int(starts[-1])
    values, at = inputs.normal(entries), inputs.integers(0, columns, entries)
    x, y = inputs.normal(columns), empty(rows)
    kernel(
        (ceil_div(rows, 4),), values_ptr=values, columns_ptr=at, starts_ptr=starts, x_ptr=x,
        y_ptr=y, rows=rows,
    )  # fmt: skip
    row_of = torch.arange(rows, device="cuda").repeat_interleave(lengths.long())
    expected = torch.zeros(rows, dtype=WIDE, device="cuda")
    expected.index_add_(0, row_of, values.to(WIDE) * x.to(WIDE)[at.long()])
    return [Comparison("A x", y, expected, 1e-5, 1e-5)]


# --- Images and grids --------------------------------------------------------------------------


@case("transpose-fp32")
def transpose(kernel, inputs: Inputs) -> Result:
    x, out = inputs.normal(203, 176), empty(176, 203)
    kernel((4, 3), x_ptr=x, out_ptr=out, rows=203, columns=176)
    return [Comparison("xᵀ", out, x.T)]


@case("transpose-int8")
def transpose_int8(kernel, inputs: Inputs) -> Result:
    x, out = (
        inputs.integers(-128, 128, 208, 176, dtype=torch.int8),
        empty(176, 208, dtype=torch.int8),
    )
    kernel((2, 2), x_ptr=x, out_ptr=out, rows=208, columns=176)
    return [Comparison("xᵀ", out, x.T)]


@case("stencil-fp32")
def stencil(kernel, inputs: Inputs) -> Result:
    return _stencil(kernel, inputs, torch.float32, 16, 64, 1e-6)


@case("stencil-fp64")
def stencil_fp64(kernel, inputs: Inputs) -> Result:
    return _stencil(kernel, inputs, WIDE, 8, 32, 1e-14)


def _stencil(kernel, inputs: Inputs, dtype, block_y: int, block_x: int, absolute: float) -> Result:
    height, width, rate = 101, 144, 0.1875
    grid, out = inputs.normal(height, width, dtype=dtype), empty(height, width, dtype=dtype)
    programs = (ceil_div(height, block_y), ceil_div(width, block_x))
    kernel(programs, in_ptr=grid, out_ptr=out, height=height, width=width, rate=rate)
    wide = grid.to(WIDE)
    around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    expected = wide.clone()
    expected[1:-1, 1:-1] += rate * (around - 4 * wide[1:-1, 1:-1])
    return [Comparison("next step", out, expected, absolute, absolute)]


@case("max_pool-3x3_stride_2")
def max_pool(kernel, inputs: Inputs) -> Result:
    x = inputs.normal(3, 5, 37, 29, dtype=torch.float16)
    x[1, 2, 10, 10] = math.nan
    expected = torch.nn.functional.max_pool2d(x.to(WIDE), 3, 2, 1)
    height, width = expected.shape[2:]
    out = empty(*expected.shape, dtype=torch.float16)
    kernel(
        (15, ceil_div(height * width, 256)), x_ptr=x, out_ptr=out, height=37, width=29,
        out_height=height, out_width=width,
    )  # fmt: skip
    return [Comparison("maximum", out, expected)]


@case("mandelbrot-fp32")
def mandelbrot(kernel, inputs: Inputs) -> Result:
    height, width, limit = 101, 144, 60
    counts = empty(height, width, dtype=torch.int32)
    step = 2.0**-6
    kernel(
        (ceil_div(height, 16), ceil_div(width, 64)), counts_ptr=counts, height=height, width=width,
        left=-1.75, bottom=-0.75, step=step, limit=limit,
    )  # fmt: skip
    real = -1.75 + torch.arange(width, device="cuda", dtype=WIDE)[None, :] * step
    imaginary = -0.75 + torch.arange(height, device="cuda", dtype=WIDE)[:, None] * step
    origin, z = (
        torch.complex(real.expand(height, width), imaginary.expand(height, width).contiguous()),
        0,
    )
    expected, bounded = (
        zeros(height, width, dtype=torch.int64),
        torch.ones_like(real * imaginary) > 0,
    )
    for _ in range(limit):
        z = torch.where(bounded, z * z + origin, z)
        bounded = bounded & (z.abs() <= 2)
        expected += bounded
    # On the rim fp32 and fp64 part ways: few points may differ.
    same = (counts == expected).double().mean()[None]
    return [Comparison("share of equal counts", same, torch.ones_like(same), 0.002)]
