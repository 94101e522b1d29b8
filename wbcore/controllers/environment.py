"""The environment and the arguments with which a controller starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from wbcore.controllers.program_types import Program
from wbcore.scene.node import Node
from wbcore.scene.places import instance_of
from wbcore.scene.version import Version

__all__ = ["add_libraries", "arguments_of", "environment_of"]

PACKAGES = Path(__file__).resolve().parents[2]
"""Where Python finds `controller` and `hal`."""
LISTS_SINCE = Version(2020, 2)
"""Before it, `controllerArgs` was one text."""


def arguments_of(robot: Node) -> list[str]:
    """The field `controllerArgs`: one argument per text, and one text of before R2020b split at its blanks.

    Double quotes hold an argument with blanks together.
    """
    given = robot.get("controllerArgs")
    if isinstance(given, str):
        return _split(given)
    arguments = [str(one) for one in given]
    node = instance_of(robot)
    if len(arguments) == 1 and node.source is not None and node.source.version < LISTS_SINCE:
        return _split(arguments[0])
    return arguments


def environment_of(
    program: Program, robot: str, instance: Path, project: Path, base: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """The variables of a controller that is started here, before its `runtime.ini`.

    Args:
        program: the controller.
        robot: name of the robot that it drives.
        instance: folder of the running simulation.
        project: folder of the world's project.
        base: what it inherits.
    """
    made = dict(base)
    made.pop("WEBOTS_CONTROLLER_URL", None)
    made["WEBOTS_ROBOT_NAME"] = robot
    made["WEBOTS_INSTANCE_PATH"] = f"{instance}/"
    made["WEBOTS_PROJECT"] = str(project)
    made["WEBOTS_CONTROLLER_NAME"] = program.name
    made.setdefault("WBRIDGE_PYTHON", sys.executable)  # by which libraries find remote control
    made.setdefault("PYTHONIOENCODING", "UTF-8")
    if not sys.stdout.isatty():
        # What a controller printed is not lost, and keeps its order, when it is killed.
        made.setdefault("PYTHONUNBUFFERED", "1")
    _append(made, "PYTHONPATH", [str(PACKAGES)])
    return made


def add_libraries(
    environment: dict[str, str], program: Program, project: Path, last: Path | None = None
) -> None:
    """Put the folders with shared libraries in front of the library path, `WEBOTS_LIBRARY_PATH` first, and
    one behind it that is there for what is found nowhere else."""
    folders = [*environment.get("WEBOTS_LIBRARY_PATH", "").split(":"), str(program.folder)]
    libraries = project / "libraries"
    if libraries.is_dir():
        folders += sorted(str(one) for one in libraries.iterdir() if one.is_dir())
    if home := environment.get("WEBOTS_HOME"):
        folders.append(str(Path(home) / "lib" / "controller"))
    folders += [*environment.get("LD_LIBRARY_PATH", "").split(":"), str(last or "")]
    environment["LD_LIBRARY_PATH"] = ":".join(dict.fromkeys(filter(None, folders)))


def _append(environment: dict[str, str], name: str, folders: list[str]) -> None:
    given = environment.get(name, "")
    environment[name] = ":".join(dict.fromkeys(filter(None, [*given.split(":"), *folders])))


def _split(text: str) -> list[str]:
    """Arguments of one text: blanks part them, double quotes keep them together."""
    found: list[str] = []
    word, is_quoted, is_open = "", False, False
    for character in text:
        if character == '"':
            is_quoted, is_open = not is_quoted, True
        elif character.isspace() and not is_quoted:
            if is_open:
                found.append(word)
            word, is_open = "", False
        else:
            word, is_open = word + character, True
    return [*found, word] if is_open else found
