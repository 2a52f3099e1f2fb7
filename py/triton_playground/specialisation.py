"""Specialisation: the types, constants, attributes and options that a kernel is compiled with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from .jsonable import jsonable
from .printable import safe_repr
from .signature import ParameterType
from .upstream import triton_module

Path = tuple[int, ...]


@dataclass(frozen=True)
class Specialisation:
    """What Triton's ASTSource and parse_options take.

    Attributes:
        origin: request, launch, annotation or guess.
        signature: parameter name to Triton's type, in parameter order; a tuple for a tuple parameter.
        constexprs: path of each constant (parameter index, then index in a tuple) to its value.
        attrs: path of each argument to the backend's attributes, as its parse_attr returns them.
        options: backend options as given, before the backend's parse_options fills in the rest.
        declared: names of the parameters that the kernel itself declares tl.constexpr.
        sources: parameter name to where its type or value came from: the schema's sources.
    """

    origin: str
    signature: dict[str, Any]
    constexprs: dict[Path, Any]
    attrs: dict[Path, Any]
    options: dict[str, Any]
    declared: frozenset[str] = frozenset()
    sources: dict[str, str] = field(default_factory=dict)

    def with_changes(
        self,
        types: dict[str, ParameterType],
        constants: dict[str, Any],
        options: dict[str, Any],
        parse_attr: Callable[[str], Any],
    ) -> Specialisation:
        """Return a copy in which some parameters have other types, or are constants, and some options are others.

        Args:
            types: parameter name to type.
            constants: parameter name to value.
            options: option name to value.
            parse_attr: the backend's function from a specialisation key to attributes.
        """
        constants = {name: 1 for name, kind in types.items() if kind.is_one} | constants
        changed = {name: index for index, name in enumerate(self.signature) if name in constants or name in types}  # fmt: skip
        typed = {name: types[name] for name in changed if name not in constants}
        kept = set(range(len(self.signature))) - set(changed.values())
        return replace(
            self,
            signature=self.signature
            | {name: typed[name].name if name in typed else "constexpr" for name in changed},
            constexprs={path: value for path, value in self.constexprs.items() if path[0] in kept}
            | {(index,): constants[name] for name, index in changed.items() if name in constants},
            attrs={path: value for path, value in self.attrs.items() if path[0] in kept}
            | {(changed[name],): parse_attr(kind.key) for name, kind in typed.items()},
            options=self.options | options,
            sources=self.sources | dict.fromkeys(changed, "request"),
        )

    def guessed(self) -> dict[str, str]:
        """Return each guessed parameter's type, or its value as text."""
        written = self.to_json()
        return {
            name: written["constexprs"].get(name, kind)
            for name, kind in written["signature"].items()
            if self.sources.get(name) == "guess"
        }

    def to_json(self) -> dict[str, Any]:
        """Return the schema's Specialisation."""
        signature, constants = {}, {}
        for index, (name, kind) in enumerate(self.signature.items()):
            signature[name] = self._type_text(kind, (index,), name in self.declared)
            leaves = [path for path in self.constexprs if path[0] == index]
            for path in leaves:
                suffix = "".join(f"[{i}]" for i in path[1:])
                constants[name + suffix] = constant_text(self.constexprs[path])
        return {
            "origin": self.origin,
            "signature": signature,
            "constexprs": constants,
            "options": jsonable(self.options),
            "sources": self.sources,
        }

    def _type_text(self, kind: Any, path: Path, declared: bool) -> str:
        if isinstance(kind, tuple | list):
            return (
                "("
                + ", ".join(self._type_text(item, (*path, i), False) for i, item in enumerate(kind))
                + ")"
            )
        value = self.constexprs.get(path)
        # Triton folds an integer argument 1 into the kernel; written i32:1, it can be given back as it stands.
        if kind == "constexpr" and not declared and type(value) is int and value == 1:
            return "i32:1"
        return str(ParameterType(kind, attribute_key(self.attrs.get(path))))


def attribute_key(attributes: Any) -> str:
    """Return Triton's specialisation key (D, S, DS or empty) for what a backend's parse_attr returned."""
    names = {name for name, _ in attributes or ()}
    return ("D" if "tt.divisibility" in names else "") + (
        "S" if "tt.pointer_range" in names else ""
    )


def constant_text(value: Any) -> str:
    """Return the repr of a constant; a tl.constexpr stands for its value, a JIT function for its name."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if type(value).__name__ in ("JITFunction", "GluonJITFunction"):
        return str(value.__name__)
    if type(value).__name__ == "dtype":
        return _element_type_text(value)
    return safe_repr(value)


def _element_type_text(dtype: Any) -> str:
    """Return how triton.language spells an element type: its own name (fp8e4nv) is no attribute there."""
    language = triton_module("language")
    for name, value in vars(language).items():
        if isinstance(value, language.dtype) and value == dtype:
            return f"tl.{name}"
    return safe_repr(dtype)
