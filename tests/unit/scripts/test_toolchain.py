from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import StageError
from scripts.cache import repo_root
from scripts.pins import toolchain_pin
from scripts.toolchain import (
    Toolchain,
    emcc_version,
    is_complete,
    pyodide_emscripten,
    pyodide_verdict,
    toolchain,
)

PIN = toolchain_pin()
REAL_OUTPUT = "emcc (Emscripten gcc/clang-like replacement + linker emulating GNU ld) {} (abc)\n"


def put_emcc_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    program = folder / "bin" / "emcc"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{REAL_OUTPUT.format(version).strip()}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@contextlib.contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """Really give up root's powers for a while, owning only ``folder``."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(folder, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("output", "version"),
    [
        (REAL_OUTPUT.format("6.0.5"), "6.0.5"),
        (REAL_OUTPUT.format("6.0.6-git"), "6.0.6"),
        ("clang version 21.1.8\n", "21.1.8"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_emcc_version_is_read_from_its_first_line(output: str | None, version: str) -> None:
    assert emcc_version(output) == version


def test_emcc_of_the_pinned_version_on_path_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_emcc_on_path(tmp_path, monkeypatch, PIN.versions["emscripten"])
    tools = toolchain()
    assert tools.root is None
    assert "was built with this emcc version" in tools.describe()


def test_without_root_the_emsdk_way_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Not tmp_path: pytest's folders can be entered by their owner only.
    with tempfile.TemporaryDirectory() as folder:
        put_emcc_on_path(Path(folder), monkeypatch, "3.1.58")
        monkeypatch.setenv("TRITON_PLAYGROUND_CACHE", folder)
        with ordinary_user(Path(folder)), pytest.raises(StageError) as raised:
            toolchain()
    assert "needs root" in raised.value.cause
    assert f"emsdk install {PIN.versions['emscripten']}" in raised.value.remedy
    assert "emcc on PATH is 3.1.58" in capsys.readouterr().err


def test_another_emcc_than_pyodides_is_said() -> None:
    verdict = pyodide_verdict("6.0.4", PIN)
    assert PIN.pyodide.emscripten in verdict
    assert "6.0.4" in verdict
    assert "may not load" in verdict


def test_pinned_emscripten_is_what_the_installed_pyodide_was_built_with() -> None:
    pyodide = repo_root() / "web/node_modules/pyodide"
    if not pyodide.is_dir():
        pytest.skip("web's packages are not installed (make web), so there is no Pyodide to ask")
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())["info"]
    assert pyodide_emscripten(pyodide) == PIN.pyodide.emscripten
    assert lock["abi_version"] == PIN.pyodide.abi
    assert lock["python"].startswith(PIN.pyodide.python)
    assert json.loads((pyodide / "package.json").read_text())["version"] == PIN.pyodide.npm


def debian_root(folder: Path, missing: str = "") -> Path:
    """Lay out what dpkg records of a root in which every pinned package is version 1.0."""
    entries = [
        f"Package: {package}\nStatus: install ok {'unpacked' if package == missing else 'installed'}"
        f"\nArchitecture: amd64\nVersion: 1.0\n"
        for package in PIN.debian.packages
    ]
    (folder / "var/lib/dpkg").mkdir(parents=True)
    (folder / "var/lib/dpkg/status").write_text("\n".join(entries))
    (folder / "etc").mkdir()
    stamp = dict.fromkeys(PIN.debian.packages, "1.0")
    (folder / "etc/triton-playground-toolchain.json").write_text(json.dumps(stamp))
    return folder


def test_complete_root_is_recognised(tmp_path: Path) -> None:
    assert is_complete(debian_root(tmp_path), PIN)


def test_root_with_a_half_installed_package_is_not_complete(tmp_path: Path) -> None:
    assert not is_complete(debian_root(tmp_path, missing="lld-21"), PIN)


def test_root_without_stamp_or_of_other_packages_is_not_complete(tmp_path: Path) -> None:
    root = debian_root(tmp_path)
    stamp = root / "etc/triton-playground-toolchain.json"
    stamp.write_text(stamp.read_text().replace("1.0", "0.9", 1))
    assert not is_complete(root, PIN)
    stamp.unlink()
    assert not is_complete(root, PIN)
    assert not is_complete(tmp_path / "nothing", PIN)


def test_failing_command_is_reported_with_its_words() -> None:
    tools = Toolchain("6.0.5", None)
    with pytest.raises(StageError, match=r"exit status 3 from: sh -c 'exit 3'"):
        tools.run(["sh", "-c", "exit 3"])
    assert tools.run(["sh", "-c", "exit 3"], check=False).returncode == 3


def test_missing_command_is_named() -> None:
    with pytest.raises(StageError, match="no-such-compiler"):
        Toolchain("6.0.5", None).run(["no-such-compiler"])


def test_command_runs_in_its_folder_with_its_variables(tmp_path: Path) -> None:
    command = ["sh", "-c", "pwd; echo $COLOUR"]
    result = Toolchain("6.0.5", None).run(
        command, cwd=tmp_path, env={"COLOUR": "red"}, stdout=subprocess.PIPE
    )
    assert result.stdout.split() == [str(tmp_path), "red"]


def test_command_line_can_be_started_from_anywhere(tmp_path: Path) -> None:
    line = Toolchain("6.0.5", None).command(["sh", "-c", "pwd; echo $A"], tmp_path, {"A": "b c"})
    result = subprocess.run(line, cwd="/", capture_output=True, text=True, check=True)
    assert result.stdout == f"{tmp_path}\nb c\n"
