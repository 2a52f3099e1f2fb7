"""Values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .printable import safe_repr, safe_str


def jsonable(value: Any) -> Any:
    """Return a value that strict JSON can hold: containers kept, what JSON does not know as its repr.

    Infinities and not-a-number become strings, since JavaScript's JSON.parse refuses what Python writes for them.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        # JavaScript reads numbers as doubles.
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {safe_str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((jsonable(item) for item in value), key=str)
    if hasattr(value, "__dataclass_fields__"):
        return jsonable(vars(value))
    return safe_repr(value)
