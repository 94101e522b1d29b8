"""Starts Python for Windows under Wine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.portable.tools import environment

__all__ = ["end_all", "start", "windows_path"]


def windows_path(path: Path) -> str:
    """Return how Wine names a file."""
    return "Z:" + str(path).replace("/", "\\")


def start(
    python: Path,
    words: Sequence[str],
    path: Sequence[Path],
    folder: Path,
    tools: Path,
    place: Path,
    more: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python under Wine to its end.

    Args:
        python: the folder of Python for Windows.
        words: its arguments.
        path: folders that it imports from.
        folder: with Wine's own files.
        tools: the folder with Wine.
        place: the folder that it runs in.
        more: further variables.
    """
    program = [str(tools / "usr" / "lib" / "wine" / "wine64"), str(python / "python.exe")]
    variables = {**_variables(folder, tools), **(more or {})}
    variables["PYTHONPATH"] = ";".join(windows_path(each) for each in path)
    variables["WINEPATH"] += f";{windows_path(python)}"  # programs that pip installs find Python in the PATH
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


def end_all(folder: Path, tools: Path) -> None:
    """End what programs under Wine have left running.

    Args:
        folder: with Wine's own files; programs of others have others.
        tools: the folder with Wine.
    """
    server = tools / "usr" / "lib" / "wine" / "wineserver"
    subprocess.run([server, "-k"], env=_variables(folder, tools), check=False)
    subprocess.run([server, "-w"], env=_variables(folder, tools), check=False)


def _variables(folder: Path, tools: Path) -> dict[str, str]:
    return {**os.environ, **environment(tools), "WINEPREFIX": str(folder / "wine")}
