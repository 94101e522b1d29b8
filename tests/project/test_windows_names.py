"""Modules are imported where Python has only what it has on Windows.

Judge: the lists of names in the documentation of Python's library (tests/project/windows_names.py).
"""

import subprocess
import sys

from scripts.windows.listed import reason_for
from scripts.windows.suite import DEFAULT
from tests.project.files import CHECKOUT

UNIX = {
    **{
        f"wbridge.live.page_{name}": "functions of a web page" for name in ("emulator", "run", "verification")
    },
    "wbridge.wbcore.render.page_gl": "functions of a web page",
    "wbridge.wbfirmware.emulators.": "emulators whose serial ports are pseudo terminals and pipes",
    "wbridge.wbfleet.grading.sandbox.": "limits and namespaces of Linux",
}
"""Modules, or starts of their names, that cannot be imported on Windows, and what they need."""


def failures_of(*folders: str) -> list[str]:
    """A line for each module that cannot be imported."""
    command = [sys.executable, "-W", "error", "-m", "tests.project.windows_names", *folders]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_modules_are_imported_without_the_names_that_windows_lacks():
    failures = failures_of()
    assert [line for line in failures if not line.startswith(tuple(UNIX))] == []
    assert {start for start in UNIX if not any(line.startswith(start) for line in failures)} == set()


def test_tests_for_windows_are_imported_without_these_names():
    """All that run there, but for those that the list leaves out."""
    names = [line.partition(":")[0] for line in failures_of(*DEFAULT)]
    files = [name.replace(".", "/") + ".py" for name in names if name.rpartition(".")[2].startswith("test_")]
    assert [file for file in files if not reason_for(file)] == []
