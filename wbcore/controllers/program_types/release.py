"""Compiled controllers that Webots' makefiles leave in `build/release`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import Program, executable
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 20
LABEL = "program"


def find(folder: Path, name: str) -> Path | None:
    """Return the program below its folder."""
    return executable.find(folder / "build" / "release", name)


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """The program itself."""
    return executable.command(program, ini, environment)
