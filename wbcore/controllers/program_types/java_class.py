"""Controllers in Java: a compiled class."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from wbcore.controllers.program_types import CannotStart, Program
from wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 30
LABEL = "Java"
LIBRARY = Path("lib", "controller", "java")


def find(folder: Path, name: str) -> Path | None:
    """Return the class file named like its folder."""
    file = folder / f"{name}.class"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Return the command line of Java with Webots' library, which must be installed."""
    return java(program, ini, environment, program.file.parent)


def java(program: Program, ini: RuntimeIni, environment: Mapping[str, str], own: Path) -> list[str]:
    """Return the command line of a class.

    Args:
        program: the controller; its class has the same name.
        ini: may set another Java and its options.
        environment: environment of the controller.
        own: the folder or archive that contains the class.

    Raises:
        CannotStart: Java or the library is missing.
    """
    start = ini.command("java", ["java"])
    if shutil.which(start[0]) is None:
        raise CannotStart(f"{program.file} needs {start[0]}, which is not installed")
    home = environment.get("WEBOTS_HOME", "")
    library = Path(home) / LIBRARY / "Controller.jar"
    if not home or not library.is_file():
        raise CannotStart(
            f"{program.file} needs Webots' Java library: set WEBOTS_HOME to a folder that has "
            f"{LIBRARY / 'Controller.jar'}"
        )
    paths = [str(library), str(own), *filter(None, [environment.get("CLASSPATH")])]
    return [*start, "-classpath", ":".join(paths), f"-Djava.library.path={library.parent}", program.name]
