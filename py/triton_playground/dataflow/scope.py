"""Scope: a function's body, interpreted with what is known about its values."""

# Each visitor is named after the piece of code that it reads.
# ruff: noqa: D102

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace
from typing import Any

from .arguments import Arguments
from .builtin_calls import BuiltinCalls
from .evidence import Trace
from .values import NOTHING, Value, kind_of, literal, sum_of, wider

# Calls of helpers inside helpers that are followed.
_MAX_DEPTH = 6

_JIT_TYPES = ("JITFunction", "GluonJITFunction", "Autotuner", "Heuristics")


class Scope(BuiltinCalls, ast.NodeVisitor):
    """Interprets the body of one function.

    Args:
        trace: gathers what is found.
        function: Triton's JITFunction.
        bound: its parameters' values.
        depth: calls of helpers around it.
    """

    def __init__(self, trace: Trace, function: Any, bound: dict[str, Value], depth: int) -> None:
        self.trace = trace
        self.function = function
        self.values = bound
        self.depth = depth
        self.returned: Value | None = None

    def run(self) -> Value:
        tree = ast.parse(textwrap.dedent(self.function.src))
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                self.block(statement.body)
        return self.returned or NOTHING

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.assign(target, value)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.assign(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            operands = ast.BinOp(left=_as_load(node.target), op=node.op, right=node.value)
            self.assign(node.target, self.value(operands))
        elif isinstance(node, ast.If):
            self.condition(node.test)
            self.branches([node.body, node.orelse])
        elif isinstance(node, ast.While):
            self.condition(node.test)
            self.loop(node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.For):
            self.assign(node.target, self.value(node.iter))
            self.loop(node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.Return):
            value = self.value(node.value) if node.value else NOTHING
            self.returned = self.returned.join(value) if self.returned else value
        elif isinstance(node, ast.Expr | ast.Assert):
            self.value(node.value if isinstance(node, ast.Expr) else node.test)
        elif isinstance(node, ast.With):
            self.block(node.body)

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.values[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for index, item in enumerate(target.elts):
                known = index < len(value.parts)
                self.assign(
                    item, value.parts[index] if known else replace(value, exact="", parts=())
                )

    def branches(self, blocks: list[list[ast.stmt]]) -> None:
        before, ends = self.values, []
        for block in blocks:
            self.values = dict(before)
            self.block(block)
            ends.append(self.values)
        first, second = ends
        self.values = {
            name: first[name].join(second[name])
            if name in first and name in second
            else first.get(name, second.get(name, NOTHING))
            for name in first | second
        }

    def loop(self, body: list[ast.stmt]) -> None:
        for _ in range(2):
            self.branches([body, []])

    def condition(self, node: ast.expr) -> Value:
        value = self.value(node)
        self.trace.mark_exact(value, "bool")
        return value

    def value(self, node: ast.expr | None) -> Value:
        result: Value = self.visit(node) if node is not None else NOTHING
        return result

    def generic_visit(self, node: ast.AST) -> Value:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return NOTHING

    def visit_Name(self, node: ast.Name) -> Value:
        if node.id in self.values:
            return self.values[node.id]
        found = self._global(node)
        return Value(function=found, kind=kind_of(found))

    def visit_Constant(self, node: ast.Constant) -> Value:
        return Value(kind=kind_of(node.value))

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> Value:
        parts = tuple(self.value(item) for item in node.elts)
        return Value(parts=parts, inside=frozenset().union(*(part.inside for part in parts)))

    visit_List = visit_Tuple  # noqa: N815

    def visit_Attribute(self, node: ast.Attribute) -> Value:
        if self._is_local(node):
            value = self.value(node.value)
            if node.attr in ("dtype", "type", "element_ty", "scalar"):
                # The element type of what is loaded through a pointer, or of a loaded value.
                known = self.trace.known.marks[value.exact]
                pointers = value.loaded or frozenset([value.exact] if "pointer" in known else [])
                return Value(loaded=pointers, cast="like")
            return replace(value, exact="") if node.attr in ("T", "value") else NOTHING
        found = self._global(node)
        return Value(function=found, kind=kind_of(found))

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        index = node.slice
        if isinstance(index, ast.Tuple) and any(_is_none(item) for item in index.elts):
            self.trace.evidence.has_planes = True
        if value.parts and isinstance(index, ast.Constant) and isinstance(index.value, int):
            return value.parts[index.value] if index.value < len(value.parts) else NOTHING
        return replace(value, exact="", parts=())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            self.trace.mark_exact(value, "bool")
            return Value(kind="bool")
        return Value(inside=value.inside, loaded=value.loaded, kind=value.kind)

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        inside: frozenset[str] = frozenset()
        for item in node.values:
            inside |= self.condition(item).inside
        return Value(kind="bool", inside=inside)

    def visit_IfExp(self, node: ast.IfExp) -> Value:
        self.condition(node.test)
        return self.value(node.body).join(self.value(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> Value:
        values = [self.value(item) for item in (node.left, *node.comparators)]
        literals = [literal(item) for item in (node.left, *node.comparators)]
        texts = [item for item in literals if isinstance(item, str)]
        numbers = [item for item in literals if type(item) in (int, float)]
        inside = frozenset().union(*(value.inside for value in values))
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            return Value(kind="bool")
        for value in values:
            if texts:
                self.trace.mark_exact(value, "text")
                self.trace.evidence.literals.setdefault(value.exact, texts[0])
            elif any(value.kind == "float" for value in values):
                self.trace.mark_exact(value, "float")
            elif numbers:
                if value.exact:
                    self.trace.evidence.literals.setdefault(value.exact, numbers[0])
                    self.trace.mark([value.exact], "compared")
            elif any(other.cast == "like" or _is_type(other) for other in values):
                self.trace.mark_exact(value, "dtype")
            else:
                self.trace.mark_exact(value, "size")
                self.trace.mark(value.inside - {value.exact}, "int")
        if not numbers and any(v.kind == "int" for v in values):
            for value in values:
                self.trace.element(value.loaded, "i32")
        return Value(kind="bool", inside=inside)

    def visit_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        both = Value(
            inside=left.inside | right.inside,
            loaded=left.loaded | right.loaded,
            kind=wider(left.kind, right.kind),
        )
        if isinstance(node.op, ast.Add | ast.Sub):
            self.mark_float(left, right)
            sums = left.sums
            if isinstance(node.op, ast.Add):
                sums = sum_of(left.sums, right.sums)
            return replace(both, sums=sums, factors=left.factors | right.factors)
        if isinstance(node.op, ast.Mult | ast.Div):
            self.mark_float(left, right)
            if isinstance(node.op, ast.Div):
                return replace(both, kind="float")
            names = {value.exact for value in (left, right)} - {""}
            # The product of two parameters is no index times a stride.
            single = names if len(both.inside & self.runtime()) == 1 else set()
            return replace(both, factors=frozenset(single))
        if isinstance(node.op, ast.LShift | ast.Pow):
            self.trace.mark(right.inside & self.trace.constants, "exponent")
        if isinstance(node.op, ast.FloorDiv | ast.Mod | ast.LShift | ast.RShift):
            self.must_be_int(left, right)
            return replace(both, kind="int")
        if isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
            if "bool" in (left.kind, right.kind):
                return Value(kind="bool")
            self.must_be_int(left, right)
        return both

    def visit_Call(self, node: ast.Call) -> Value:
        callee = node.func
        receiver: list[Value] = []
        if isinstance(callee, ast.Attribute) and self._is_local(callee):
            receiver = [self.value(callee.value)]
            name, function = callee.attr, None
        else:
            value = self.value(callee)
            function = value.function
            if value.exact:
                self.trace.mark([value.exact], "called")
                self.trace.evidence.arities[value.exact] = len(node.args) + len(node.keywords)
            name = _name_of(function, callee)
        positional = receiver + [
            self.value(item.value if isinstance(item, ast.Starred) else item) for item in node.args
        ]
        named = {item.arg: self.value(item.value) for item in node.keywords if item.arg}
        nodes = {item.arg: item.value for item in node.keywords if item.arg}
        if self.is_helper(function):
            return self.inline(function, positional, named)
        self.mark_arguments(name, named)
        arguments = Arguments(positional, named, len(receiver), node, nodes)
        handler = getattr(self, f"call_{name}", None)
        if handler is not None:
            result: Value = handler(arguments)
            return result
        return self.plain_call(name, arguments)

    def inline(self, function: Any, positional: list[Value], named: dict[str, Value]) -> Value:
        if self.depth >= _MAX_DEPTH:
            return NOTHING
        function = _unwrapped(function)
        names = [parameter.name for parameter in function.params]
        bound = {p.name: Value(kind=kind_of(p.default)) for p in function.params if p.has_default}
        bound |= dict(zip(names, positional, strict=False)) | named
        for parameter in function.params:
            if parameter.is_constexpr and parameter.name in bound:
                self.trace.mark_exact(bound[parameter.name], "constant")
        return Scope(self.trace, function, bound, self.depth + 1).run()

    def is_helper(self, function: Any) -> bool:
        if type(function).__name__ not in _JIT_TYPES:
            return False
        file: str = _unwrapped(function).fn.__code__.co_filename
        own: str = self.function.fn.__code__.co_filename
        return file == own

    def _is_local(self, node: ast.expr) -> bool:
        """Whether an attribute is one of a value in the kernel, rather than of a module."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return not isinstance(node, ast.Name) or node.id in self.values

    def _global(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            function = self.function.fn
            cells = dict(
                zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
            )
            if node.id in cells:
                try:
                    return cells[node.id].cell_contents
                except ValueError:
                    return None
            return function.__globals__.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._global(node.value)
            # Modules only: the script's own objects may answer an attribute with anything.
            return vars(owner).get(node.attr) if type(owner) is type(ast) else None
        return None


def _is_type(value: Value) -> bool:
    return type(value.function).__name__ == "dtype"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _as_load(node: ast.expr) -> ast.expr:
    return ast.Name(id=node.id, ctx=ast.Load()) if isinstance(node, ast.Name) else node


def _name_of(function: Any, callee: ast.expr) -> str:
    name = getattr(function, "__name__", "")
    if isinstance(name, str) and name:
        return name
    return callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")


def _unwrapped(function: Any) -> Any:
    while hasattr(function, "fn") and not hasattr(function, "params"):
        function = function.fn
    return function
