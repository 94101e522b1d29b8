"""Build controllers in C and C++ before a run if their sources are newer than their programs."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from wbridge.failures import InputError
from wbridge.wbcore.controllers.program_types import CannotStart, elsewhere, matlab, program_types
from wbridge.wbcore.controllers.search import controller_folders, existing_folder
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import robots

__all__ = ["SUFFIXES", "build_controllers", "build_late"]

_LOG = logging.getLogger("wbridge")
SUFFIXES = (".c", ".cpp", ".cc", ".cxx")
RELEASE = Path("build", "release")
IS_WINDOWS = sys.platform == "win32"


def build_controllers(world: World, instead: Mapping[str, str], only: Node | None = None) -> None:
    """Build the controllers of a world's robots.

    Args:
        world: without errors.
        instead: controllers that replace those in the world, by robot name.
        only: build only this robot's controller; None: all.

    Raises:
        InputError: a controller cannot be built; an outdated program is never run instead.
    """
    robots: dict[Path, str] = {}
    for name, folder in _folders(world, instead, only):
        robots.setdefault(folder, name)
    for folder, robot in robots.items():
        try:
            if not _is_current(folder):
                _build(folder)
            _prepare(folder)
        except InputError as problem:
            if only is not None:
                raise
            without = shlex.quote(f"{robot}=<none>")
            text = f"{problem}\nTo simulate without this controller: --controller {without}"
            raise InputError(text) from None


def build_late(folder: Path) -> Path | None:
    """Build the controller of a robot that was added during the run.

    Args:
        folder: folder of the controller.

    Returns:
        The folder of the C API library if the program was built elsewhere, else None.

    Raises:
        CannotStart: the controller cannot be built.
    """
    if IS_WINDOWS or (not _sources(folder) and not _programs(folder)):
        try:
            _prepare(folder)
            return None
        except InputError as problem:
            raise CannotStart(str(problem)) from None
    from wbridge.libcontroller.compiling import BuildError, is_foreign, library_path  # start-up: 15 ms

    try:
        if not _is_current(folder):
            _build(folder)
        program = next(iter(_programs(folder)), None)
        if program is not None and _is_outdated(program):
            raise InputError(
                f"{program} cannot run here: it was built for another system or with other C++ classes, and "
                "its sources are missing; put them beside it"
            )
        return library_path().parent if program is not None and is_foreign(program) else None
    except (InputError, BuildError) as problem:
        raise CannotStart(str(problem)) from None


def _prepare(folder: Path) -> None:
    """Build what a controller needs if it is in Java or Octave; other controllers are left alone.

    Raises:
        InputError: something cannot be built; the message names the package to install.
    """
    name = folder.name
    first = next((kind.LABEL for kind in program_types() if kind.find(folder, name) is not None), None)
    has_source = (folder / f"{name}.java").is_file()
    is_java = first == "Java" or (has_source and first in (None, matlab.LABEL))
    if not is_java and (first != matlab.LABEL or matlab.BUILT):
        return
    from wbridge.running.languages import prepare_java, prepare_octave  # start-up: 15 ms

    if is_java:
        prepare_java(folder)
    else:
        prepare_octave()


def _folders(world: World, instead: Mapping[str, str], only: Node | None) -> Iterator[tuple[str, Path]]:
    """Iterate over the robots' names and the folders of their controllers, as the run will find them."""
    for robot in robots(world.nodes) if only is None else [only]:
        name = instead.get(str(robot.get("name")), instead.get("", str(robot.get("controller"))))
        if "/" in name and Path(name).is_dir():
            yield str(robot.get("name")), Path(name).absolute()
        if not name or "/" in name or name.startswith("<"):
            continue
        folder = existing_folder(name, controller_folders(world, robot))
        if folder is not None:
            yield str(robot.get("name")), folder


def _is_current(folder: Path) -> bool:
    """Return True if there is nothing to build, or the program is not older than its sources.

    On Windows, programs run as they are: a compiler is rarely there.
    """
    if IS_WINDOWS:
        return True
    sources = _sources(folder)
    script = folder / f"{folder.name}.py"
    if not sources or (script.is_file() and script.stat().st_size > 0):
        return True
    newest = max(file.stat().st_mtime for file in (*sources, *folder.rglob("*.h"), *folder.rglob("*.hpp")))
    usable = _programs(folder)
    return any(program.stat().st_mtime >= newest for program in usable[:1]) and not _is_outdated(usable[0])


def _sources(folder: Path) -> list[Path]:
    return [file for file in folder.iterdir() if file.suffix in SUFFIXES]


def _programs(folder: Path) -> list[Path]:
    """Return the executable programs of a controller, in the order in which a run finds them."""
    programs = (folder / folder.name, folder / RELEASE / folder.name)
    return [program for program in programs if program.is_file() and os.access(program, os.X_OK)]


def _is_outdated(program: Path) -> bool:
    """Return True for a program with an outdated library that can be rebuilt."""
    from wbridge.libcontroller.compiling import BuildError, is_outdated

    try:
        return is_outdated(program)
    except BuildError:
        return False


def _build(folder: Path) -> None:
    """Build where a run will search first. A program of a project that cannot be rebuilt is run as it is.

    If the controller's folder is read-only, the program is stored in the cache.

    Raises:
        InputError: it cannot be built, and there is no prebuilt program.
    """
    from wbridge.libcontroller.compiling import BuildError, compile_controller, is_foreign

    if folder.resolve() not in elsewhere.BUILT:
        _LOG.info("building %s", folder)
    programs = _programs(folder)
    into = folder if folder / folder.name in programs else folder / RELEASE
    try:
        if why := _why_not(folder):
            _build_elsewhere(folder, why)
        else:
            compile_controller(folder, into)
    except BuildError as problem:
        if not programs or not is_foreign(programs[0]) or _is_outdated(programs[0]):
            raise InputError(str(problem)) from None
        _LOG.warning("warning: %s\n%s was built elsewhere; it runs as it is", problem, programs[0])
    except OSError as problem:
        where = problem.filename or folder
        raise InputError(f"cannot build {folder}: {where}: {problem.strerror or problem}") from None


def _why_not(folder: Path) -> str:
    """Return why nothing can be written in a controller's folder; "" if it can."""
    places = [place for place in (folder, folder / RELEASE.parent, folder / RELEASE) if place.exists()]
    closed = [place for place in places if not os.access(place, os.W_OK)]
    return f"{closed[0]} is not writable by this user" if closed else ""


def _build_elsewhere(folder: Path, why: str) -> None:
    from wbridge.libcontroller.compiling import compile_controller

    program = compile_controller(folder, in_folder=False)
    if program is not None and elsewhere.BUILT.get(folder.resolve()) != program:
        _LOG.info("%s: the program is stored in %s", why, program)
        elsewhere.BUILT[folder.resolve()] = program
