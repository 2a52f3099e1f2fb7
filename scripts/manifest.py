"""The manifest of the released wheel: sha256 of everything it was made from.

``python -m scripts.manifest`` checks the committed wheel against the tree, as CI does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import repo_root
from scripts.hashes import sha256_of

# Everything that decides the bytes of the wheel. Patterns, so that a new file counts by itself.
_INPUTS = (
    "llvm-pin/pin.toml",
    "triton-pin/pin.toml",
    "patches/llvm/*.patch",
    "patches/triton/*.patch",
    "wasm/toolchain.toml",
    "wasm/CMakeLists.txt",
    "wasm/cmake/*.cmake",
    "wasm/src/*",
    "wasm/slim/*",
    "py/overlay/**/*.py",
    "scripts/build_module.py",
    "scripts/link.py",
    "scripts/optimise.py",
    "scripts/package.py",
    "scripts/package_tree.py",
    "scripts/python_headers.py",
)


def prebuilt_dir() -> Path:
    """Return the folder of the released wheel and its manifest."""
    return repo_root() / "wasm" / "prebuilt"


def manifest_file() -> Path:
    """Return the path of the manifest."""
    return prebuilt_dir() / "manifest.json"


def input_hashes() -> dict[str, str]:
    """Return the sha256 of every input in this tree, by path relative to the checkout."""
    root = repo_root()
    files = sorted({file for pattern in _INPUTS for file in root.glob(pattern) if file.is_file()})
    return {
        str(file.relative_to(root)): sha256_of(file)
        for file in files
        if "__pycache__" not in file.parts
    }


def write_manifest(wheel: Path, module: Path, profile: str, tools: dict[str, str]) -> Path:
    """Write the manifest beside the wheel.

    Args:
        wheel: the released wheel.
        module: the side module inside it.
        profile: the Binaryen profile it was optimised with.
        tools: tool name to version.
    """
    manifest = {
        "wheel": {"file": wheel.name, "bytes": wheel.stat().st_size, "sha256": sha256_of(wheel)},
        "module": {"bytes": module.stat().st_size, "sha256": sha256_of(module), "profile": profile},
        "tools": tools,
        "inputs": input_hashes(),
    }
    manifest_file().write_text(json.dumps(manifest, indent=2) + "\n")
    return manifest_file()


def check_manifest() -> dict[str, Any]:
    """Check that the committed wheel is the one that this tree makes; return the manifest.

    Raises:
        StageError: the wheel is missing or altered, or an input is not what it was built from.
    """
    remedy = "run `make wheel` and commit wasm/prebuilt, or take the change back"
    try:
        manifest: dict[str, Any] = json.loads(manifest_file().read_text())
    except FileNotFoundError as error:
        raise StageError("check manifest", f"{manifest_file()} is missing", remedy) from error
    wheel = prebuilt_dir() / manifest["wheel"]["file"]
    if not wheel.is_file():
        raise StageError("check manifest", f"{wheel} is missing", remedy)
    found = sha256_of(wheel)
    if found != manifest["wheel"]["sha256"]:
        raise StageError(
            "check manifest", f"{wheel.name} is {found}, not {manifest['wheel']['sha256']}", remedy
        )
    recorded, present = manifest["inputs"], input_hashes()
    differing = sorted(
        name for name in recorded.keys() | present.keys() if recorded.get(name) != present.get(name)
    )
    if differing:
        raise StageError(
            "check manifest", "the wheel was built from other versions of " + ", ".join(differing),
            remedy,
        )  # fmt: skip
    return manifest


def main() -> int:
    """Check the committed wheel and say what it is."""
    manifest = check_manifest()
    print(f"{manifest['wheel']['file']}: matches the tree ({len(manifest['inputs'])} inputs)")
    return 0


if __name__ == "__main__":
    run_main(main)
