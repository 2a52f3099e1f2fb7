"""Text of unknown length, of which beginning and end are kept."""

from __future__ import annotations

import io
from typing import BinaryIO


class BoundedText(io.TextIOBase):
    """A text stream that remembers its first and its last characters, for what a script prints.

    Args:
        limit: how many characters are kept, half of them from the beginning.
    """

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = ""
        self._tail = ""
        self._length = 0

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Append a text; return its length."""
        self._length += len(text)
        room = self._half - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[max(room, 0) :][-self._half :]
        self._tail = tail[-self._half :]
        return len(text)

    def getvalue(self) -> str:
        """Return the text; what was left out of its middle is replaced by a count."""
        left_out = self._length - len(self._head) - len(self._tail)
        return self._head + (left_out_line(left_out) if left_out else "") + self._tail


def read_bounded(file: BinaryIO, limit: int) -> str:
    """Return the text of a file, as UTF-8; of one longer than ``limit`` bytes, its beginning and end."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size <= limit:
        return file.read().decode("utf-8", "replace")
    head = file.read(limit // 2).decode("utf-8", "replace")
    file.seek(size - limit // 2)
    return head + left_out_line(size - 2 * (limit // 2)) + file.read().decode("utf-8", "replace")


def left_out_line(count: int) -> str:
    """Return the line that stands for ``count`` characters left out."""
    return f"\n… {count} characters left out …\n"
