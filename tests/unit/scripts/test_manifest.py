"""The manifest: a wheel that the tree does not make is refused, by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts import StageError, manifest


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tree with a wheel and its manifest."""
    monkeypatch.setattr(manifest, "repo_root", lambda: tmp_path)
    (tmp_path / "wasm" / "src").mkdir(parents=True)
    (tmp_path / "wasm" / "prebuilt").mkdir()
    (tmp_path / "wasm" / "src" / "Bindings.cpp").write_text("int one;\n")
    wheel = tmp_path / "wasm" / "prebuilt" / "triton-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    module = tmp_path / "libtriton.so"
    module.write_bytes(b"module")
    manifest.write_manifest(wheel, module, "O3", {"clang": "21.1.8"})
    return tmp_path


def test_accepts_the_wheel_of_this_tree(released: Path) -> None:
    found = manifest.check_manifest()
    assert found["module"]["profile"] == "O3"
    assert list(found["inputs"]) == ["wasm/src/Bindings.cpp"]


@pytest.mark.parametrize(
    ("file", "text"), [("Bindings.cpp", "int two;\n"), ("New.cpp", "int three;\n")]
)
def test_refuses_changed_and_new_inputs(released: Path, file: str, text: str) -> None:
    (released / "wasm" / "src" / file).write_text(text)
    with pytest.raises(StageError, match=f"wasm/src/{file}"):
        manifest.check_manifest()


def test_refuses_an_altered_wheel(released: Path) -> None:
    next(released.glob("wasm/prebuilt/*.whl")).write_bytes(b"whee1")
    with pytest.raises(StageError, match=r"triton-1-py3-none-any\.whl is [0-9a-f]{64}, not"):
        manifest.check_manifest()


def test_says_when_there_is_no_manifest(released: Path) -> None:
    (released / "wasm" / "prebuilt" / "manifest.json").unlink()
    with pytest.raises(StageError, match="is missing"):
        manifest.check_manifest()


def test_the_committed_manifest_names_every_kind_of_input() -> None:
    recorded = json.loads(manifest.manifest_file().read_text())["inputs"]
    for kind in (
        "llvm-pin/",
        "triton-pin/",
        "patches/triton/",
        "wasm/src/",
        "wasm/slim/",
        "py/overlay/",
    ):
        assert any(name.startswith(kind) for name in recorded), kind
