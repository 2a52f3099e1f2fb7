"""Data flow: what a kernel's own code tells about each of its parameters."""

from __future__ import annotations

from typing import Any

from .evidence import Evidence, Trace
from .scope import Scope
from .values import Value

__all__ = ["Evidence", "evidence_of"]


def evidence_of(function: Any) -> Evidence:
    """Return what a JIT function's code, and that of the helpers it calls, tells about its parameters.

    The code is interpreted with values that are only known as far as :class:`Value` says: both branches of a condition, each
    loop's body twice. What is found in one run (that a parameter is a size, and so no pointer) helps the next.
    """
    evidence: Evidence | None = None
    for _ in range(3):
        trace = Trace(function, evidence)
        names = [parameter.name for parameter in function.params]
        bound = {n: Value(sums=frozenset({(n,)}), inside=frozenset({n}), exact=n) for n in names}
        Scope(trace, function, bound, 0).run()
        evidence = trace.evidence
    return evidence or Evidence()
