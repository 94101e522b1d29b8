"""Controllers in MATLAB, which this program cannot start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbcore.controllers.program_types import CannotStart, Program
from wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 60
LABEL = "MATLAB"


def find(folder: Path, name: str) -> Path | None:
    """Return the script named like its folder."""
    file = folder / f"{name}.m"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Refuse to start it."""
    raise CannotStart(
        f"{program.file}: MATLAB controllers cannot be started here; set the robot's controller to "
        '"<extern>" and start it yourself with Webots\' library for MATLAB'
    )
