"""The pinned inputs of the build, read from the TOML files that record them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from scripts import StageError
from scripts.cache import repo_root

SourceName = Literal["triton", "llvm"]


@dataclass(frozen=True)
class Archive:
    """The one archive that a pin accepts. Sizes are in bytes; ``folders`` empty means all of it."""

    file: str
    sha256: str
    bytes: int
    unpacked_bytes: int
    folders: tuple[str, ...]


@dataclass(frozen=True)
class Sdist:
    """A source distribution, found by package name through pip's own configuration."""

    package: str
    version: str


@dataclass(frozen=True)
class DebianSource:
    """A Debian source package; ``version`` is upstream's, without Debian's revision."""

    package: str
    version: str


@dataclass(frozen=True)
class Upstream:
    """The repository that the archive was made from, for people; scripts do not read it."""

    url: str
    ref: str


Place = Sdist | DebianSource | Upstream


@dataclass(frozen=True)
class SourcePin:
    """A pinned source: what it is, which archive carries it, and where that can be had."""

    name: SourceName
    version: str
    archive: Archive
    places: tuple[Place, ...]
    path: Path


@dataclass(frozen=True)
class TritonPin(SourcePin):
    """Triton's pin; ``commit`` is upstream's."""

    commit: str


@dataclass(frozen=True)
class Prebuilt:
    """An archive of a build made earlier from the same pin. Sizes are in bytes."""

    file: str
    sha256: str
    unpacked_bytes: int


@dataclass(frozen=True)
class LlvmPin(SourcePin):
    """LLVM's pin; ``cmake`` maps option names to values, all strings as CMake has them."""

    cmake: dict[str, str]
    prebuilt: Prebuilt


@dataclass(frozen=True)
class PyodidePin:
    """The Pyodide release the side module has to load into."""

    npm: str
    abi: str
    python: str
    emscripten: str


@dataclass(frozen=True)
class DebianPin:
    """The Debian suite and packages that make the toolchain where there is no emsdk."""

    suite: str
    debootstrap_script: str
    unpacked_bytes: int
    packages: tuple[str, ...]


@dataclass(frozen=True)
class ToolchainPin:
    """The compilers; ``versions`` maps a tool's name to the version it must report."""

    pyodide: PyodidePin
    versions: dict[str, str]
    debian: DebianPin
    path: Path


def triton_pin(path: Path | None = None) -> TritonPin:
    """Load ``triton-pin/pin.toml``, or the file at ``path``.

    Raises:
        StageError: naming the file and the key, when the pin is missing or malformed.
    """
    pin = _Table.load(path or repo_root() / "triton-pin" / "pin.toml")
    commit = pin.text("commit", r"[0-9a-f]{40}")
    result = TritonPin(name="triton", **_source(pin, "triton"), commit=commit)
    pin.done()
    return result


def llvm_pin(path: Path | None = None) -> LlvmPin:
    """Load ``llvm-pin/pin.toml``, or the file at ``path``.

    Raises:
        StageError: naming the file and the key, when the pin is missing or malformed.
    """
    pin = _Table.load(path or repo_root() / "llvm-pin" / "pin.toml")
    cmake = pin.texts("cmake")
    prebuilt = pin.table("prebuilt")
    result = LlvmPin(
        name="llvm",
        **_source(pin, "llvm"),
        cmake=cmake,
        prebuilt=Prebuilt(
            file=prebuilt.text("file"),
            sha256=prebuilt.text("sha256", _SHA256),
            unpacked_bytes=prebuilt.count("unpacked_bytes"),
        ),
    )
    prebuilt.done()
    pin.done()
    return result


def source_pin(name: SourceName) -> TritonPin | LlvmPin:
    """Load the pin of the source called ``name``."""
    return triton_pin() if name == "triton" else llvm_pin()


