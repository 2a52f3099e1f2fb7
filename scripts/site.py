"""Build the site: static files that need no server of ours, in build/site."""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts import StageError, run_main
from scripts.cache import repo_root
from scripts.hashes import sha256_of
from scripts.manifest import prebuilt_dir

_STAGE = "site"
# Scripts are imported by name; what Pyodide fetches, the worker hands to it.
_PYODIDE_SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
_PYODIDE_FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# What the built page says until it is told the real name of the worker's list.
_LIST_NAME = 'content="assets.json"'
_SERVICE_WORKER = "service_worker.js"
# What the page's bundle is made from; a change in any of them needs a new bundle.
_BUNDLE_SOURCES = (
    "src",
    "public",
    "index.html",
    "vite.config.ts",
    "package.json",
    "package-lock.json",
)
# A fixed time keeps the archive's bytes the same from build to build; zip knows none before 1980.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def find_wheel(wheel: Path | None) -> Path:
    """Return Triton's wheel: the one asked for, $TRITON_PLAYGROUND_WHEEL, or the released one.

    Args:
        wheel: the file asked for on the command line, if any.

    Raises:
        StageError: there is no such file, or not exactly one released wheel.
    """
    asked = wheel or Path(os.environ.get("TRITON_PLAYGROUND_WHEEL", ""))
    if asked != Path():
        if not asked.is_file():
            raise StageError(_STAGE, f"no wheel at {asked}", "name an existing wheel")
        return asked
    folder = prebuilt_dir()
    wheels = sorted(folder.glob("triton-*.whl"))
    if len(wheels) != 1:
        found = ", ".join(file.name for file in wheels) or "none"
        raise StageError(
            _STAGE,
            f"expected one triton-*.whl in {folder}, found {found}",
            "build one with: make wheel, or name one with --wheel",
        )
    return wheels[0]


def install_packages(web: Path) -> None:
    """Install the npm packages that package-lock.json pins, unless they are there already.

    Args:
        web: the folder that holds package-lock.json.

    Raises:
        StageError: npm is missing or failed.
    """
    # npm writes this file last; the Makefile goes by it too.
    installed = web / "node_modules" / ".package-lock.json"
    pinned = web / "package-lock.json"
    if installed.is_file() and installed.stat().st_mtime >= pinned.stat().st_mtime:
        return
    _npm(web, "ci", "--no-audit", "--no-fund")
    installed.touch()


def build_bundle(web: Path) -> Path:
    """Bundle the page and its worker, unless their sources are unchanged.

    Args:
        web: the folder of the TypeScript sources.

    Returns:
        The folder of the bundle.

    Raises:
        StageError: npm is missing or the bundler failed.
    """
    bundle = web / "dist"
    stamp = repo_root() / "build" / "bundle-sha256"
    wanted = _sha256_tree(web, _BUNDLE_SOURCES)
    if (bundle / "index.html").is_file() and stamp.is_file() and stamp.read_text() == wanted:
        return bundle
    _npm(web, "run", "--silent", "build")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(wanted)
    return bundle


def pack_playground(package: Path, archive: Path) -> None:
    """Zip the triton_playground package, without its tests, as it lies in site-packages.

    Args:
        package: folder of the package.
        archive: the zip to write; the same sources give the same bytes.
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in _files_of(package):
            name = file.relative_to(package)
            if "__pycache__" in name.parts or "tests" in name.parts:
                continue
            entry = zipfile.ZipInfo(f"{package.name}/{name.as_posix()}", _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def build_site(wheel: Path | None = None) -> Path:
    """Build the site into build/site; parts that are up to date are kept.

    Args:
        wheel: Triton's wheel; see `find_wheel`.

    Returns:
        The site's folder.

    Raises:
        StageError: a tool or an input is missing, or a tool failed.
    """
    root = repo_root()
    web = root / "web"
    triton = find_wheel(wheel)
    install_packages(web)
    bundle = build_bundle(web)
    playground = root / "build" / "triton_playground.zip"
    pack_playground(root / "py" / "triton_playground", playground)

    packed = _Packed(root / "build" / "packed")
    pyodide = web / "node_modules" / "pyodide"
    version = json.loads((pyodide / "package.json").read_text())["version"]
    folder = f"pyodide/{version}/"
    module_path, module, python = split_wheel(triton, root / "build" / "wheel")
    assets = {
        "pyodide": folder,
        "runtime": {name: packed.add(pyodide / name) for name in _PYODIDE_FETCHED},
        "module": packed.add(module),
        "modulePath": module_path,
        "archives": [packed.add(python), packed.add(playground)],
    }
    scripts = {f"{folder}{name}": pyodide / name for name in _PYODIDE_SCRIPTS}
    pages = {file.relative_to(bundle).as_posix(): file for file in _files_of(bundle)} | scripts
    pages |= _generated(pages, assets, root / "build" / "generated")

    site = root / "build" / "site"
    _mirror(pages | packed.files, site)
    return site


def split_wheel(wheel: Path, folder: Path) -> tuple[str, Path, Path]:
    """Take the WebAssembly module out of Triton's wheel, so that a browser compiles it as it arrives.

    Args:
        wheel: Triton's wheel.
        folder: where the parts are written, unless they are there already.

    Returns:
        The module's path in site-packages, the module, and a zip of everything else.

    Raises:
        StageError: the wheel does not hold exactly one module.
    """
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if name.endswith(".so")]
        if len(modules) != 1:
            raise StageError(
                _STAGE,
                f"expected one WebAssembly module in {wheel}, found {len(modules)}",
                "build the wheel again with: make wheel",
            )
        parts = folder / sha256_of(wheel)
        module, python = parts / "libtriton.wasm", parts / "triton.zip"
        if not python.is_file():
            parts.mkdir(parents=True, exist_ok=True)
            module.write_bytes(archive.read(modules[0]))
            unfinished = parts / "triton.zip.part"
            with zipfile.ZipFile(unfinished, "w") as rest:
                for entry in archive.infolist():
                    if entry.filename != modules[0]:
                        rest.writestr(entry, archive.read(entry), compresslevel=9)
            unfinished.replace(python)
    return modules[0], module, python


class _Packed:
    """Files for the worker: compressed where that helps, under names that change with the content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.files: dict[str, Path] = {}

    def add(self, source: Path) -> dict[str, object]:
        """Return the file's entry in the list that the worker reads."""
        # Zips are compressed inside already.
        compress = source.suffix != ".zip"
        digest = sha256_of(source)
        stored = source
        if compress:
            stored = self._folder / f"{source.name}.{digest}"
            if not stored.is_file():
                self._folder.mkdir(parents=True, exist_ok=True)
                unfinished = stored.with_suffix(".part")
                unfinished.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))
                unfinished.replace(stored)
        # Not .gz: some hosts would have the browser unpack that, others not.
        name = f"{source.stem}.{digest[:16]}{source.suffix}{'.packed' if compress else ''}"
        path = f"compiler/{name}"
        self.files[path] = stored
        return {
            "path": path,
            "bytes": stored.stat().st_size,
            "sha256": sha256_of(stored),
            "gzip": compress,
        }


