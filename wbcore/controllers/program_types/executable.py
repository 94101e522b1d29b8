"""Controllers that are executables: compiled programs, and scripts with an interpreter line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import Program
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 10
LABEL = "program"
PROGRAM_SUFFIX = ".exe" if sys.platform == "win32" else ""
"""The end of the names of programs."""


def find(folder: Path, name: str) -> Path | None:
    """Return the file named like its folder if it is executable; programs of Windows end in .exe."""
    file = folder / f"{name}{PROGRAM_SUFFIX}"
    return file if file.is_file() and os.access(file, os.X_OK) else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """The program itself."""
    return [str(program.file)]
