"""Programs built outside of their controller folder because the folder is read-only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import Program, executable
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 5
LABEL = "program"
BUILT: dict[Path, Path] = {}
"""The programs of this run, by controller folder."""


def find(folder: Path, name: str) -> Path | None:
    """Return the program built for a folder."""
    return BUILT.get(folder.resolve())


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """The program itself."""
    return executable.command(program, ini, environment)
