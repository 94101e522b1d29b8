"""Try a fault by a file of tests: as a plugin of pytest, this module lets them use changed templates."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wbridge.wbfirmware import template_folders

__all__ = ["failed_test"]

VARIABLE = "WBRIDGE_CHANGED_TEMPLATES"
FAILED = "FAILED "
"""Begins the line of a failed test."""

if VARIABLE in os.environ:
    vars(template_folders)["templates_path"] = lambda: Path(os.environ[VARIABLE])  # before others import it


def failed_test(folder: Path, file: str, text: str, wrong: str, tests: str, board: str) -> str:
    """Return the first test that fails with a fault in the templates; "": all pass.

    Args:
        folder: where the templates are copied to.
        file, text, wrong: see `Fault`.
        tests: a file of tests.
        board: those with this name are run.
    """
    changed = folder / "changed-templates"
    shutil.rmtree(changed, ignore_errors=True)
    shutil.copytree(template_folders.templates_path(), changed)
    places = [place for place in changed.rglob(file) if text in place.read_text()]
    assert places, f"no template {file} has this text"
    for place in places:
        place.write_text(wrong.join(place.read_text().rsplit(text, 1)))
    words = ["-q", "-x", "-p", __name__, "-m", "boards or not boards", "-k", board, tests]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        env=os.environ | {VARIABLE: str(changed)},
        capture_output=True,
        text=True,
    )
    lines = [line for line in run.stdout.splitlines() if line.startswith(FAILED)]
    assert lines or run.returncode == 0, run.stdout
    return lines[0].removeprefix(FAILED) if lines else ""
