"""Give texts to FileCheck; runs where FileCheck is, one process for many texts.

``python3 lit_file_check.py FILECHECK CHECKS VERDICTS``: CHECKS is a JSON list of ``{"arguments",
"text", "environment"}``, VERDICTS a list of ``{"ok", "message"}``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def verdict(program: str, check: dict[str, Any]) -> dict[str, Any]:
    """Return what FileCheck says about one text: ``{"ok", "message"}``."""
    result = subprocess.run(
        [program, *check["arguments"]],
        input=check["text"].encode(),
        env={**os.environ, **check["environment"]},
        capture_output=True,
        check=False,
    )
    message = (result.stderr + result.stdout).decode(errors="replace")
    return {"ok": result.returncode == 0, "message": message}


def main() -> int:
    """Command line."""
    program, checks, verdicts = sys.argv[1:]
    given = json.loads(Path(checks).read_text())
    Path(verdicts).write_text(json.dumps([verdict(program, check) for check in given]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
