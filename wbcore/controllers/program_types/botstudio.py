"""Controllers created in BotStudio, which Webots dropped in 2022."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import CannotStart, Program
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 70
LABEL = "BotStudio"


def find(folder: Path, name: str) -> Path | None:
    """Return the BotStudio file named like its folder."""
    file = folder / f"{name}.bsg"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Refuse to start it."""
    raise CannotStart(
        f"{program.file}: BotStudio controllers are not supported; write the controller in Python instead"
    )
