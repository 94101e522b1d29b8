"""Controllers in MATLAB, which is not started from here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbcore.controllers.program_types import CannotStart, Program
from wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 60
LABEL = "MATLAB"


def find(folder: Path, name: str) -> Path | None:
    """The script named as its folder."""
    file = folder / f"{name}.m"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """There is none."""
    raise CannotStart(
        f"{program.file}: MATLAB controllers are not started; start it yourself, with Webots' library for "
        'MATLAB, as controller of a robot with controller "<extern>"'
    )
