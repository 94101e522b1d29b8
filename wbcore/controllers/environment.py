"""Environment and command-line arguments of a controller."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from wbridge.hal import startup
from wbridge.hal.breakpoints import set_variables
from wbridge.hal.folders import import_folder
from wbridge.wbcore.controllers.program_types import Program
from wbridge.wbcore.controllers.webots_home import webots_home
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.scene.version import Version

LISTS_SINCE = Version(2020, 2)
"""The first release in which `controllerArgs` is a list; before, it was one string."""


def arguments_of(robot: Node) -> list[str]:
    """Return the arguments in the field `controllerArgs`: one per string; before R2020b, one string split at
    spaces.

    Double quotes keep an argument with spaces together.
    """
    given = robot.get("controllerArgs")
    if isinstance(given, str):
        return _split(given)
    arguments = [str(argument) for argument in given]
    node = instance_of(robot)
    if len(arguments) == 1 and node.source is not None and node.source.version < LISTS_SINCE:
        return _split(arguments[0])
    return arguments


LIBRARY_PATHS = {"win32": "PATH", "darwin": "DYLD_LIBRARY_PATH"}
"""Variables in which systems search libraries, where it is not LD_LIBRARY_PATH."""


def environment_of(
    program: Program, robot: str, instance: Path, project: Path, base: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the environment variables of a controller started here, before its `runtime.ini` applies.

    Args:
        program: the controller.
        robot: name of the robot.
        instance: folder of the running simulation.
        project: folder of the world's project.
        base: the inherited environment.
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
        # Output is neither lost nor reordered when the controller is killed.
        made.setdefault("PYTHONUNBUFFERED", "1")
    set_variables(made)
    _set_python_path(made)
    set_home(made)
    return made


def _set_python_path(environment: dict[str, str]) -> None:
    """Let Python find `controller` after the user's modules, and before all hal/startup/sitecustomize.py."""
    given = environment.get("PYTHONPATH", "").split(os.pathsep)
    folders = [str(Path(startup.__file__).parent), *given, str(import_folder())]
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, folders)))


def set_home(environment: MutableMapping[str, str]) -> None:
    """Set WEBOTS_HOME unless the user has set it, for example to an installed Webots."""
    if not environment.get("WEBOTS_HOME") and (home := webots_home()) is not None:
        environment["WEBOTS_HOME"] = str(home)


def add_libraries(
    environment: dict[str, str], program: Program, project: Path, last: Path | None = None
) -> None:
    """Prepend folders of shared libraries to the library path, `WEBOTS_LIBRARY_PATH` first, and append the
    fallback folder."""
    folders = [*environment.get("WEBOTS_LIBRARY_PATH", "").split(os.pathsep), str(program.folder)]
    libraries = project / "libraries"
    if libraries.is_dir():
        folders += sorted(str(file) for file in libraries.iterdir() if file.is_dir())
    if home := environment.get("WEBOTS_HOME"):
        folders.append(str(Path(home) / "lib" / "controller"))
    name = LIBRARY_PATHS.get(sys.platform, "LD_LIBRARY_PATH")
    folders += [*environment.get(name, "").split(os.pathsep), str(last or "")]
    environment[name] = os.pathsep.join(dict.fromkeys(filter(None, folders)))


def _split(text: str) -> list[str]:
    """Split a string at spaces; double quotes keep an argument together."""
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
