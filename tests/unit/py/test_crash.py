"""What a crash of the compiler leaves behind."""

from __future__ import annotations

import pytest

from tests.corpus_cases import corpus_cases
from tests.pyodide_host import InstanceDiedError, start_pyodide


def test_a_trap_in_llvm_is_attributed_to_its_stage_and_a_new_host_compiles() -> None:
    """The pinned Triton dies on a dot for Turing; the module may trap or turn that into an exception."""
    request = next(case for case in corpus_cases() if case.file.stem == "matmul").request
    host = start_pyodide()
    try:
        report = host.compile({**request, "target": "cuda:75"})
    except InstanceDiedError as death:
        assert death.stage == "llir"
        host.close()
        host = start_pyodide()
    else:
        assert not report["ok"]
        assert report["diagnostics"][-1]["stage"] == "llir"
        assert [stage["name"] for stage in report["compilation"]["stages"]] == ["ttir", "ttgir"]
    try:
        again = host.compile({**request, "target": "cuda:80", "stop": "ttir"})
        assert again["ok"]
    finally:
        host.close()


def test_a_dead_instance_is_not_taken_for_a_python_exception() -> None:
    host = start_pyodide()
    try:
        with pytest.raises(RuntimeError, match="ZeroDivisionError") as caught:
            host.run("1 / 0")
        assert not isinstance(caught.value, InstanceDiedError)
        with pytest.raises(InstanceDiedError) as died:
            host.run(
                "import os, host\n"
                "from triton_playground.capture import captured_descriptors\n"
                "host.stage('llir')\n"
                "with captured_descriptors():\n"
                "    os.write(2, b'last words')\n"
                "    os.abort()\n"
            )
        assert (died.value.stage, died.value.written) == ("llir", "last words")
    finally:
        host.close()
