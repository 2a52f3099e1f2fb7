from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.scripts.file_server import FileServer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build cache of the test's own: none of these tests may touch the user's."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TRITON_PLAYGROUND_CACHE", str(folder))
    return folder


@pytest.fixture
def server() -> Iterator[FileServer]:
    server = FileServer()
    yield server
    server.close()
