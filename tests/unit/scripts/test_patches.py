from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scripts import StageError
from scripts.cache import repo_root
from scripts.patches import refresh, try_patches

LONG_AGO = 1_000_000_000


@pytest.fixture
def pristine(tmp_path: Path) -> Path:
    folder = tmp_path / "pristine"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib/a.cc").write_text("one\ntwo\nthree\n")
    (folder / "lib/b.cc").write_text("untouched\n")
    for file in folder.rglob("*.cc"):
        os.utime(file, (LONG_AGO, LONG_AGO))
    return folder


def patch(tmp_path: Path, name: str, old: str, new: str, file: str = "lib/a.cc") -> Path:
    result = tmp_path / "patches" / "demo" / name
    result.parent.mkdir(parents=True, exist_ok=True)
    header = f"Why: a test.\n\ndiff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n"
    result.write_text(f"{header}@@ -1,3 +1,3 @@\n one\n-{old}\n+{new}\n three\n")
    return result


def test_patches_apply_in_order(tmp_path: Path, pristine: Path) -> None:
    patches = [
        patch(tmp_path, "0001.patch", "two", "2"),
        patch(tmp_path, "0002.patch", "2", "zwei"),
    ]
    refresh(pristine, patches, tmp_path / "tree")
    assert (tmp_path / "tree/lib/a.cc").read_text() == "one\nzwei\nthree\n"
    assert (pristine / "lib/a.cc").read_text() == "one\ntwo\nthree\n"
    try_patches(pristine, patches)


def test_no_patches_give_the_pristine_tree(tmp_path: Path, pristine: Path) -> None:
    refresh(pristine, [], tmp_path / "tree")
    assert (tmp_path / "tree/lib/a.cc").read_text() == "one\ntwo\nthree\n"


def test_refresh_writes_only_what_changes(tmp_path: Path, pristine: Path) -> None:
    tree = tmp_path / "tree"
    (pristine / "gone").mkdir()
    (pristine / "gone/c.cc").write_text("c\n")
    refresh(pristine, [], tree)
    (pristine / "gone/c.cc").unlink()
    (pristine / "gone").rmdir()
    (pristine / "new.cc").write_text("new\n")

    refresh(pristine, [patch(tmp_path, "0001.patch", "two", "2")], tree)
    assert (tree / "lib/a.cc").stat().st_mtime > LONG_AGO, "ninja must see the change"
    assert (tree / "lib/b.cc").stat().st_mtime == LONG_AGO
    assert (tree / "new.cc").read_text() == "new\n"
    assert not (tree / "gone").exists()


@pytest.mark.parametrize("act", ["refresh", "try"])
def test_patch_that_does_not_apply_is_named(tmp_path: Path, pristine: Path, act: str) -> None:
    patches = [
        patch(tmp_path, "0001-good.patch", "two", "2"),
        patch(tmp_path, "0002-bad.patch", "two", "x"),
    ]
    tree = tmp_path / "tree"
    with pytest.raises(StageError) as raised:
        refresh(pristine, patches, tree) if act == "refresh" else try_patches(pristine, patches)
    assert "0002-bad.patch" in raised.value.cause
    assert "lib/a.cc:1" in raised.value.cause, "file and line of the hunk"
    assert not tree.exists()
    assert not (tmp_path / "tree.part").exists()


def test_patch_of_a_missing_file_is_named(tmp_path: Path, pristine: Path) -> None:
    with pytest.raises(StageError, match=r"0001\.patch does not apply:\n.*lib/nothing\.cc"):
        try_patches(pristine, [patch(tmp_path, "0001.patch", "a", "b", "lib/nothing.cc")])


def test_patches_apply_inside_another_repository(tmp_path: Path, pristine: Path) -> None:
    # There, git apply on its own skips every file and reports success.
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    tree = tmp_path / "build" / "tree"
    tree.parent.mkdir()
    refresh(pristine, [patch(tmp_path, "0001.patch", "two", "2")], tree)
    assert (tree / "lib/a.cc").read_text() == "one\n2\nthree\n"


def test_every_patch_says_why() -> None:
    for file in sorted((repo_root() / "patches").rglob("*.patch")):
        header = file.read_text(errors="replace").partition("\ndiff --git ")[0]
        assert len(header.split()) >= 10, f"{file} has no header that says why it is there"
