"""Starts Python for Windows under Wine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scripts.portable.tools import environment

__all__ = ["start", "windows_path"]


def windows_path(path: Path) -> str:
    """Return how Wine names a file."""
    return "Z:" + str(path).replace("/", "\\")


def start(
    python: Path, words: Sequence[str], path: Sequence[Path], folder: Path, tools: Path, place: Path
) -> subprocess.CompletedProcess[str]:
    """Run Python under Wine to its end.

    Args:
        python: the folder of Python for Windows.
        words: its arguments.
        path: folders that it imports from.
        folder: with Wine's own files.
        tools: the folder with Wine.
        place: the folder that it runs in.
    """
    program = [str(tools / "usr" / "lib" / "wine" / "wine64"), str(python / "python.exe")]
    variables = {**os.environ, **environment(tools), "WINEPREFIX": str(folder / "wine")}
    variables["PYTHONPATH"] = ";".join(windows_path(each) for each in path)
    variables.pop("DISPLAY", None)
    return subprocess.run(
        [*program, *words],
        cwd=place,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
