"""Modules are imported where Python has only what it has on Windows.

Judge: the lists of names in the documentation of Python's library (tests/project/windows_names.py).
"""

import subprocess
import sys

from tests.project.files import CHECKOUT

UNIX = {
    "wbridge.hal.link.transports.pty": "pseudo terminals",
    "wbridge.live.page_run": "functions of a web page",
    "wbridge.remote_controls.emulators.emulator_server": "pseudo terminals",
    "wbridge.wbfirmware.emulators.": "emulators whose serial ports are pseudo terminals and pipes",
    "wbridge.wbfleet.grading.sandbox.": "limits and namespaces of Linux",
}
"""Modules, or starts of their names, that cannot be imported on Windows, and what they need."""


def test_modules_are_imported_without_the_names_that_windows_lacks():
    command = [sys.executable, "-W", "error", "-m", "tests.project.windows_names"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    failures = done.stdout.splitlines()
    assert [line for line in failures if not line.startswith(tuple(UNIX))] == []
    assert {start for start in UNIX if not any(line.startswith(start) for line in failures)} == set()
