"""Text of unknown length."""

from __future__ import annotations

import io

import pytest
from triton_playground.bounded_text import BoundedText, read_bounded


@pytest.mark.parametrize("pieces", [["abcdefgh"], ["abc", "", "def", "gh"], list("abcdefgh")])
def test_a_text_within_the_limit_is_kept_whole(pieces: list[str]) -> None:
    text = BoundedText(8)
    for piece in pieces:
        assert text.write(piece) == len(piece)
    assert text.getvalue() == "abcdefgh"


@pytest.mark.parametrize("pieces", [["abcdefghijk"], ["abcdef", "ghijk"], list("abcdefghijk")])
def test_of_a_longer_one_beginning_and_end_are_kept_and_the_rest_counted(pieces: list[str]) -> None:
    text = BoundedText(8)
    for piece in pieces:
        text.write(piece)
    assert text.getvalue() == "abcd\n… 3 characters left out …\nhijk"


def test_a_file_likewise() -> None:
    assert read_bounded(io.BytesIO("aé".encode()), 3) == "aé"
    assert read_bounded(io.BytesIO(b"abcdefghijk"), 8) == "abcd\n… 3 characters left out …\nhijk"
