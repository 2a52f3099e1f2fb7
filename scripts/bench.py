"""Measure, and write docs/benchmarks.md: ``python -m scripts.bench [SECTION…]``.

Sections, each replacing its part of docs/benchmarks.json, from which the page is written:

sizes      the module of each Binaryen profile in the build cache: raw, gzip -9, brotli -q 9;
           and brotli -q 11 of the committed one
build      what each step of the last link here cost
page       the served page in Chromium: cold, warm, offline, through a slow line; compiles; memory
compile    compile time of the corpus in Node: every profile in the cache and the committed wheel,
           in turns, and native Triton where it is built
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import statistics
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]

from scripts import run_main
from scripts.bench_page import render
from scripts.cache import cache_root, repo_root
from scripts.chromium import chromium
from scripts.corpus import CI_FILES_ON_EVERY_TARGET, corpus_requests, file_of
from scripts.link import link_dir
from scripts.manifest import check_manifest, prebuilt_dir
from scripts.measured import read_costs
from scripts.native import native_reports
from scripts.node_batch import wasm_batch
from scripts.optimise import PROFILES

ROUNDS = 3
BENCH_TARGETS = ("cuda:80", "hip:gfx942")


def machine() -> dict[str, Any]:
    """Return what the numbers depend on: processor, cores, memory, Node."""
    cpu = "unknown"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "memory_gib": round(memory / 2**30, 1),
        "system": platform.platform(terse=True),
        "node": node.stdout.strip(),
    }


def compressed_sizes(data: bytes) -> dict[str, int]:
    """Return raw, gzip -9 and brotli quality 9 (window 24) sizes in bytes."""
    return {
        "raw": len(data),
        "gzip": len(gzip.compress(data, 9, mtime=0)),
        "brotli": len(brotli.compress(data, quality=9, lgwin=24)),
    }


def profile_wheel(profile: str) -> Path:
    """Return where `scripts.package --bench` puts the wheel of a profile."""
    return cache_root() / "bench" / f"{profile}.whl"


def committed_module() -> bytes:
    """Return the side module inside the committed wheel."""
    wheel = prebuilt_dir() / check_manifest()["wheel"]["file"]
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".so"))
        return archive.read(name)


def measure_sizes() -> dict[str, Any]:
    """Return sizes by profile; "linked" is the module before Binaryen, "wheel" the committed one."""
    modules = {"linked": link_dir() / "libtriton.wasm"}
    modules |= {profile: link_dir() / f"libtriton.{profile}.wasm" for profile in PROFILES}
    sizes = {
        name: compressed_sizes(file.read_bytes())
        for name, file in modules.items()
        if file.is_file()
    }
    module = committed_module()
    sizes["wheel"] = compressed_sizes(module)
    # What a static host that compresses ahead of time would send; minutes, so for one module only.
    sizes["wheel"]["brotli11"] = len(brotli.compress(module, quality=11, lgwin=24))
    return sizes


def measure_build() -> dict[str, Any]:
    """Return seconds, CPU seconds and peak bytes by step of the link."""
    return {step: vars(cost) for step, cost in read_costs().items()}


def measure_compile() -> dict[str, Any]:
    """Return seconds a case by build: medians of ROUNDS rounds, builds in turns in every round.

    Each round starts a process, compiles every case once ("first") and then once more ("second").
    """
    requests = {
        name: request
        for name, request in corpus_requests(BENCH_TARGETS).items()
        if file_of(request) in CI_FILES_ON_EVERY_TARGET
    }
    ordered = list(requests.values())
    wheels: dict[str, Path | None] = {"wheel": None}
    wheels |= {
        profile: profile_wheel(profile) for profile in PROFILES if profile_wheel(profile).is_file()
    }
    samples: dict[str, dict[str, list[list[float]]]] = {}
    loads: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for build, wheel in wheels.items():
            batch = wasm_batch([*ordered, *ordered], wheel)
            seconds = [_seconds(report) for report in batch["reports"]]
            kept = samples.setdefault(build, {"first": [], "second": []})
            kept["first"].append(seconds[: len(ordered)])
            kept["second"].append(seconds[len(ordered) :])
            loads.setdefault(build, []).append(batch["loadSeconds"][0])
        if (cache_root() / "build-native" / "libtriton.so").is_file():
            kept = samples.setdefault("native", {"first": [], "second": []})
            kept["first"].append([_seconds(report) for report in native_reports(ordered)])
            kept["second"].append([_seconds(report) for report in native_reports(ordered, 2)])
    return {
        "rounds": ROUNDS,
        "load_seconds": {build: statistics.median(values) for build, values in loads.items()},
        "cases": {
            name: {
                build: {
                    use: statistics.median(row[position] for row in rows)
                    for use, rows in uses.items()
                }
                for build, uses in samples.items()
            }
            for position, name in enumerate(requests)
        },
    }


def measure_page() -> dict[str, Any]:
    """Return medians over ROUNDS rounds, in seconds and bytes, and the slow network they used."""
    script = repo_root() / "tests" / "browser" / "measure_page.mjs"
    result = subprocess.run(
        ["node", str(script), str(ROUNDS)], capture_output=True, text=True, check=True,
        env={**os.environ, "CHROMIUM": str(chromium()), "PYTHON": sys.executable},
    )  # fmt: skip
    measured = json.loads(result.stdout.splitlines()[-1])
    rounds = measured["rounds"]
    return {
        "rounds": len(rounds),
        "network": measured["network"],
        **{name: statistics.median(one[name] for one in rounds) for name in rounds[0]},
    }


def _seconds(report: dict[str, Any]) -> float:
    return float(sum(stage["seconds"] for stage in report["compilation"]["stages"]))


SECTIONS = {
    "sizes": measure_sizes,
    "build": measure_build,
    "page": measure_page,
    "compile": measure_compile,
}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("section", nargs="*", choices=[*SECTIONS, []], default=[])
    data_file = repo_root() / "docs" / "benchmarks.json"
    data: dict[str, Any] = json.loads(data_file.read_text()) if data_file.is_file() else {}
    for section in parser.parse_args().section or SECTIONS:
        print(f"bench: {section}", flush=True)
        measured = SECTIONS[section]()
        if measured:
            data[section] = {"machine": machine(), "data": measured}
    data_file.parent.mkdir(exist_ok=True)
    data_file.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n")
    page = repo_root() / "docs" / "benchmarks.md"
    page.write_text(render(data))
    print(page)
    return 0


if __name__ == "__main__":
    run_main(main)
