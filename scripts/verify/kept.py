"""Results of the witness that are kept in the cache, one file a request."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from pathlib import Path
from typing import Any

from scripts.cache import cache_root


class Kept:
    """A folder of the cache with one JSON value a request.

    Args:
        folder: its name in the cache's folder of the witness.
        identity: all that a value depends on besides its request.
    """

    def __init__(self, folder: str, identity: str) -> None:
        self._folder = cache_root() / "witness" / folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._identity = identity

    def read(self, requests: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """Return what is kept of these requests, by name."""
        files = {name: self._file(request) for name, request in requests.items()}
        return {
            name: json.loads(lzma.decompress(file.read_bytes()))
            for name, file in files.items()
            if file.is_file()
        }

    def write(self, request: dict[str, Any], value: Any) -> Any:
        """Keep a value; return it as `read` will, which is as JSON has it."""
        text = json.dumps(value)
        file = self._file(request)
        # Under another name first: a run that is interrupted leaves no half file.
        part = file.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(lzma.compress(text.encode(), preset=1))
        part.rename(file)
        return json.loads(text)

    def _file(self, request: dict[str, Any]) -> Path:
        key = f"{self._identity} {json.dumps(request, sort_keys=True)}"
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json.xz"
