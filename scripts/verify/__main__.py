"""Run every judge and write docs/verification.md: ``python -m scripts.verify [NAME…]``.

With names, runs these alone; the document keeps the other sections as they are.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from datetime import date
from importlib import import_module
from pathlib import Path

from scripts import run_main
from scripts.bench import machine
from scripts.cache import repo_root
from scripts.manifest import manifest_file

# In the order of the document.
SECTIONS = (
    "golden", "judges", "witness", "device", "lit", "upstream_python", "hostile", "determinism",
)  # fmt: skip

_HEAD = """# Verification

What was compared with what, and what came out. Written by `make verify`; one section alone:
`make verify-NAME`. Reproducing needs the native build (`make golden` makes it) and, for one section,
a real GPU.
"""


def document() -> Path:
    """Return docs/verification.md."""
    return repo_root() / "docs" / "verification.md"


def read_sections() -> dict[str, str]:
    """Return the document's sections by name; empty when there is none."""
    if not document().is_file():
        return {}
    parts = re.split(r"<!-- (\w+) -->\n", document().read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def run_section(name: str) -> bool:
    """Run one judge; return whether it found nothing unexpected."""
    print(f"=== verify {name}", flush=True)
    return subprocess.run([sys.executable, "-m", f"scripts.verify.{name}"]).returncode == 0


def render_section(name: str) -> str:
    """Return a judge's section, with where and of what it was made."""
    result = json.loads((repo_root() / "build" / "verify" / f"{name}.json").read_text())
    section: str = import_module(f"scripts.verify.{name}").markdown(result)
    wheel = json.loads(manifest_file().read_text())["wheel"]["sha256"][:12]
    if name == "device":
        # It says itself which machine ran the kernels, and when.
        return f"{section.rstrip()}\n\n"
    about = ", ".join(f"{key}: {value}" for key, value in machine().items())
    return f"{section.rstrip()}\n\n*{date.today()}, wheel {wheel}; {about}.*\n\n"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="*", choices=[*SECTIONS, []], default=[])
    parser.add_argument("--render", action="store_true", help="only write, from the last results")
    arguments = parser.parse_args()
    names = arguments.name or SECTIONS
    sections = read_sections()
    failed = []
    for name in names:
        if not arguments.render and not run_section(name):
            failed.append(name)
        if (repo_root() / "build" / "verify" / f"{name}.json").is_file():
            sections[name] = render_section(name)
    body = "".join(f"<!-- {name} -->\n{sections[name]}" for name in SECTIONS if name in sections)
    document().write_text(f"{_HEAD}\n{body}".rstrip() + "\n", encoding="utf-8")
    print(f"verify: {len(names) - len(failed)} passed, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
