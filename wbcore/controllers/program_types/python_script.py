"""Controllers in Python."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import Program
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 50
LABEL = "Python"


def find(folder: Path, name: str) -> Path | None:
    """Return the script named like its folder."""
    file = folder / f"{name}.py"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Return the interpreter that runs the simulation, unless `runtime.ini` sets another one."""
    return [*ini.command("python", [sys.executable or "python3"]), str(program.file)]
