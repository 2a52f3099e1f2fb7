"""Build scripts: one verb a file, each runnable as ``python -m scripts.VERB``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


class StageError(Exception):
    """A failure that the person at the terminal can act on.

    Args:
        stage: What was being done, for example ``"fetch triton"``.
        cause: What went wrong: what was expected, what was found.
        remedy: What to do about it.
    """

    def __init__(self, stage: str, cause: str, remedy: str) -> None:
        super().__init__(f"{stage}: {cause}\n  what to do: {remedy}")
        self.stage = stage
        self.cause = cause
        self.remedy = remedy


def run_main(main: Callable[[], int]) -> None:
    """Run a script's ``main`` and end the process with its status.

    A `StageError` is printed on standard error without a traceback and ends with status 1; any
    other exception is a bug of ours and keeps its traceback.
    """
    try:
        status = main()
    except StageError as error:
        print(f"error: {error}", file=sys.stderr)
        status = 1
    except KeyboardInterrupt:
        print("interrupted; running the same command again resumes", file=sys.stderr)
        status = 130
    except BrokenPipeError:
        # The reader, `head` for one, has seen enough. Without this Python complains once more
        # when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
