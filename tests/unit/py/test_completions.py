"""The names that the editor completes, from the Triton that compiles."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pyodide_host import PyodideHost


@pytest.fixture(scope="module")
def names(pyodide: PyodideHost) -> dict[str, dict[str, dict[str, str]]]:
    listed: dict[str, list[dict[str, str]]] = pyodide.run(
        "from triton_playground.completions import completions\nresult = completions()"
    )
    return {module: {entry["name"]: entry for entry in found} for module, found in listed.items()}


def test_a_function_shows_its_parameters_and_what_it_does(names: Any) -> None:
    load = names["triton.language"]["load"]
    assert load["kind"] == "function"
    assert load["detail"].startswith("(pointer, mask=None, other=None")
    assert "_builder" not in load["detail"] and "_semantic" not in load["detail"]
    assert load["summary"].startswith("Return a tensor of data")


def test_a_function_that_triton_compiles_itself_shows_its_parameters(names: Any) -> None:
    assert names["triton.language"]["sum"]["detail"].startswith("(input, axis=None")


def test_element_types_are_types(names: Any) -> None:
    assert names["triton.language"]["float16"]["kind"] == "type"


def test_every_module_that_kernels_import_has_names(names: Any) -> None:
    assert {"jit", "autotune", "cdiv", "next_power_of_2"} <= set(names["triton"])
    assert "exp" in names["triton.language.math"]
    assert "asin" in names["triton.language.extra.libdevice"]
