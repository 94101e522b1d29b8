"""Controllers in Java: a compiled class."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from wbridge.wbcore.controllers.java_release import needed_by, release_of
from wbridge.wbcore.controllers.program_types import CannotStart, Program
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni

ORDER = 30
LABEL = "Java"
LIBRARY = Path("lib", "controller", "java")
BUILT: list[Path] = []
"""The archive of wbridge's library for Java, once it is built."""


def find(folder: Path, name: str) -> Path | None:
    """Return the class file named like its folder."""
    file = folder / f"{name}.class"
    return file if file.is_file() else None


def command(program: Program, ini: RuntimeIni, environment: Mapping[str, str]) -> list[str]:
    """Return the command line of Java with the library of Webots in WEBOTS_HOME, or else wbridge's."""
    return java(program, ini, environment, program.file.parent)


def java(program: Program, ini: RuntimeIni, environment: Mapping[str, str], own: Path) -> list[str]:
    """Return the command line of a class.

    Args:
        program: the controller; its class has the same name.
        ini: may set another Java and its options.
        environment: environment of the controller.
        own: the folder or archive that contains the class.

    Raises:
        CannotStart: Java or the library is missing, or this Java is too old.
    """
    start = ini.command("java", ["java"])
    if shutil.which(start[0]) is None:
        raise CannotStart(
            f"{program.file} needs {start[0]}, which is not installed; install it, for example with: "
            "apt install default-jdk-headless"
        )
    needed, present = needed_by(program.file, program.name), release_of(start[0])
    if needed is not None and present is not None and needed > present:
        raise CannotStart(
            f"{program.file} was compiled for Java {needed}, and {start[0]} is Java {present}; compile it "
            f"again (delete it if {program.name}.java is beside it), or name a newer Java "
            f"in {ini.path}: [java], COMMAND"
        )
    library = _library(program, environment)
    archives = sorted(str(file) for file in program.folder.glob("*.jar") if file != own)
    paths = [str(library), str(own), *archives, *filter(None, [environment.get("CLASSPATH")])]
    return [
        *start,
        "-classpath",
        os.pathsep.join(paths),
        f"-Djava.library.path={library.parent}",
        program.name,
    ]


def _library(program: Program, environment: Mapping[str, str]) -> Path:
    home = environment.get("WEBOTS_HOME", "")
    library = Path(home) / LIBRARY / "Controller.jar"
    if home and library.is_file():
        return library
    if BUILT:
        return BUILT[0]
    raise CannotStart(
        f"{program.file} needs Webots' Java library: set WEBOTS_HOME to a folder that has "
        f"{LIBRARY / 'Controller.jar'}"
    )
