"""Evidence: what a kernel's code shows its parameters to be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .names import POINTER_NAME
from .values import Value


@dataclass
class Evidence:
    """What was seen of the parameters.

    Attributes:
        marks: parameter to what it is used as: pointer, int, size, float, shape, bool, text, dtype, stages and so on.
        elements: pointer to the element types that its uses ask for, in the order of the code.
        strides: pointer to the parameters that multiply its indices.
        literals: parameter to the first literal that it is compared with.
        dots: whether there is a matrix product.
        ranks: host descriptor to its number of dimensions.
        times: constant to the most dimensions of one shape in which it stands.
        groups: pointers whose elements meet in a matrix product, and so have one type.
        arities: parameter that is called to its number of arguments.
        has_planes: whether values are given a second dimension.
        refuses: whether a branch fails whatever the types are: a text that is compared has to be one that is known.
    """

    marks: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    elements: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    strides: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    literals: dict[str, Any] = field(default_factory=dict)
    dots: bool = False
    ranks: dict[str, int] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    groups: list[frozenset[str]] = field(default_factory=list)
    arities: dict[str, int] = field(default_factory=dict)
    has_planes: bool = False
    refuses: bool = False


class Trace:
    """Gathers the evidence of one run through a kernel.

    Args:
        function: Triton's JITFunction.
        known: the evidence of the run before; None in the first.
    """

    def __init__(self, function: Any, known: Evidence | None) -> None:
        self.function = function
        self.is_first = known is None
        self.known = known or Evidence()
        self.evidence = Evidence()
        self.constants = {p.name for p in function.params if p.is_constexpr}

    def mark(self, parameters: Iterable[str], mark: str) -> None:
        """Note what parameters are used as."""
        for name in parameters:
            self.evidence.marks[name].add(mark)

    def mark_exact(self, value: Value, mark: str) -> None:
        """Note what a value is used as, if it is a parameter."""
        if value.exact:
            self.mark([value.exact], mark)

    def element(self, pointers: Iterable[str], element: str) -> None:
        """Note an element type that a use of what was loaded asks for; empty for none."""
        for name in pointers:
            if element and element not in self.evidence.elements[name]:
                self.evidence.elements[name].append(element)

    def kind_of_elements(self, pointers: Iterable[str]) -> str:
        """Return whether what is loaded is int or float, by the run before."""
        kinds = {
            "int" if self.known.elements[name][0][0] in "iu" else "float"
            for name in pointers
            if self.known.elements.get(name)
        }
        # In the first run, nothing is known yet: an index must not pass for a float.
        if len(kinds) == 1:
            return kinds.pop()
        return "" if self.is_first else "float"

    def access(self, address: Value) -> frozenset[str]:
        """Note a memory access; return the pointers that it goes through."""
        pointers = set()
        for terms in address.sums:
            if pointer := self._pointer(terms):
                pointers.add(pointer)
        for pointer in pointers:
            self.mark([pointer], "pointer")
            self.evidence.strides[pointer] |= address.factors
        self.mark(address.inside - pointers, "int")
        # What was loaded to compute an address is an index.
        self.element(address.loaded - pointers, "i32")
        return frozenset(pointers)

    def _pointer(self, terms: tuple[str, ...]) -> str:
        able = [
            name
            for name in terms
            if name not in self.constants
            and not self.known.marks[name] & {"int", "size", "float", "seed", "shape"}
        ]
        named = [name for name in terms if POINTER_NAME.search(name)]
        return next(iter(named or able), "")