def toolchain_pin(path: Path | None = None) -> ToolchainPin:
    """Load ``wasm/toolchain.toml``, or the file at ``path``.

    Raises:
        StageError: naming the file and the key, when the pin is missing or malformed.
    """
    pin = _Table.load(path or repo_root() / "wasm" / "toolchain.toml")
    pyodide, debian = pin.table("pyodide"), pin.table("debian")
    result = ToolchainPin(
        pyodide=PyodidePin(*(pyodide.text(key) for key in ("npm", "abi", "python", "emscripten"))),
        versions=pin.texts("versions"),
        debian=DebianPin(
            suite=debian.text("suite"),
            debootstrap_script=debian.text("debootstrap_script"),
            unpacked_bytes=debian.count("unpacked_bytes"),
            packages=debian.list("packages"),
        ),
        path=pin.path,
    )
    for table in (pyodide, debian, pin):
        table.done()
    return result


_SHA256 = r"[0-9a-f]{64}"


def _source(pin: _Table, expected: SourceName) -> dict[str, Any]:
    """Read the keys that both sources have."""
    pin.text("name", expected)
    archive = pin.table("archive")
    result: dict[str, Any] = {
        "version": pin.text("version"),
        "archive": Archive(
            file=archive.text("file", r"[^/]+"),
            sha256=archive.text("sha256", _SHA256),
            bytes=archive.count("bytes"),
            unpacked_bytes=archive.count("unpacked_bytes"),
            folders=archive.list("folders", default=()),
        ),
        "places": tuple(_place(table) for table in pin.tables("place")),
        "path": pin.path,
    }
    archive.done()
    return result


def _place(table: _Table) -> Place:
    kind = table.text("kind", "sdist|debian-source|upstream")
    place: Place
    if kind == "upstream":
        place = Upstream(table.text("url"), table.text("ref"))
    elif kind == "sdist":
        place = Sdist(table.text("package"), table.text("version"))
    else:
        place = DebianSource(table.text("package"), table.text("version"))
    table.done()
    return place


class _Table:
    """A TOML table that says which file and key is wrong, and which keys nobody read."""

    def __init__(self, path: Path, where: str, values: dict[str, Any]) -> None:
        self.path = path
        self._where = where
        self._values = values
        self._read: set[str] = set()

    @classmethod
    def load(cls, path: Path) -> _Table:
        try:
            return cls(path, "", tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise StageError(
                "read pin", f"{path}: {error.strerror}", "restore the file from the repository"
            ) from error
        except tomllib.TOMLDecodeError as error:
            raise StageError(
                "read pin", f"{path} is not TOML: {error}", "mend the line it names"
            ) from error

    def text(self, key: str, pattern: str = r"(?s).+") -> str:
        value = self._get(key)
        if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
            shape = "a non-empty string" if pattern == r"(?s).+" else f"a string like /{pattern}/"
            raise self._wrong(key, f"must be {shape}, not {value!r}")
        return value

    def count(self, key: str) -> int:
        value = self._get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise self._wrong(key, f"must be a positive whole number, not {value!r}")
        return value

    def list(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        if default is not None and key not in self._values:
            return default
        value = self._get(key)
        if (
            not isinstance(value, list)
            or not value
            or not all(isinstance(item, str) for item in value)
        ):
            raise self._wrong(key, f"must be a list of strings, not {value!r}")
        return tuple(value)

    def texts(self, key: str) -> dict[str, str]:
        table = self.table(key)
        return {name: table.text(name) for name in table._values}

    def table(self, key: str) -> _Table:
        value = self._get(key)
        if not isinstance(value, dict):
            raise self._wrong(key, f"must be a table, not {value!r}")
        return _Table(self.path, f"{self._where}{key}.", value)

    def tables(self, key: str) -> tuple[_Table, ...]:
        value = self._get(key)
        if (
            not isinstance(value, list)
            or not value
            or not all(isinstance(item, dict) for item in value)
        ):
            raise self._wrong(key, f"must be a list of tables, not {value!r}")
        return tuple(
            _Table(self.path, f"{self._where}{key}[{index}].", item)
            for index, item in enumerate(value)
        )

    def done(self) -> None:
        """Refuse keys that nothing reads: a misspelt option would otherwise be lost silently."""
        for key in self._values.keys() - self._read:
            raise self._wrong(key, "is not a key that this pin has")

    def _get(self, key: str) -> Any:
        self._read.add(key)
        if key not in self._values:
            raise self._wrong(key, "is missing")
        return self._values[key]

    def _wrong(self, key: str, problem: str) -> StageError:
        return StageError(
            "read pin", f"{self.path}: {self._where}{key} {problem}", "mend that key in the file"
        )
