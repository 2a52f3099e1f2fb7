"""Devices of the stand-in for torch."""

from __future__ import annotations

from typing import Any


class device:  # noqa: N801 - torch's name
    """A device: its type and index.

    Args:
        kind: ``cuda``, ``cuda:1``, ``cpu`` or another device.
        index: number of the device, if the text has none.
    """

    def __init__(self, kind: Any, index: int | None = None) -> None:
        if isinstance(kind, int):
            kind, index = "cuda", kind
        self.type, _, number = str(kind).partition(":")
        self.index: int | None = int(number) if number else index

    def __repr__(self) -> str:
        return f"device(type={self.type!r}" + (
            ")" if self.index is None else f", index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        # torch keeps them apart from text; comparing with text is a common slip that costs a launch nothing here.
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __enter__(self) -> device:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def as_device(given: Any) -> device:
    """Return the device for what a script passes as one; a GPU without an index is the first, as a tensor's always has one."""
    found = given if isinstance(given, device) else device(given)
    return device("cuda", 0) if found.type == "cuda" and found.index is None else found
