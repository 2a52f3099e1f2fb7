"""Fixtures: the real compiler in Pyodide under Node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pyodide_host import PyodideHost, start_pyodide


@pytest.fixture(scope="session")
def pyodide() -> Iterator[PyodideHost]:
    """One host for the whole session, so that tests also see what one compile leaves for the next."""
    host = start_pyodide()
    yield host
    host.close()


@pytest.fixture
def fresh_pyodide() -> Iterator[PyodideHost]:
    """A host of its own for one test."""
    host = start_pyodide()
    yield host
    host.close()
