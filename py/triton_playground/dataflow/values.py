"""Values: what is known about a value in a kernel."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from .names import element_of_name

# Alternatives of one address that are told apart; more add nothing to a guess.
_MAX_ALTERNATIVES = 16


@dataclass(frozen=True)
class Value:
    """What is known about a value in the kernel.

    Attributes:
        sums: for each alternative, the parameters of which it is the sum, and so the pointers that it may be.
        factors: parameters by which a term of the sum is multiplied.
        inside: parameters that its number depends on.
        exact: the parameter that it is, unchanged.
        loaded: pointer parameters whose elements it is made of.
        kind: int, float or bool where that is known.
        cast: the element type that it was converted to.
        parts: the elements of a tuple.
        function: the JIT function that it is.
        descriptor: whether it is a tensor descriptor or a block pointer that the kernel made.
    """

    sums: frozenset[tuple[str, ...]] = frozenset()
    factors: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    exact: str = ""
    loaded: frozenset[str] = frozenset()
    kind: str = ""
    cast: str = ""
    parts: tuple[Value, ...] = ()
    function: Any = None
    descriptor: bool = False

    def join(self, other: Value) -> Value:
        """Return what is known when it is either of the two."""
        same_parts = len(self.parts) == len(other.parts)
        return Value(
            sums=_limited(self.sums | other.sums),
            factors=self.factors | other.factors,
            inside=self.inside | other.inside,
            exact=self.exact if self.exact == other.exact else "",
            loaded=self.loaded | other.loaded,
            kind=wider(self.kind, other.kind),
            cast=self.cast if self.cast == other.cast else "",
            parts=tuple(a.join(b) for a, b in zip(self.parts, other.parts, strict=True))
            if same_parts
            else (),
            function=self.function or other.function,
            descriptor=self.descriptor or other.descriptor,
        )


NOTHING = Value()


def _limited(sums: frozenset[tuple[str, ...]]) -> frozenset[tuple[str, ...]]:
    return sums if len(sums) <= _MAX_ALTERNATIVES else frozenset(sorted(sums)[:_MAX_ALTERNATIVES])


def sum_of(
    left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]
) -> frozenset[tuple[str, ...]]:
    """Return the alternatives of a sum for those of its two sides."""
    if not left or not right:
        return left or right
    return _limited(
        frozenset(tuple(dict.fromkeys((*one, *other))) for one in left for other in right)
    )


def wider(one: str, other: str) -> str:
    """Return the kind of a number made of two kinds; empty where that is unknown."""
    if "float" in (one, other):
        return "float"
    if one == other:
        return one
    # A number of unknown kind with an integer or a flag may be of any kind.
    return "int" if {one, other} == {"int", "bool"} else ""


def kind_of(value: Any) -> str:
    """Return the kind of a Python number or tl.constexpr; empty for anything else."""
    if type(value).__name__ == "constexpr":
        value = value.value
    names: dict[type, str] = {bool: "bool", int: "int", float: "float"}
    return names.get(type(value), "")


def kind_of_type(name: str) -> str:
    """Return the kind of an element type's values; without a name, that of Triton's usual float32."""
    element = element_of_name(name)
    if not element:
        return "float" if name == "" else ""
    return "bool" if element == "u1" else "int" if element[0] in "iu" else "float"


def type_name(node: ast.expr | None) -> str:
    """Return the last part of a dotted name."""
    return ast.unparse(node).rpartition(".")[2] if node is not None else ""


def literal(node: ast.expr | None) -> Any:
    """Return the value of a literal; None for other code."""
    try:
        return ast.literal_eval(node) if node is not None else None
    except (ValueError, SyntaxError, TypeError):
        return None
