"""Controllers in Java: a class archive."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import Program, java_class
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 40
LABEL = "Java"


def find(folder: Path, name: str) -> Path | None:
    """Return the archive named like its folder."""
    file = folder / f"{name}.jar"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Return the command line of Java with Webots' library, which must be installed."""
    return java_class.java(program, ini, environment, program.file)
