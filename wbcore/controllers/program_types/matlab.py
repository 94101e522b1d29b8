"""Controllers in MATLAB's language, run by GNU Octave."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.program_types import CannotStart, Program
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 60
LABEL = "MATLAB"
BUILT: list[Path] = []
"""The folder with the functions for Octave, once it is built."""
PACKAGES = "apt install octave octave-dev"


def find(folder: Path, name: str) -> Path | None:
    """Return the script named like its folder."""
    file = folder / f"{name}.m"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Return the command line of Octave with the functions of the API.

    Raises:
        CannotStart: Octave or the functions are missing.
    """
    start = ini.command("matlab", ["octave-cli"])
    if shutil.which(start[0]) is None:
        raise CannotStart(
            f"{program.file} needs GNU Octave, which is not installed ({start[0]}); install it, for "
            f"example with: {PACKAGES}"
        )
    if not BUILT:
        raise CannotStart(
            f"{program.file}: `wbridge run` builds the functions for Octave; with Webots' library for "
            'MATLAB, set the robot\'s controller to "<extern>" and start it yourself'
        )
    options = ["--quiet", "--no-init-file", "--no-site-file", "--no-history", "--no-window-system"]
    return [*start, *options, str(BUILT[0] / "launcher.m"), str(program.file)]
