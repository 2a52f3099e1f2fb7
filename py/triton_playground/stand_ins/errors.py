"""The error of stand-ins: what they cannot do, in one line."""

from __future__ import annotations


class StandInError(AttributeError):
    """A script asked a stand-in for something that it does not have.

    An AttributeError, so that hasattr and getattr with a default answer as they do for a version without that name.
    """


def missing(name: str) -> StandInError:
    """Return the error for a dotted name, such as torch.fft, that no stand-in has."""
    top = name.split(".")[0]
    return StandInError(
        f"{name} is not part of the stand-in for {top}, which has shapes, types, strides and addresses but no numbers."
    )
