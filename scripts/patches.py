"""Patched copies of the pinned sources: ``python -m scripts.patches [triton|llvm]`` checks them."""

from __future__ import annotations

import argparse
import filecmp
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from scripts import StageError, run_main
from scripts.cache import locked, repo_root, require_space
from scripts.fetch import fetch_source
from scripts.pins import SourceName, source_pin

_STAMP = ".patched-from"


def patch_files(name: SourceName) -> list[Path]:
    """Return the patches of a source in the order in which they apply."""
    return sorted((repo_root() / "patches" / name).glob("*.patch"))


def tree_hash(name: SourceName) -> str:
    """Return the sha256 (hex) that names a patched tree: its archive and every patch in order."""
    digest = hashlib.sha256(source_pin(name).archive.sha256.encode())
    for patch in patch_files(name):
        digest.update(patch.name.encode() + b"\0" + patch.read_bytes())
    return digest.hexdigest()


def patched_tree(name: SourceName, dest: Path) -> Path:
    """Make ``dest`` the pinned source with its patches applied, and return it.

    A tree that is up to date is left alone. In one that is not, only files whose content changes
    are written, so that ninja rebuilds no more than it must.

    Raises:
        StageError: when a patch does not apply (naming it, the file and the line), or as `fetch` does.
    """
    pin = source_pin(name)
    with locked(f"patch-{name}"):
        wanted = tree_hash(name)
        stamp = dest / _STAMP
        if not stamp.is_file() or stamp.read_text() != wanted:
            pristine = fetch_source(pin)
            dest.parent.mkdir(parents=True, exist_ok=True)
            require_space(dest.parent, pin.archive.unpacked_bytes, f"patch {name}")
            refresh(pristine, patch_files(name), dest)
            stamp.write_text(wanted)
    return dest


def check_patches(name: SourceName) -> list[Path]:
    """Apply every patch of a source to its pristine files in a scratch folder; return the patches.

    Raises:
        StageError: when one does not apply (naming it, the file and the line), or as `fetch` does.
    """
    patches = patch_files(name)
    if patches:
        try_patches(fetch_source(source_pin(name)), patches)
    return patches


def refresh(pristine: Path, patches: list[Path], dest: Path) -> None:
    """Make ``dest`` hold ``pristine`` with ``patches`` applied, writing only files that differ.

    Raises:
        StageError: when a patch does not apply; ``dest`` is then as it was.
    """
    fresh = dest.with_name(dest.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        shutil.copytree(pristine, fresh, symlinks=True)
        for patch in patches:
            _apply(patch, fresh)
        if dest.exists():
            _take_over(fresh, dest)
        else:
            fresh.rename(dest)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def try_patches(pristine: Path, patches: list[Path]) -> None:
    """Apply ``patches`` to copies of the files that they name, and throw the copies away.

    Raises:
        StageError: when one does not apply.
    """
    with tempfile.TemporaryDirectory(prefix="patches-") as folder:
        scratch = Path(folder)
        for file in sorted({file for patch in patches for file in _touched(patch)}):
            if (pristine / file).exists():
                (scratch / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(pristine / file, scratch / file)
        for patch in patches:
            _apply(patch, scratch)


def _touched(patch: Path) -> set[str]:
    """Return the existing files that a patch changes, old names included."""
    names = set()
    for line in patch.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        for start in ("--- a/", "rename from ", "copy from "):
            if line.startswith(start):
                names.add(line.removeprefix(start).split("\t")[0])
    return names


def _apply(patch: Path, tree: Path) -> None:
    stage = f"patch {patch.parent.name}"
    # Inside another repository `git apply` would silently skip every file; the ceiling hides it.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent), "LC_ALL": "C"}
    try:
        result = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", str(patch)],
            cwd=tree, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise StageError(stage, "git is not installed", "install git") from error
    if result.returncode != 0:
        raise StageError(
            stage,
            f"{patch.name} does not apply:\n    " + result.stderr.strip().replace("\n", "\n    "),
            f"mend {patch} at the file and line named above, or the pin if the source has moved",
        )


def _take_over(fresh: Path, dest: Path) -> None:
    """Make ``dest`` hold what ``fresh`` holds, touching only what differs."""
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*")}
    for path in sorted(dest.rglob("*"), reverse=True):
        if path.relative_to(dest) not in wanted:
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    for relative in sorted(wanted):
        source, copy = fresh / relative, dest / relative
        if source.is_dir() and not source.is_symlink():
            copy.mkdir(exist_ok=True)
        elif not _same(source, copy):
            copy.unlink(missing_ok=True)
            # Not copy2: an old time stamp would hide the change from ninja.
            shutil.copy(source, copy, follow_symlinks=False)


def _same(one: Path, other: Path) -> bool:
    if one.is_symlink() or other.is_symlink():
        return one.is_symlink() and other.is_symlink() and one.readlink() == other.readlink()
    return (
        other.exists()
        and one.stat().st_mode == other.stat().st_mode
        and filecmp.cmp(one, other, shallow=False)
    )


def main() -> int:
    """Check that the patches of the sources named on the command line apply."""
    parser = argparse.ArgumentParser(prog="python -m scripts.patches", description=__doc__)
    parser.add_argument("source", nargs="?", choices=["triton", "llvm"])
    chosen = parser.parse_args().source
    names: list[SourceName] = [chosen] if chosen else ["triton", "llvm"]
    for name in names:
        print(f"{name}: {len(check_patches(name))} patches apply")
    return 0


if __name__ == "__main__":
    run_main(main)
