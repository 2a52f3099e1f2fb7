from __future__ import annotations

import os
import subprocess
import sys

from triton_playground.capture import captured_descriptors


def test_descriptors_are_captured_and_given_back() -> None:
    before = os.fstat(1), os.fstat(2)
    with captured_descriptors() as captured:
        os.write(1, b"out")
        os.write(2, "é".encode())
        subprocess.run([sys.executable, "-c", "import os; os.write(2, b'child')"], check=True)
    assert (captured.output, captured.errors) == ("out", "échild")
    assert [(s.st_dev, s.st_ino) for s in (os.fstat(1), os.fstat(2))] == [
        (s.st_dev, s.st_ino) for s in before
    ]


def test_the_second_capture_starts_empty() -> None:
    for _ in range(2):
        with captured_descriptors() as captured:
            os.write(2, b"x")
        assert captured.errors == "x"
