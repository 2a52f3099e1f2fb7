from __future__ import annotations

import json

from triton_playground.jsonable import jsonable


def test_the_result_is_strict_json() -> None:
    value = {
        1: (float("inf"), float("nan"), 2.5),
        "a": {3, 1},
        "b": 2**60,
        "c": object,
        "d": None,
        "e": True,
    }
    text = json.dumps(jsonable(value), allow_nan=False)
    assert json.loads(text) == {
        "1": ["inf", "nan", 2.5],
        "a": [1, 3],
        "b": str(2**60),
        "c": "<class 'object'>",
        "d": None,
        "e": True,
    }
