"""Run emitted kernels on a real GPU and compare their results with references in fp64.

``python3 run_on_gpu.py FOLDER [--output FILE]``: FOLDER is what ``python -m scripts.verify.device emit``
wrote. Needs Python 3.11, PyTorch and an NVIDIA GPU of compute capability 9.0; no Triton. Every case
runs in a process of its own, so that a kernel that faults or hangs costs that case alone.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import platform
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
from cases import CASES, Case, Inputs
from driver import Kernel


def run_case(case: Case, folder: Path) -> list[dict[str, Any]]:
    """Run one case in this process; return a row for every result."""
    torch.zeros(1, device="cuda")
    # References must not round their operands.
    torch.backends.cuda.matmul.allow_tf32 = False
    kernels = {name: Kernel(folder, name) for name in case.kernels}
    comparisons = case.run(*kernels.values(), Inputs(seed=2026))
    return [comparison.row() for comparison in comparisons]


def run_apart(case: Case, folder: Path, seconds: float) -> dict[str, Any]:
    """Run one case in a forked process; return its rows, or why there are none."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(sender, case, folder))
    begun = time.monotonic()
    process.start()
    sender.close()
    result: dict[str, Any] = {"results": [], "error": None}
    try:
        if receiver.poll(seconds):
            result.update(receiver.recv())
        else:
            result["error"] = f"no result after {seconds:.0f} s"
    except EOFError:
        result["error"] = "the process died"
    if process.is_alive():
        process.join(5)
    process.kill()
    process.join()
    rows = result["results"]
    passed = bool(rows) and result["error"] is None and all(row["passed"] for row in rows)
    return {
        "case": case.name,
        "kernels": list(case.kernels),
        **result,
        "passed": passed,
        "seconds": round(time.monotonic() - begun, 2),
    }


def _send_result(sender: Connection, case: Case, folder: Path) -> None:
    try:
        sender.send({"results": run_case(case, folder)})
    except Exception:
        sender.send({"error": traceback.format_exc(limit=-3)})


def machine() -> dict[str, Any]:
    """Return what the results were got on; asks nvidia-smi, so that this process makes no CUDA context."""
    query = "name,driver_version,compute_cap"
    answer = subprocess.run(
        ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()[0]  # fmt: skip
    gpu, driver, capability = (part.strip() for part in answer.split(","))
    return {
        "gpu": gpu,
        "driver": driver,
        "compute_capability": capability,
        "pytorch": torch.__version__,
        "python": platform.python_version(),
    }


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, help="where the .ptx and .json files are")
    parser.add_argument("--output", type=Path, help="write the whole result here, as JSON")
    parser.add_argument("--seconds", type=float, default=60, help="time limit of a case")
    parser.add_argument("--at-once", type=int, default=4, help="cases at a time")
    parser.add_argument("--only", help="run the cases whose name begins with this")
    arguments = parser.parse_args()
    chosen = [case for case in CASES if case.name.startswith(arguments.only or "")]
    with ThreadPoolExecutor(arguments.at_once) as pool:
        cases = list(
            pool.map(lambda case: run_apart(case, arguments.folder, arguments.seconds), chosen)
        )
    for case in cases:
        print(f"{'passed' if case['passed'] else 'FAILED'}  {case['case']}  {case['error'] or ''}")
        for row in case["results"]:
            print(
                f"        {row['result']} {row['shape']}: max abs {row['max_abs_error']:.3g}, "
                f"max rel {row['max_rel_error']:.3g}, tolerance {row['tolerance']['absolute']:g} + "
                f"{row['tolerance']['relative']:g}·|x|{'' if row['passed'] else '  FAILED'}"
            )
    failed = sum(not case["passed"] for case in cases)
    manifest = json.loads((arguments.folder / "manifest.json").read_text())
    result = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "compiler": manifest,
        "cases": cases,
    }
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n")
    print(f"device: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
