"""Guesses: types and constants of parameters that nothing in a source tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .dataflow import Evidence, evidence_of
from .dataflow.names import POINTER_NAME
from .signature import ParameterType, parse_type
from .upstream import triton_module


@dataclass(frozen=True)
class GuessedConstant:
    """A guessed compile-time value."""

    value: Any


_FLOAT_NAME = re.compile(
    r"(?i)(^|_)(eps(ilon)?|(sm_?)?scale|alpha|beta\d?|lr|rate|momentum|decay|temperature|prob|p|threshold|slope|factor|gamma)$"
)
_INDEX_NAME = re.compile(r"(?i)seed|offset|start|begin|index|idx|pid|step|shift|philox")
_BLOCK_NAME = re.compile(r"(?i)block|tile|^B[MNKDHTSCV]$|dim|size|chunk|head")
_DEPTH_NAME = re.compile(r"(?i)k$")

# What a mark alone tells of a constant, the first that is found.
_CONSTANTS: tuple[tuple[str, Any], ...] = (
    ("format", "e5m2"),
    ("precision", "ieee"),
    ("text", ""),
    ("sem", "acq_rel"),
    ("scope", "gpu"),
    ("stages", 3),
    ("exponent", 4),
    ("axis", 0),
)


class Guesses:
    """Guesses for the parameters of one kernel, from the data flow of its code and, where that says nothing, from names.

    Args:
        function: Triton's JITFunction.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._found: Evidence | None = None

    @property
    def _evidence(self) -> Evidence:
        if self._found is None:
            try:
                self._found = evidence_of(self._function)
            except (SyntaxError, RecursionError, OSError):
                # Code that Triton itself cannot read; its frontend says why.
                self._found = Evidence()
        return self._found

    def of(self, name: str, *, constant: bool) -> ParameterType | GuessedConstant | None:
        """Return the guess for a parameter; None where there is nothing to guess by.

        Args:
            name: the parameter.
            constant: whether it has to be a compile-time constant.
        """
        marks = self._evidence.marks[name]
        if constant or (marks & {"shape", "dtype", "text", "constant", "stages", "count"}):
            if "called" in marks:
                helper = self._helper(name)
                return GuessedConstant(helper) if helper else None
            return GuessedConstant(self._constant(name, marks))
        return parse_type(self._type(name, marks))

    def _helper(self, name: str) -> Any:
        """Return a JIT function of the script that can be called as the parameter is; None if there is none."""
        arity = self._evidence.arities[name]
        for value in self._function.fn.__globals__.values():
            if (
                type(value) is type(self._function)
                and value is not self._function
                and value.fn.__code__.co_filename == self._function.fn.__code__.co_filename
                and len(value.params) == arity
            ):
                return value
        return None

    def _type(self, name: str, marks: set[str]) -> str:
        evidence = self._evidence
        if "descriptor" in marks:
            sizes = ", ".join(["64"] * evidence.ranks.get(name, 2))
            element = next(iter(evidence.elements[name]), "fp16")
            return f"tensordesc<{element}[{sizes}]>"
        if "pointer" in marks or evidence.elements[name]:
            return f"*{self._element(name)}:16"
        integer = marks & {"int", "size", "seed", "axis"}
        if not integer and ("float" in marks or _FLOAT_NAME.search(name)):
            return "fp32"
        if not integer and not marks and POINTER_NAME.search(name):
            return "*fp32:16"
        if marks == {"bool"}:
            return "u1"
        return f"i32{self._divisibility(name, marks)}"

    def _element(self, name: str) -> str:
        """Return the element type for a pointer, or for all those that it meets in matrix products."""
        group = {name}
        for _ in self._evidence.groups:
            group = group.union(*(other for other in self._evidence.groups if other & group))
        found = [element for member in sorted(group) for element in self._evidence.elements[member]]
        # An address table, eight bits and a converted operand leave no choice.
        for wanted in (
            "i64",
            "i8",
            "u8",
            "u1",
            *(e for e in found if e[0] in "fb" and e != "fp32"),
        ):
            if wanted in found:
                return wanted
        own = self._evidence.elements[name]
        return "fp16" if "half" in found else (own or found or ["fp32"])[0]

    def _divisibility(self, name: str, marks: set[str]) -> str:
        if "seed" in marks or "compared" in marks or _INDEX_NAME.search(name):
            return ""
        order = [parameter.name for parameter in self._function.params]
        for strides in self._evidence.strides.values():
            real = [s for s in strides if s in order and "size" not in self._evidence.marks[s]]
            # A dense tensor's last dimension has stride 1.
            if len(real) > 1 and max(real, key=order.index) == name:
                return ":1"
        return ":16"

    def _constant(self, name: str, marks: set[str]) -> Any:
        if "dtype" in marks or re.search(r"(?i)dtype|(^|_)type$", name):
            return triton_module("language").float32
        literal = self._evidence.literals.get(name)
        if isinstance(literal, str) and ("asserted" in marks or self._evidence.refuses):
            return literal
        for mark, value in _CONSTANTS:
            if mark in marks:
                return value
        if "shape" in marks:
            return self._block(name)
        if literal is not None:
            return literal
        if "count" in marks:
            return 4
        if "bool" in marks and not marks & {"int", "size"}:
            return False
        if re.search(r"(?i)stages", name):
            return 3
        if re.search(r"(?i)split|groups$", name):
            return 1
        if re.search(r"(?i)group", name):
            return 8
        if re.search(r"(?i)num_?(sm|program|cta|block|worker)", name):
            return 128
        if "float" in marks or _FLOAT_NAME.search(name):
            return 1e-5 if re.search(r"(?i)eps", name) else 1.0
        if marks & {"int", "size"} or _BLOCK_NAME.search(name):
            return self._block(name)
        return False if not marks or marks <= {"constant"} else 16

    def _block(self, name: str) -> int:
        evidence = self._evidence
        if evidence.dots:
            is_depth = _DEPTH_NAME.search(name) and "asserted" not in evidence.marks[name]
            return 32 if is_depth else 64
        dimensions = sum(
            evidence.times.get(parameter.name, 1)
            for parameter in self._function.params
            if parameter.is_constexpr and "shape" in evidence.marks[parameter.name]
        )
        if dimensions <= 1:
            return 64 if evidence.has_planes else 1024
        return 64 if dimensions == 2 else 16
