"""What a page has of Python is enough for its runs; found here, without building a site.

Judges: the headers of Python 3.15, which pages have (what they lack of those of Python 3.11); what Pyodide's
Python says of its modules (tests/live/page_python.py); the same worlds with all that this machine has.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

REMOVED = """
PyCFunction_Call PyEval_AcquireLock PyEval_CallFunction PyEval_CallMethod PyEval_CallObject
PyEval_CallObjectWithKeywords PyEval_ReleaseLock PyEval_ThreadsInitialized PyImport_ImportModuleNoBlock
PyModule_Create2TraceRefs PyModule_FromDefAndSpec2TraceRefs PyObject_AsCharBuffer PyObject_AsReadBuffer
PyObject_AsWriteBuffer PyObject_CheckReadBuffer PySys_AddWarnOption PySys_AddWarnOptionUnicode
PySys_AddXOption PySys_HasWarnOptions PySys_ResetWarnOptions PySys_SetPath PyToken_OneChar
PyToken_ThreeChars PyToken_TwoChars PyUnicode_AS_DATA PyUnicode_AS_UNICODE PyUnicode_AsDecodedObject
PyUnicode_AsDecodedUnicode PyUnicode_AsEncodedObject PyUnicode_AsEncodedUnicode PyUnicode_AsUnicode
PyUnicode_AsUnicodeAndSize PyUnicode_FromUnicode PyUnicode_GET_DATA_SIZE PyUnicode_GET_SIZE
PyUnicode_GetSize PyUnicode_InternImmortal PyUnicode_WCHAR_KIND PyUnicode_WSTR_LENGTH PyWeakref_GET_OBJECT
PyWeakref_GetObject
""".split()
"""Names of the headers of Python 3.11 that those of Python 3.15 lack."""
FOLDERS = ("libcontroller", "wbcore/engine/src", "wbcore/render")
"""With extension modules that pages have, too."""
WORLDS = ("two_wheels", "two_robots")
STEPS = 20


def run_as_page(steps: int, scenes: Path, *worlds: str) -> list[str]:
    """Return what the run without the names that a page lacks prints."""
    command = [sys.executable, "-m", "tests.live.page_python", str(steps), *worlds]
    done = subprocess.run(
        command,
        cwd=CHECKOUT,
        env={**os.environ, "PAGE_SCENES": str(scenes)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_no_source_calls_what_a_newer_python_has_no_more():
    name = re.compile(rf"\b(?:{'|'.join(REMOVED)})\b")
    sources = [
        file
        for one in FOLDERS
        for kind in ("c", "cpp", "h", "inc")
        for file in (CHECKOUT / one).rglob(f"*.{kind}")
    ]
    assert [file for file in sources if "PyObject" in file.read_text("utf-8")]
    found = {
        f"{file.relative_to(CHECKOUT)}: {one}"
        for file in sources
        for one in name.findall(file.read_text("utf-8"))
    }
    assert found == set()


def test_worlds_run_with_what_a_page_has_and_load_no_package_that_they_do_not_use(tmp_path: Path):
    lines = run_as_page(STEPS, tmp_path / "scenes", *WORLDS)
    assert lines == [f"{world} {STEPS} {digest(world)}" for world in WORLDS]


def digest(world: str) -> str:
    """Return the hash of a run with all that this machine has."""
    options = RunOptions(inline=True)
    with Runner(load_world(CHECKOUT / "worlds" / f"{world}.wbt"), options) as runner:
        runner.limit = STEPS
        assert runner.run().status == 0
        return runner.simulation.hash()


def test_the_workbench_gets_its_messages_with_what_a_page_has(tmp_path: Path):
    pytest.importorskip("numpy")
    (line,) = run_as_page(0, tmp_path / "scenes", "two_wheels")
    assert line.split() == ["two_wheels", "open", "str"]
