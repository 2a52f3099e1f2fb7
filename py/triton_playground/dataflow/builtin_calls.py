"""Calls of Triton's own functions: what they tell about their arguments."""

# Each handler is named after the function whose arguments it reads.
# ruff: noqa: D102

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from .arguments import Arguments
from .evidence import Trace
from .names import (
    ADDRESS_HINTS,
    BOOLEAN_ARGUMENTS,
    FLOAT_FUNCTIONS,
    FLOAT_RANDOM,
    INTEGER_FUNCTIONS,
    INTEGER_RANDOM,
    POINTER_NAME,
    SAME_FUNCTIONS,
    SHAPE_ARGUMENTS,
    element_of_name,
)
from .values import NOTHING, Value, kind_of_type, literal, type_name, wider


class BuiltinCalls:
    """Handlers of Triton's functions, by their names: call_load for tl.load and so on."""

    trace: Trace
    function: Any

    def inline(self, function: Any, positional: list[Value], named: dict[str, Value]) -> Value:
        """Interpret a call of one of the script's JIT functions."""
        raise NotImplementedError

    def is_helper(self, function: Any) -> bool:
        """Whether it is a JIT function of the script; Triton's own are known by name."""
        raise NotImplementedError

    def runtime(self) -> set[str]:
        return {p.name for p in self.trace.function.params} - self.trace.constants

    def mark_float(self, left: Value, right: Value) -> None:
        for value, other in ((left, right), (right, left)):
            if other.kind == "float" and not POINTER_NAME.search(value.exact):
                self.trace.mark_exact(value, "float")

    def must_be_int(self, *values: Value) -> None:
        for value in values:
            self.trace.mark(value.inside, "int")
            self.trace.element(value.loaded, "i32")

    def mark_arguments(self, name: str, named: dict[str, Value]) -> None:
        for argument, value in named.items():
            if argument in SHAPE_ARGUMENTS:
                self._shape(value)
            elif argument in BOOLEAN_ARGUMENTS:
                self.trace.mark_exact(value, "bool")
            elif argument in ("eviction_policy", "cache_modifier", "padding_option", "volatile"):
                self.trace.mark_exact(value, "bool" if argument == "volatile" else "text")
            elif argument in ("dtype", "out_dtype") and name != "atomic_add":
                self.trace.mark_exact(value, "dtype")
            elif argument == "axis":
                self.trace.mark_exact(value, "axis")

    def _shape(self, value: Value) -> None:
        parts = value.parts or (value,)
        for part in parts:
            self.trace.mark(part.inside, "shape")
            for name in part.inside:
                times = sum(name in other.inside for other in parts)
                self.trace.evidence.times[name] = max(self.trace.evidence.times.get(name, 1), times)

    def plain_call(self, name: str, arguments: Arguments) -> Value:
        values = arguments.all()
        inside = frozenset().union(*(value.inside for value in values))
        loaded = frozenset().union(*(value.loaded for value in values))
        if name in FLOAT_FUNCTIONS:
            for value in values:
                self.trace.mark_exact(value, "float")
                self.trace.element(value.loaded, "fp32")
            return Value(inside=inside, kind="float")
        if name in FLOAT_RANDOM | INTEGER_RANDOM:
            for value in values:
                self.trace.mark_exact(value, "seed")
            self.trace.element(loaded, "i32")
            kind = "float" if name in FLOAT_RANDOM else "int"
            return Value(kind=kind, parts=(Value(kind=kind),) * 4 if name.endswith("4x") else ())
        if name in INTEGER_FUNCTIONS:
            if name in ("program_id", "num_programs"):
                self.trace.mark(inside, "axis")
                return Value(kind="int")
            for value in values:
                self.trace.mark_exact(value, "size")
                if name not in ("argmax", "argmin"):
                    self.trace.element(value.loaded, "i32")
            self.trace.mark(inside, "int")
            return Value(
                inside=inside, loaded=loaded if name in ("cdiv",) else frozenset(), kind="int"
            )
        if name in SAME_FUNCTIONS and values:
            return replace(values[0], exact=values[0].exact if name in ADDRESS_HINTS else "")
        result = Value(inside=inside, loaded=loaded)
        for value in values:
            result = replace(result, kind=wider(result.kind, value.kind))
        return result

    def call_load(self, arguments: Arguments) -> Value:
        address = arguments.get(0)
        if arguments.method and not address.descriptor:
            return self._descriptor(arguments)
        pointers = self.trace.access(address)
        mask = arguments.get(1, "mask")
        self.trace.element(mask.loaded, "u1" if mask.kind != "bool" else "")
        if address.descriptor and arguments.method:
            self.trace.mark(arguments.get(1).inside, "int")
        return Value(loaded=pointers, kind=self.trace.kind_of_elements(pointers))

    def _descriptor(self, arguments: Arguments) -> Value:
        """Handle a descriptor that the launch passes: descriptor.load([…]), descriptor.store([…], value)."""
        descriptor, offsets = arguments.get(0), arguments.get(1)
        self.trace.mark(offsets.inside, "int")
        if descriptor.exact:
            self.trace.mark([descriptor.exact], "descriptor")
            self.trace.evidence.ranks[descriptor.exact] = max(len(offsets.parts), 1)
            self._stored(
                frozenset([descriptor.exact]),
                arguments.get(2, "value"),
                exactly=len(arguments.positional) > 2,
            )
            return Value(loaded=frozenset([descriptor.exact]), kind="float")
        return NOTHING

    def call_store(self, arguments: Arguments) -> Value:
        address = arguments.get(0)
        if arguments.method and not address.descriptor:
            return self._descriptor(arguments)
        # A descriptor's method takes the offsets first.
        value = arguments.get(2 if arguments.method else 1, "value")
        pointers = self.trace.access(address)
        mask = NOTHING if arguments.method else arguments.get(2, "mask")
        self.trace.element(mask.loaded, "u1" if mask.kind != "bool" else "")
        self._stored(pointers, value, exactly=address.descriptor)
        return NOTHING

    def _stored(self, pointers: frozenset[str], value: Value, *, exactly: bool) -> None:
        """Note the elements of a store; through a descriptor or a block pointer they are not converted."""
        if value.cast not in ("", "like", "any"):
            self.trace.element(pointers, value.cast)
        elif value.kind == "int" and not value.exact:
            self.trace.element(pointers, "i32")
        elif exactly and value.loaded:
            self.trace.evidence.groups.append(pointers | value.loaded)
        elif exactly:
            self.trace.element(pointers, "fp32")

    def call_make_block_ptr(self, arguments: Arguments) -> Value:
        base = arguments.get(0, "base")
        pointers = self.trace.access(base)
        self.trace.mark(arguments.get(1, "shape").inside, "size")
        strides = arguments.get(2, "strides")
        for pointer in pointers:
            self.trace.evidence.strides[pointer] |= {p.exact for p in strides.parts} - {""}
        self.trace.mark(strides.inside | arguments.get(3, "offsets").inside, "int")
        self._shape(arguments.get(4, "block_shape"))
        return Value(sums=base.sums, descriptor=True)

    def call_make_tensor_descriptor(self, arguments: Arguments) -> Value:
        base = arguments.get(0, "base")
        self.trace.access(base)
        self.trace.mark(arguments.get(1, "shape").inside, "size")
        self.trace.mark(arguments.get(2, "strides").inside, "size")
        self._shape(arguments.get(3, "block_shape"))
        return Value(sums=base.sums, descriptor=True)

    call__experimental_make_tensor_descriptor = call_make_tensor_descriptor

    def call_advance(self, arguments: Arguments) -> Value:
        self.trace.mark(arguments.get(1, "offsets").inside, "int")
        return arguments.get(0, "base")

    def _atomic(self, arguments: Arguments, integer: bool) -> Value:
        address, value = arguments.get(0), arguments.get(1)
        if arguments.method and not address.descriptor:
            return self._descriptor(arguments)
        pointers = self.trace.access(address)
        self.trace.mark_exact(arguments.named.get("sem", NOTHING), "sem")
        self.trace.mark_exact(arguments.named.get("scope", NOTHING), "scope")
        if integer or (value.kind in ("int", "bool") and not value.exact):
            for operand in (Value(loaded=pointers), *arguments.positional[1:3]):
                self.trace.element(operand.loaded, "i32")
        return Value(loaded=pointers, kind=self.trace.kind_of_elements(pointers))

    def call_atomic_add(self, arguments: Arguments) -> Value:
        return self._atomic(arguments, integer=False)

    call_atomic_max = call_atomic_min = call_atomic_add

    def call_atomic_cas(self, arguments: Arguments) -> Value:
        return self._atomic(arguments, integer=True)

    call_atomic_xchg = call_atomic_and = call_atomic_or = call_atomic_xor = call_atomic_cas

    def call_dot(self, arguments: Arguments) -> Value:
        self.trace.evidence.dots = True
        left, right = arguments.get(0, "input"), arguments.get(1, "other")
        for value, other in ((left, right), (right, left)):
            if other.cast and other.cast != "like":
                wanted = other.cast
            elif other.loaded or other.cast == "like":
                wanted = "half"
                self.trace.evidence.groups.append(value.loaded | other.loaded)
            else:
                wanted = "fp32" if other.kind == "float" else "half"
            if not value.cast or value.cast == "like":
                self.trace.element(value.loaded, wanted)
        self.trace.mark_exact(arguments.named.get("input_precision", NOTHING), "precision")
        out = arguments.keywords.get("out_dtype")
        integer = out is not None and ast.unparse(out).endswith("int32")
        return Value(kind="int" if integer else "float")

    def call_dot_scaled(self, arguments: Arguments) -> Value:
        self.trace.evidence.dots = True
        for at, names in ((0, ("lhs", "lhs_scale", "lhs_format")), (3, ("rhs", "rhs_scale", "rhs_format"))):  # fmt: skip
            value, scale, form = (arguments.get(at + i, name) for i, name in enumerate(names))
            self.trace.mark_exact(form, "format")
            node = arguments.node_at(at + 2, names[2])
            element = {"e4m3": "fp8e4nv", "e2m1": "u8", "bf16": "bf16", "fp16": "fp16"}
            self.trace.element(value.loaded, element.get(str(literal(node)), "fp8e5"))
            self.trace.element(scale.loaded, "u8")
        return Value(kind="float")

    def call_arange(self, arguments: Arguments) -> Value:
        for value in arguments.all():
            self._shape(value)
        return Value(kind="int")

    def call_zeros(self, arguments: Arguments) -> Value:
        self._shape(arguments.get(0, "shape"))
        dtype = arguments.get(1, "dtype")
        self.trace.mark_exact(dtype, "dtype")
        return Value(kind=kind_of_type(type_name(arguments.node_at(1, "dtype"))))

    def call_full(self, arguments: Arguments) -> Value:
        self._shape(arguments.get(0, "shape"))
        self.trace.mark_exact(arguments.get(2, "dtype"), "dtype")
        return Value(kind=kind_of_type(type_name(arguments.node_at(2, "dtype"))))

    def call_reshape(self, arguments: Arguments) -> Value:
        for value in arguments.positional[1:]:
            self._shape(value)
        return replace(arguments.get(0), exact="")

    call_view = call_broadcast_to = call_reshape

    def call_to(self, arguments: Arguments) -> Value:
        value, dtype = arguments.get(0), arguments.get(1, "dtype")
        node = arguments.node_at(1, "dtype")
        if isinstance(node, ast.Call):
            # A loaded number that becomes a pointer.
            self.trace.element(value.loaded, "i64")
            return Value(kind="pointer")
        self.trace.mark_exact(dtype, "dtype")
        if dtype.cast == "like":
            return replace(value, sums=frozenset(), loaded=dtype.loaded, cast="like", exact="")
        name = element_of_name(type_name(node))
        kind = kind_of_type(type_name(node))
        if literal(arguments.keywords.get("bitcast")) is True and name:
            width = name.lstrip("bfpiue")[:2]
            same = {"32": "fp32", "16": "fp16", "64": "fp64"} if kind == "int" else {"32": "i32", "16": "i16", "64": "i64"}  # fmt: skip
            self.trace.element(value.loaded, same.get(width, "u8"))
        if kind == "int" and value.kind != "float":
            return replace(value, kind="int", cast=name)
        return Value(inside=value.inside, exact=value.exact, kind=kind, cast=name or "any")

    call_cast = call_to

    def call_range(self, arguments: Arguments) -> Value:
        for value in arguments.positional:
            self.trace.mark_exact(value, "size")
            self.trace.mark(value.inside, "int")
            self.trace.element(value.loaded, "i32")
        self.trace.mark_exact(arguments.named.get("num_stages", NOTHING), "stages")
        self.trace.mark_exact(arguments.named.get("loop_unroll_factor", NOTHING), "count")
        return Value(kind="int")

    def call_static_range(self, arguments: Arguments) -> Value:
        for value in arguments.positional:
            self.trace.mark(value.inside, "count")
        return Value(kind="int")

    def call_where(self, arguments: Arguments) -> Value:
        self.trace.mark_exact(arguments.get(0, "condition"), "bool")
        return arguments.get(1, "x").join(arguments.get(2, "y"))

    def call_maximum(self, arguments: Arguments) -> Value:
        left, right = arguments.get(0), arguments.get(1)
        if "float" in (left.kind, right.kind):
            self.mark_float(left, right)
        elif "int" in (left.kind, right.kind):
            for value in (left, right):
                self.trace.mark_exact(value, "size")
        return Value(
            inside=left.inside | right.inside,
            loaded=left.loaded | right.loaded,
            kind=wider(left.kind, right.kind),
        )

    def call_max(self, arguments: Arguments) -> Value:
        """Handle Python's max(a, b) and Triton's max(tensor, axis)."""
        of_two = len(arguments.positional) == 2 and not arguments.method and not arguments.named
        if of_two and literal(arguments.node_at(1, "")) is None:
            return self.call_maximum(arguments)
        self.trace.mark_exact(arguments.get(1, "axis"), "axis")
        value = arguments.get(0)
        pair = (value, Value(kind="int"))
        indices = "return_indices" in arguments.named
        return replace(value, exact="", sums=frozenset(), parts=pair if indices else ())

    call_minimum = call_maximum
    call_min = call_max

    def call_split(self, arguments: Arguments) -> Value:
        value = replace(arguments.get(0), exact="")
        return replace(value, parts=(value, value))

    def call_gather(self, arguments: Arguments) -> Value:
        self.trace.element(arguments.get(1, "index").loaded, "i32")
        if arguments.method and not arguments.get(0).loaded:
            self.trace.mark(arguments.get(2).inside, "int")
            if not arguments.get(0).descriptor:
                return self._descriptor(arguments)
            return Value(loaded=self.trace.access(arguments.get(0)), kind="float")
        return replace(arguments.get(0), exact="")

    def call_scatter(self, arguments: Arguments) -> Value:
        self.trace.element(arguments.get(2).loaded, "i32")
        self.trace.mark(arguments.get(3).inside, "int")
        return NOTHING

    def call_static_assert(self, arguments: Arguments) -> Value:
        self.trace.mark(arguments.get(0).inside, "asserted")
        if literal(arguments.node_at(0, "cond")) is False:
            self.trace.evidence.refuses = True
        return NOTHING

    def call_reduce(self, arguments: Arguments) -> Value:
        """Handle reduce and associative_scan: their function says what the elements are."""
        value, function = arguments.get(0), arguments.get(2, "combine_fn").function
        self.trace.mark_exact(arguments.get(1, "axis"), "axis")
        if self.is_helper(function):
            parts = value.parts or (value,)
            self.inline(function, [*parts, *parts], {})
        return replace(value, exact="", sums=frozenset())

    call_associative_scan = call_reduce

    def call_xor_sum(self, arguments: Arguments) -> Value:
        self.must_be_int(arguments.get(0))
        return replace(arguments.get(0), exact="", sums=frozenset())

    def call_histogram(self, arguments: Arguments) -> Value:
        self.trace.element(arguments.get(0).loaded, "i32")
        self._shape(arguments.get(1, "num_bins"))
        return Value(kind="int")

    def call_inline_asm_elementwise(self, arguments: Arguments) -> Value:
        letters = [
            item.strip()
            for item in str(literal(arguments.node_at(1, "constraints")) or "").split(",")
            if not item.strip().startswith(("=", "+"))
        ]
        kinds = {"f": "fp32", "r": "i32", "v": "fp32", "h": "i16", "d": "fp64", "l": "i64"}
        for letter, part in zip(letters, arguments.get(2, "args").parts, strict=False):
            self.trace.element(part.loaded, kinds.get(letter, "i32"))
        return Value(kind=kind_of_type(type_name(arguments.node_at(3, "dtype"))))
