"""torch.nn.functional: shapes of what networks compute."""

from __future__ import annotations

from typing import Any

from .dtypes import DTYPES, default_float
from .products import product
from .tensor import OPERATIONS, Tensor


def _same(x: Tensor, *arguments: Any, dtype: Any = None, **options: Any) -> Tensor:
    others = [one for one in (*arguments, *options.values()) if isinstance(one, Tensor)]
    return x.result(element=dtype, parents=others)


def _linear(x: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    result = product(x, OPERATIONS["t"](weight))
    return result if bias is None else result.result(parents=(bias,))


def _attention(
    query: Tensor, key: Tensor, value: Tensor, *arguments: Any, **options: Any
) -> Tensor:
    return query.result((*query.shape[:-1], value.shape[-1]), parents=(key, value))


def _loss(
    x: Tensor, target: Tensor, *arguments: Any, reduction: str = "mean", **options: Any
) -> Tensor:
    return x.result(target.shape if reduction == "none" else ())


def _pad(x: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    shape = list(x.shape)
    for index in range(len(pad) // 2):
        shape[-1 - index] += pad[2 * index] + pad[2 * index + 1]
    return x.result(shape)


def _one_hot(x: Tensor, num_classes: int) -> Tensor:
    return x.result((*x.shape, num_classes), DTYPES["int64"])


def _embedding(index: Tensor, weight: Tensor, *arguments: Any, **options: Any) -> Tensor:
    return weight.result((*index.shape, weight.shape[-1]))


def _glu(x: Tensor, dim: int = -1) -> Tensor:
    shape = list(x.shape)
    shape[dim] //= 2
    return x.result(shape)


def _convolution(rank: int) -> Any:
    def apply(
        x: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        def each(value: Any) -> list[int]:
            return list(value) if isinstance(value, list | tuple) else [value] * rank

        shape = list(x.shape)
        shape[-rank - 1] = weight.shape[0]
        for i, (step, added, spread) in enumerate(
            zip(each(stride), each(padding), each(dilation), strict=True)
        ):
            reach = spread * (weight.shape[2 + i] - 1) + 1
            shape[i - rank] = (shape[i - rank] + 2 * added - reach) // step + 1
        return x.result(shape, parents=(weight,))

    return apply


_SAME = (
    *("softmax", "log_softmax", "softmin", "layer_norm", "rms_norm", "group_norm", "batch_norm"),
    *(
        "instance_norm",
        "normalize",
        "dropout",
        "alpha_dropout",
        "relu",
        "relu6",
        "elu",
        "selu",
        "celu",
        "gelu",
        "silu",
        "mish",
    ),
    *("leaky_relu", "prelu", "softplus", "sigmoid", "tanh", "logsigmoid", "hardswish", "hardtanh"),
    *("hardsigmoid", "gumbel_softmax", "threshold", "softsign"),
)
FUNCTIONAL: dict[str, Any] = {
    **dict.fromkeys(_SAME, _same),
    **dict.fromkeys(("cross_entropy", "nll_loss"), _loss),
    **dict.fromkeys(("mse_loss", "l1_loss", "smooth_l1_loss", "kl_div", "huber_loss"), _loss),
    **dict.fromkeys(("binary_cross_entropy", "binary_cross_entropy_with_logits"), _loss),
    **{"linear": _linear, "scaled_dot_product_attention": _attention, "pad": _pad, "glu": _glu},
    **{"one_hot": _one_hot, "embedding": _embedding},
    **{f"conv{rank}d": _convolution(rank) for rank in (1, 2, 3)},
}


class Parameter(Tensor):
    """A tensor that a module trains."""

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        data = Tensor((0,), default_float()) if data is None else data
        super().__init__(
            data.shape,
            data.dtype,
            data.stride(),
            data.device,
            data.untyped_storage(),
            data.storage_offset(),
        )
        self.requires_grad = requires_grad


class Module:
    """Base class of the script's networks."""

    training = True

    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the script's forward."""
        called: Any = self
        return called.forward(*arguments, **options)

    def parameters(self, recurse: bool = True) -> list[Any]:
        """Return the parameters of the module and of the modules in it."""
        return [parameter for _, parameter in self.named_parameters()]

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> list[tuple[str, Any]]:
        """Return the parameters with their dotted names."""
        found: list[tuple[str, Any]] = []
        for name, value in vars(self).items():
            if isinstance(value, Parameter):
                found.append((f"{prefix}{name}", value))
            elif isinstance(value, Module):
                found += value.named_parameters(f"{prefix}{name}.")
        return found

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Keep a tensor as an attribute."""
        vars(self)[name] = tensor

    register_parameter = register_buffer

    def to(self, *arguments: Any, **options: Any) -> Module:
        """Move every tensor of the module and of the modules in it."""
        for name, value in vars(self).items():
            if isinstance(value, Parameter):
                vars(self)[name] = Parameter(value.to(*arguments, **options), value.requires_grad)
            elif isinstance(value, Tensor | Module):
                vars(self)[name] = value.to(*arguments, **options)
        return self

    def cuda(self, device: Any = None) -> Module:
        """Move it to the GPU."""
        return self.to("cuda")

    def cpu(self) -> Module:
        """Move it to the CPU."""
        return self.to("cpu")

    def half(self) -> Module:
        """Convert it to float16."""
        return self.to(DTYPES["float16"])

    def bfloat16(self) -> Module:
        """Convert it to bfloat16."""
        return self.to(DTYPES["bfloat16"])

    def float(self) -> Module:
        """Convert it to float32."""
        return self.to(DTYPES["float32"])

    def train(self, mode: bool = True) -> Module:
        """Return the module."""
        return self

    eval = requires_grad_ = train

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients."""
        for parameter in self.parameters():
            parameter.grad = None


class Linear(Module):
    """A linear layer."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        element = dtype or default_float()
        self.weight = Parameter(Tensor((out_features, in_features), element, place=device))
        self.bias = Parameter(Tensor((out_features,), element, place=device)) if bias else None

    def forward(self, x: Any) -> Tensor:
        """Return the product with the weight."""
        return _linear(x, self.weight)


class Normalisation(Module):
    """A layer of the same shape with a weight and a bias: LayerNorm or RMSNorm."""

    def __init__(
        self,
        shape: Any,
        eps: float = 1e-5,
        *arguments: Any,
        device: Any = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        extents = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
        self.normalized_shape, self.eps = extents, eps
        self.weight = Parameter(Tensor(extents, dtype or default_float(), place=device))
        self.bias = Parameter(Tensor(extents, dtype or default_float(), place=device))

    def forward(self, x: Any) -> Tensor:
        """Return a tensor of the same shape."""
        return _same(x)


class Activation(Module):
    """A layer of the same shape without parameters: ReLU, GELU, Softmax, Dropout."""

    def forward(self, x: Any) -> Tensor:
        """Return a tensor of the same shape."""
        return _same(x)


NN: dict[str, Any] = {
    **{"Module": Module, "Parameter": Parameter, "Linear": Linear},
    **dict.fromkeys(("LayerNorm", "RMSNorm"), Normalisation),
    **dict.fromkeys(
        ("ReLU", "GELU", "SiLU", "Sigmoid", "Tanh", "LeakyReLU", "Softmax"), Activation
    ),
    **dict.fromkeys(("Dropout", "Identity"), Activation),
}
