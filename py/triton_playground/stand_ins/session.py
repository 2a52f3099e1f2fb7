"""Session: what the stand-ins share during one script; a new one for each, so that no script sees the one before it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ..targets import Target
from .errors import StandInError

# CUDA's caching allocator of PyTorch hands out multiples of this many bytes, so every fresh tensor is aligned.
_GRANULE = 512
_BASE_ADDRESS = 1 << 40
# A loop that waits for a tensor to change would wait for ever: nothing is computed.
_MAX_GUESSES = 100_000


class Session:
    """One script's stand-ins.

    Args:
        target: the GPU that the script shall see.
        say: takes a note for the report; it is called once for each text.
    """

    def __init__(self, target: Target, say: Callable[[str], None]) -> None:
        self.target = target
        self.default_dtype: object = None
        self.default_device = "cpu"
        self._say = say
        self._said: set[str] = set()
        self._next_address = _BASE_ADDRESS
        self._guesses = 0

    def allocate(self, size: int) -> int:
        """Return the address, in bytes, of fresh storage of that many bytes."""
        address = self._next_address
        self._next_address += max(-(-size // _GRANULE), 1) * _GRANULE
        return address

    def note(self, text: str) -> None:
        """Put a note into the report, once."""
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    def guess(self, text: str) -> None:
        """Note that a value is made up.

        Raises:
            StandInError: the script asked so often that it probably waits for a value to change.
        """
        self.note(text)
        self._guesses += 1
        if self._guesses > _MAX_GUESSES:
            raise StandInError(
                "The script keeps asking for values of tensors, which hold none here: a loop that waits for one never ends."
            )


_current: Session | None = None


def session() -> Session:
    """Return the running script's session.

    Raises:
        StandInError: none runs.
    """
    if _current is None:
        raise StandInError("The stand-ins work only while a script is run by triton_playground.")
    return _current


@contextlib.contextmanager
def running(started: Session) -> Iterator[None]:
    """Make that session the current one while the context lasts."""
    global _current
    previous, _current = _current, started
    try:
        yield
    finally:
        _current = previous
