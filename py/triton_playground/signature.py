"""Signatures: the written types of kernel parameters, with Triton's specialisation keys."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

# The canonical names of Triton's type_canonicalisation_dict (runtime/jit.py) plus fp8e4b15, in that file's order.
SCALAR_TYPES: tuple[str, ...] = (
    *("u1", "fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16", "fp16", "bf16", "fp32", "fp64"),
    *("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"),
)

# Names people know from Triton's language module, PyTorch and C.
ALIASES: dict[str, str] = {
    **{"bool": "u1", "int1": "u1", "uint1": "u1", "i1": "u1", "b": "u1"},
    **{"half": "fp16", "float16": "fp16", "f16": "fp16", "bfloat16": "bf16"},
    **{"float": "fp32", "float32": "fp32", "f32": "fp32"},
    **{"double": "fp64", "float64": "fp64", "f64": "fp64"},
    **{
        "float8e4nv": "fp8e4nv",
        "float8_e4m3fn": "fp8e4nv",
        "float8e5": "fp8e5",
        "float8_e5m2": "fp8e5",
    },
    **{"float8e4b8": "fp8e4b8", "float8_e4m3fnuz": "fp8e4b8", "float8e5b16": "fp8e5b16"},
    **{"float8_e5m2fnuz": "fp8e5b16", "float8e4b15": "fp8e4b15"},
    **{"int8": "i8", "int16": "i16", "int": "i32", "int32": "i32", "int64": "i64"},
    **{"uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"},
}

EXAMPLES = "Types are written *fp32, *fp32:16 (16-byte aligned), i32, i32:16 (divisible by 16), i32:1, fp32, constexpr."


class SignatureError(ValueError):
    """A written type or signature cannot be understood; the message says why."""


@dataclass(frozen=True)
class ParameterType:
    """The type of one parameter.

    Attributes:
        name: Triton's type name: ``*fp32``, ``i32``, ``constexpr``.
        key: Triton's specialisation key, letters D (divisible by 16) and S (storage below 2 GB, hip only).
        is_one: the argument is the integer 1, which Triton compiles in as a constant.
    """

    name: str
    key: str = ""
    is_one: bool = False

    def __str__(self) -> str:
        if self.is_one:
            return f"{self.name}:1"
        return f"{self.name}:{'16' if self.key == 'D' else self.key}" if self.key else self.name


def canonical_scalar(name: str) -> str:
    """Return Triton's canonical name of a scalar type: float16, tl.float16 and half are fp16.

    Raises:
        SignatureError: there is no such type.
    """
    bare = name.strip().removeprefix("tl.").removeprefix("torch.")
    canonical = ALIASES.get(bare, bare)
    if canonical not in SCALAR_TYPES:
        raise SignatureError(
            f"Unknown type {name.strip()!r}; the types are {', '.join(SCALAR_TYPES)}."
        )
    return canonical


def parse_type(text: str) -> ParameterType:
    """Parse a written type such as ``*fp32:16``, ``*fp16:DS``, ``i32:1`` or ``constexpr``.

    Raises:
        SignatureError: the type or what follows the colon is unknown.
    """
    name, colon, suffix = text.strip().rpartition(":") if ":" in text else (text.strip(), "", "")
    name, suffix = name.strip(), suffix.strip()
    canonical = _canonical_name(name)
    if not colon:
        return ParameterType(canonical)
    is_pointer, is_integer = canonical.startswith("*"), canonical[0] in "iu" and canonical != "u1"
    if suffix == "1" and is_integer:
        return ParameterType(canonical, is_one=True)
    key = "D" if suffix == "16" else suffix
    if re.fullmatch("D?S?|SD", key) and key:
        key = "".join(sorted(key))
        if is_pointer or (is_integer and key == "D"):
            return ParameterType(canonical, key)
    allowed = "16, D, S or DS" if is_pointer else "1, 16 or D" if is_integer else "nothing"
    raise SignatureError(f"{text.strip()!r}: {suffix!r} cannot follow {name!r}; {allowed} can.")


def _canonical_name(name: str) -> str:
    if not name:
        raise SignatureError(f"A type is empty. {EXAMPLES}")
    if name in ("constexpr", "tl.constexpr"):
        return "constexpr"
    if name == "nvTmaDesc":
        return name
    if name.startswith("*"):
        inner = name[1:].strip()
        # Triton writes a pointer to constant data as *k followed by the type.
        if inner.startswith("k"):
            return "*k" + canonical_scalar(inner[1:])
        if inner.startswith("const "):
            return "*k" + canonical_scalar(inner.removeprefix("const "))
        return "*" + (_canonical_name(inner) if inner.startswith("*") else canonical_scalar(inner))
    if match := re.fullmatch(r"tensordesc<\s*(\w+)\s*\[([\d,\s]+)\]\s*>", name):
        sizes = [int(size) for size in match.group(2).split(",") if size.strip()]
        return f"tensordesc<{canonical_scalar(match.group(1))}{sizes}>"
    return canonical_scalar(name)


def split_signature(text: str) -> list[str]:
    """Split a signature at the commas that stand outside brackets and quotes; surrounding blanks go.

    Raises:
        SignatureError: an entry is empty.
    """
    entries, depth, quote, start = [], 0, "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([<":
            depth += 1
        elif character in ")]>":
            depth -= 1
        elif character == "," and depth == 0:
            entries.append(text[start:position].strip())
            start = position + 1
    if last := text[start:].strip():
        entries.append(last)
    if not all(entries):
        raise SignatureError(f"The signature {text!r} has an empty entry. {EXAMPLES}")
    return entries


def is_constant(entry: str) -> bool:
    """Whether an entry of a signature string is a Python literal (1024, 0.5, True, None, 'relu'), not a type."""
    try:
        ast.literal_eval(entry)
    except (ValueError, SyntaxError):
        return False
    return True


def parse_constant(entry: str) -> Any:
    """Return the value of an entry for which :func:`is_constant` holds."""
    return ast.literal_eval(entry)
