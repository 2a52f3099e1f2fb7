"""torch.autograd: which of the script's own backward functions a call of backward runs."""

from __future__ import annotations

from typing import Any

from .tensor import Tensor, method


class Context:
    """What torch passes as ``ctx``: what forward leaves for backward."""

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self.saved_tensors: tuple[Any, ...] = ()
        self.needs_input_grad = tuple(
            isinstance(one, Tensor) and one.requires_grad for one in inputs
        )

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for backward."""
        self.saved_tensors = tensors

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of saved_tensors."""
        return self.saved_tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Do nothing."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Do nothing."""

    def set_materialize_grads(self, value: bool) -> None:
        """Do nothing."""


class Node:
    """One call of an autograd.Function.

    Attributes:
        outputs: the tensors that forward returned.
        inputs: what apply was given.
    """

    def __init__(
        self, function: Any, context: Context, inputs: tuple[Any, ...], outputs: list[Tensor]
    ) -> None:
        self.function, self.context = function, context
        self.inputs, self.outputs = inputs, outputs

    def backward(self) -> None:
        """Run the script's backward, with gradients like the outputs."""
        self.function.backward(self.context, *(_gradient(output) for output in self.outputs))


class Function:
    """Base class of the script's differentiable functions."""

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        """Run forward and remember what backward needs."""
        context = Context(inputs)
        described: Any = cls
        if hasattr(cls, "setup_context"):
            returned = described.forward(*inputs)
            described.setup_context(context, inputs, returned)
        else:
            returned = described.forward(context, *inputs)
        several = isinstance(returned, tuple | list)
        parents = tuple(one for one in inputs if isinstance(one, Tensor) and one.requires_grad)
        outputs = [one for one in (returned if several else (returned,)) if isinstance(one, Tensor)]
        if parents:
            node = Node(described, context, inputs, outputs)
            for output in outputs:
                output.requires_grad, output._parents, output._function = True, parents, node
        return returned


def _gradient(tensor: Tensor) -> Tensor:
    return Tensor(tensor.shape, tensor.dtype, tensor.stride(), tensor.device)


def run_backward(roots: list[Tensor]) -> list[Tensor]:
    """Run the backward of every Function that the tensors were computed by, last one first; return the leaves reached."""
    found: dict[int, Tensor] = {}
    waiting = list(roots)
    while waiting:
        tensor = waiting.pop()
        if tensor._order not in found:
            found[tensor._order] = tensor
            waiting += tensor._parents
    done: set[int] = set()
    leaves = []
    for _, tensor in sorted(found.items(), reverse=True):
        node = tensor._function
        if node is not None and id(node) not in done:
            done.add(id(node))
            node.backward()
        elif tensor.is_leaf and tensor.requires_grad:
            leaves.append(tensor)
    return leaves


@method("backward")
def _backward(x: Any, *arguments: Any, **options: Any) -> None:
    for leaf in run_backward([x]):
        leaf.grad = _gradient(leaf)


def grad(outputs: Any, inputs: Any, *arguments: Any, **options: Any) -> tuple[Tensor, ...]:
    """Do what torch.autograd.grad does."""
    run_backward(list(outputs) if isinstance(outputs, list | tuple) else [outputs])
    return tuple(
        _gradient(one) for one in (inputs if isinstance(inputs, list | tuple) else (inputs,))
    )


def decorator(*arguments: Any, **options: Any) -> Any:
    """Stand for a decorator of torch that changes nothing here, with or without arguments of its own."""
    if len(arguments) == 1 and callable(arguments[0]) and not options:
        return arguments[0]
    return lambda function: function


class Inactive:
    """Stand for a context manager of torch that is also a decorator, such as torch.no_grad."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def __enter__(self) -> Inactive:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __call__(self, function: Any) -> Any:
        """Return the decorated function as it is."""
        return function


class Switchable(Inactive):
    """One of those that may be written without parentheses before a function."""

    def __new__(cls, function: Any = None, *arguments: Any, **options: Any) -> Any:
        """Return the function itself where it is used as a decorator."""
        if callable(function):
            return function
        return super().__new__(cls)


def decorator_of_name(*arguments: Any, **options: Any) -> Any:
    """Stand for a decorator of torch.library, whose arguments name and describe the function that follows."""
    return lambda function: function
