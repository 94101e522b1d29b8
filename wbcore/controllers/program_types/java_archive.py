"""Controllers in Java: an archive of classes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbcore.controllers.program_types import Program, java_class
from wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 40
LABEL = "Java"


def find(folder: Path, name: str) -> Path | None:
    """The archive named as its folder."""
    file = folder / f"{name}.jar"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Java with the library of Webots, which has to be at hand."""
    return java_class.java(program, ini, environment, program.file)