def _generated(
    pages: dict[str, Path], assets: Mapping[str, object], folder: Path
) -> dict[str, Path]:
    """Write the files that name others by their hash: the worker's list, the page, the service worker."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}

    def write(path: str, text: str) -> None:
        made[path] = folder / path
        made[path].write_text(text)

    listed = json.dumps(assets, indent=2) + "\n"
    list_name = f"compiler-files.{hashlib.sha256(listed.encode()).hexdigest()[:16]}.json"
    write(list_name, listed)
    page = pages["index.html"].read_text()
    if page.count(_LIST_NAME) != 1:
        raise StageError(
            _STAGE,
            f"web/index.html has not exactly one {_LIST_NAME}",
            "put it back into its compiler-files meta element",
        )
    write("index.html", page.replace(_LIST_NAME, f'content="{list_name}"'))

    kept = {path: file for path, file in (pages | made).items() if path != _SERVICE_WORKER}
    # Hosts answer the folder's own address with the page.
    shell = [
        {"path": "" if path == "index.html" else path, "integrity": _integrity(file)}
        for path, file in sorted(kept.items())
    ]
    version = hashlib.sha256(json.dumps(shell).encode()).hexdigest()[:16]
    constant = json.dumps({"version": version, "files": shell}, separators=(",", ":"))
    write(_SERVICE_WORKER, f"const SHELL={constant};\n{pages[_SERVICE_WORKER].read_text()}")
    return made


def _integrity(file: Path) -> str:
    digest = hashlib.sha256(file.read_bytes()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _mirror(wanted: dict[str, Path], site: Path) -> None:
    """Make the site's folder hold exactly these files, copying only those that differ."""
    for present in _files_of(site):
        if present.relative_to(site).as_posix() not in wanted:
            present.unlink()
    for path, source in wanted.items():
        copy = site / path
        if copy.is_file() and _same(copy, source):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, copy)


def _same(copy: Path, source: Path) -> bool:
    first, second = copy.stat(), source.stat()
    return (first.st_size, first.st_mtime_ns) == (second.st_size, second.st_mtime_ns)


def _files_of(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_file())


def _sha256_tree(root: Path, names: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for name in names:
        path = root / name
        for file in _files_of(path) if path.is_dir() else (path,):
            digest.update(f"{file.relative_to(root)} {sha256_of(file)}\n".encode())
    return digest.hexdigest()


def _npm(web: Path, *words: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise StageError(_STAGE, "npm is not on PATH", "install Node 20.19 or later with npm")
    command = [npm, *words]
    result = subprocess.run(command, cwd=web, stdout=sys.stderr, check=False)
    if result.returncode != 0:
        raise StageError(
            _STAGE,
            f"exit status {result.returncode} in {web} from: {shlex.join(command)}",
            "read its message above (network? disk?), then run it again",
        )


def main() -> int:
    """Build the site and print its folder."""
    parser = argparse.ArgumentParser(prog="python -m scripts.site", description=__doc__)
    parser.add_argument("--wheel", type=Path, help="Triton's wheel; default: the released one")
    print(build_site(parser.parse_args().wheel))
    return 0


if __name__ == "__main__":
    run_main(main)
