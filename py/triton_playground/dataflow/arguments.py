"""Arguments of a call in a kernel."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .values import NOTHING, Value


@dataclass
class Arguments:
    """The arguments of a call; a method's receiver is the first.

    Attributes:
        positional, named: their values.
        receivers: 1 for a method, else 0.
        node: the call.
        keywords: the named arguments' code.
    """

    positional: list[Value]
    named: dict[str, Value]
    receivers: int
    node: ast.Call
    keywords: dict[str, ast.expr]

    @property
    def method(self) -> bool:
        """Whether it is a method's call."""
        return self.receivers > 0

    def get(self, index: int, name: str = "") -> Value:
        """Return the value at a position or of a name."""
        if index < len(self.positional):
            return self.positional[index]
        return self.named.get(name, NOTHING)

    def node_at(self, index: int, name: str) -> ast.expr | None:
        """Return the code at a position or of a name; None where there is none."""
        at = index - self.receivers
        return self.node.args[at] if 0 <= at < len(self.node.args) else self.keywords.get(name)

    def all(self) -> list[Value]:
        """Return all values."""
        return [*self.positional, *self.named.values()]
