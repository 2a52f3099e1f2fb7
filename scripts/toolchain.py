"""The compilers of the build: ``python -m scripts.toolchain [-- COMMAND…]``.

An emsdk on PATH is taken when its emcc is of the pinned version; otherwise a Debian root with the
pinned packages is made in the build cache, and commands run inside it.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from scripts import StageError, run_main
from scripts.cache import cache_root, locked, repo_root, require_space
from scripts.pins import ToolchainPin, toolchain_pin

_STAGE = "set up toolchain"
_EMSDK_WAY = "install emsdk, `emsdk install {0} && emsdk activate {0}`, and put its emcc on PATH"


@dataclass(frozen=True)
class Toolchain:
    """A set of compilers and the way to run them.

    Attributes:
        emcc_version: What ``emcc --version`` reports.
        root: The Debian root that commands run in, or None for tools on PATH (emsdk).
    """

    emcc_version: str
    root: Path | None

    def run(
        self,
        argv: Sequence[str | Path],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        check: bool = True,
        stdout: int | IO[Any] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with the toolchain's tools; paths are the same inside and outside.

        Args:
            argv: The command and its arguments.
            cwd: Folder to run in, inside the cache or the checkout; the caller's when None.
            env: Variables to set besides the toolchain's own.
            check: Whether a non-zero exit status is an error.
            stdout: As in `subprocess.run`.

        Raises:
            StageError: when the command is not found, or fails and ``check`` is true.
        """
        result = _run(self.command(argv, cwd, env), stdout)
        if check and result.returncode != 0:
            words = [os.fspath(word) for word in argv]
            raise StageError(
                f"run {Path(words[0]).name}",
                f"exit status {result.returncode} from: {shlex.join(words)}",
                "read the command's own message above",
            )
        return result

    def command(
        self,
        argv: Sequence[str | Path],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Return the command line that, started from anywhere, runs ``argv`` as `run` does.

        Raises:
            StageError: when entering the Debian root needs powers that this user lacks.
        """
        words = [os.fspath(word) for word in argv]
        folder = (cwd or Path.cwd()).absolute()
        if self.root is None:
            settings = [f"{name}={value}" for name, value in (env or {}).items()]
            return ["sh", "-c", 'cd "$0" && exec env "$@"', str(folder), *settings, *words]
        return _inside(self.root, folder, words, env or {})

    @property
    def llvm_tools(self) -> Path | None:
        """The folder of native LLVM tools of the pinned version (as commands see it), if any."""
        if self.root is None:
            return None
        return Path(f"/usr/lib/llvm-{toolchain_pin().versions['llvm'].split('.')[0]}/bin")

    def describe(self) -> str:
        """Return one line a tool: what is used, and its version."""
        where = f"Debian root {self.root}" if self.root else f"PATH ({shutil.which('emcc')})"
        lines = [f"toolchain: {where}", f"  emscripten {self.emcc_version}"]
        if self.root:
            installed = _installed(self.root)
            lines += [
                f"  {package} {installed[package]}"
                for package in toolchain_pin().debian.packages
                if package != "emscripten"
            ]
        lines.append(f"  {pyodide_verdict(self.emcc_version, toolchain_pin())}")
        return "\n".join(lines)


def toolchain() -> Toolchain:
    """Return the toolchain, making the Debian root on first use.

    Raises:
        StageError: when there is no emcc of the pinned version and no root can be made.
    """
    wanted = toolchain_pin().versions["emscripten"]
    on_path = path_emcc_version()
    if on_path == wanted:
        return Toolchain(on_path, None)
    if on_path:
        print(
            f"note: emcc on PATH is {on_path}, {wanted} is pinned; it is not used", file=sys.stderr
        )
    return forky_root()


def forky_root() -> Toolchain:
    """Return the toolchain in the Debian root, making or finishing the root if necessary.

    Raises:
        StageError: not root, not Debian, no network, no disk space, or another emcc than the pinned.
    """
    pin = toolchain_pin()
    root = cache_root() / f"{pin.debian.suite}-root"
    with locked("toolchain"):
        if not is_complete(root, pin):
            _require_root_user(pin)
            _make(root, pin)
    output = _run(_inside(root, Path("/"), ["emcc", "--version"], {}), subprocess.PIPE).stdout
    found = emcc_version(output)
    if found != pin.versions["emscripten"]:
        raise StageError(
            _STAGE,
            f"Debian {pin.debian.suite} now has emcc {found}, {pin.versions['emscripten']} is pinned; "
            + pyodide_verdict(found, pin),
            _EMSDK_WAY.format(pin.versions["emscripten"]),
        )
    return Toolchain(found, root)


def path_emcc_version() -> str | None:
    """Return the version of the emcc on PATH, or None where there is none."""
    if shutil.which("emcc") is None:
        return None
    result = subprocess.run(["emcc", "--version"], capture_output=True, text=True, check=False)
    return emcc_version(result.stdout)


def emcc_version(output: str | None) -> str:
    """Return the version number in what ``emcc --version`` prints, or ``"unknown"``."""
    first = (output or "").partition("\n")[0]
    match = re.search(r"\b(\d+\.\d+\.\d+)\b", first)
    return match[1] if match else "unknown"


def pyodide_emscripten(pyodide: Path) -> str:
    """Return the emscripten version that an unpacked ``pyodide`` npm package was built with."""
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return str(info["platform"]).removeprefix("emscripten_").replace("_", ".")


def pyodide_verdict(emcc: str, pin: ToolchainPin) -> str:
    """Return one sentence that says whether this emcc is the one Pyodide was built with."""
    pyodide = repo_root() / "web" / "node_modules" / "pyodide"
    built_with = pin.pyodide.emscripten
    if (pyodide / "pyodide-lock.json").is_file():
        built_with = pyodide_emscripten(pyodide)
    if emcc == built_with:
        return f"Pyodide {pin.pyodide.npm} was built with this emcc version"
    return (
        f"Pyodide {pin.pyodide.npm} was built with emcc {built_with}, this one is {emcc}: "
        "a module built with it may not load"
    )


def is_complete(root: Path, pin: ToolchainPin) -> bool:
    """Tell whether a Debian root holds every pinned package in the versions its stamp records."""
    try:
        stamp = json.loads(_stamp(root).read_text(encoding="utf-8"))
        return bool(stamp == _versions(root, pin))
    except (OSError, ValueError, KeyError):
        return False


def mirror() -> str:
    """Return the Debian mirror that this machine's own apt uses.

    Raises:
        StageError: when apt or a Debian source is missing.
    """
    try:
        listing = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        system = platform.freedesktop_os_release()
    except (OSError, subprocess.CalledProcessError) as error:
        raise StageError(_STAGE, f"this machine has no working apt: {error}", _emsdk()) from error
    for line in listing.splitlines():
        uri, _, release = line.partition(" ")
        if system.get("ID") == "debian" and release == system.get("VERSION_CODENAME"):
            return uri
    raise StageError(
        _STAGE,
        f"apt's sources name no Debian mirror for this machine's release ({system.get('PRETTY_NAME')})",
        _emsdk(),
    )


def _emsdk() -> str:
    return _EMSDK_WAY.format(toolchain_pin().versions["emscripten"])


def _require_root_user(pin: ToolchainPin) -> None:
    missing = [tool for tool in ("debootstrap", "unshare", "chroot") if shutil.which(tool) is None]
    if os.geteuid() != 0:
        raise StageError(
            _STAGE,
            f"there is no emcc {pin.versions['emscripten']} on PATH, and making a Debian root needs root",
            _emsdk() + "; or run it as root",
        )
    if missing == ["debootstrap"]:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "debootstrap"], check=False)
        missing = [] if shutil.which("debootstrap") else missing
    if missing:
        raise StageError(
            _STAGE, f"missing: {', '.join(missing)}", f"install them with apt, or {_emsdk()}"
        )


def _make(root: Path, pin: ToolchainPin) -> None:
    """Make a Debian root, or finish one that an earlier run left half-made."""
    debian = pin.debian
    require_space(root.parent, debian.unpacked_bytes, _STAGE)
    print(f"making the Debian {debian.suite} root {root} (2 GB, a few minutes)", file=sys.stderr)
    bare = root.with_name(root.name + ".part")
    if not (root / "usr/bin/apt-get").exists():
        shutil.rmtree(bare, ignore_errors=True)
        # The stable release's keyring verifies the suite: its Release file is signed by it too.
        # Certificates: the mirror may be an https one, and minbase has none.
        _step(
            "debootstrap", "--variant=minbase", "--include=ca-certificates",
            debian.suite, bare, mirror(), debian.debootstrap_script,
        )  # fmt: skip
        bare.rename(root)
    sources = root / "etc/apt/sources.list"
    binary = sources.read_text().splitlines()[0]
    # deb-src: LLVM's pinned source is a Debian source package.
    sources.write_text(f"{binary}\n{binary.replace('deb ', 'deb-src ', 1)}\n")
    # A mirror that is a snapshot keeps a Release file past its validity.
    (root / "etc/apt/apt.conf.d/90valid-until").write_text('Acquire::Check-Valid-Until "false";\n')
    _in_root(root, "dpkg", "--configure", "-a")
    _in_root(root, "apt-get", "update", "-qq")
    _in_root(
        root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "--fix-broken",
        *debian.packages,
    )  # fmt: skip
    _in_root(root, "apt-get", "clean")
    _mend_mlir_link(root, pin.versions["llvm"].split(".")[0])
    _stamp(root).write_text(json.dumps(_versions(root, pin), indent=1) + "\n")


def _mend_mlir_link(root: Path, major: str) -> None:
    """Give Debian's dangling ``libMLIR.so`` link its target, which another folder holds."""
    for library in root.glob(f"usr/lib/*-linux-gnu/libMLIR.so.{major}.*"):
        link = root / f"usr/lib/llvm-{major}/lib" / library.name
        if not link.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(os.path.relpath(library, link.parent))


def _stamp(root: Path) -> Path:
    return root / "etc/triton-playground-toolchain.json"


def _versions(root: Path, pin: ToolchainPin) -> dict[str, str]:
    """Return the version of every pinned package; KeyError where one is not installed."""
    installed = _installed(root)
    return {package: installed[package] for package in pin.debian.packages}


def _installed(root: Path) -> dict[str, str]:
    """Read the installed packages' versions from dpkg's status file."""
    versions = {}
    for entry in (root / "var/lib/dpkg/status").read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^(Package|Status|Version): (.*)$", entry, re.MULTILINE))
        if fields.get("Status") == "install ok installed":
            versions[fields["Package"]] = fields["Version"]
    return versions


# Arguments: root, folder, cache, checkout, then variables and the command. The mounts live in a
# namespace of their own and vanish with the command.
_ENTER = """
set -e
root=$1 folder=$2; shift 2
for shared in "$1" "$2"; do
  mkdir -p "$root$shared"
  mount --bind "$shared" "$root$shared"
done
shift 2
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
exec chroot "$root" /usr/bin/env --chdir="$folder" --ignore-environment "$@"
"""


def _inside(root: Path, folder: Path, command: Sequence[str], env: Mapping[str, str]) -> list[str]:
    if os.geteuid() != 0:
        raise StageError(
            "enter toolchain",
            "entering the Debian root needs root",
            _emsdk() + "; or run it as root",
        )
    # The caller's environment stays outside: CFLAGS, PYTHONPATH or a virtual environment's PATH
    # would make the build depend on who runs it. Proxies have to come along for apt.
    variables = {
        name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")
    }
    variables |= {
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "DEBIAN_FRONTEND": "noninteractive",
        "CCACHE_DIR": str(cache_root() / "ccache"),
        **env,
    }
    return [
        "unshare", "--mount", "sh", "-c", _ENTER, "enter",
        str(root), str(folder), str(cache_root()), str(repo_root()),
        *(f"{name}={value}" for name, value in variables.items()), *command,
    ]  # fmt: skip


def _run(command: list[str], stdout: int | IO[Any] | None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, stdout=stdout, stdin=subprocess.DEVNULL, text=True, check=False
        )  # fmt: skip
    except FileNotFoundError as error:
        raise StageError(
            f"run {command[0]}", f"{error.filename} is not there", "install it, or put it on PATH"
        ) from error


def _step(*command: str | Path, shown: Sequence[str] = ()) -> None:
    """Run one step of making the root, its output on standard error."""
    words = [os.fspath(word) for word in command]
    result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if result.returncode != 0:
        raise StageError(
            _STAGE,
            f"exit status {result.returncode} from: {shlex.join(shown or words)}",
            "read its message above (network? disk?), then run it again; what is done is kept",
        )


def _in_root(root: Path, *command: str) -> None:
    _step(*_inside(root, Path("/"), command, {}), shown=command)


def main() -> int:
    """Print what is used; with ``-- COMMAND…``, run the command in it."""
    words = sys.argv[1:]
    if words and (words[0] != "--" or len(words) == 1):
        print("usage: python -m scripts.toolchain [-- COMMAND…]", file=sys.stderr)
        return 2
    tools = toolchain()
    if words:
        return tools.run(words[1:], check=False).returncode
    print(tools.describe())
    return 0


if __name__ == "__main__":
    run_main(main)
