"""Builds controllers in C and C++ before a run, when their sources are newer than their programs."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError

if TYPE_CHECKING:
    from wbcore.scene.load import World
    from wbcore.scene.node import Node

__all__ = ["SUFFIXES", "build_controllers", "build_late"]

_LOG = logging.getLogger("wbridge")
SUFFIXES = (".c", ".cpp", ".cc", ".cxx")
RELEASE = Path("build", "release")


def build_controllers(world: World, instead: Mapping[str, str], only: Node | None = None) -> None:
    """Build what the robots of a world need.

    Args:
        world: without errors.
        instead: controllers that take the place of those in the world, by the name of the robot.
        only: the only robot whose controller is needed; None: all.

    Raises:
        InputError: a controller cannot be built. What was built of older sources is not run instead.
    """
    for folder in dict.fromkeys(_folders(world, instead, only)):
        if not _is_current(folder):
            _build(folder)


def build_late(folder: Path) -> None:
    """Build the controller of a robot that comes during a run.

    Args:
        folder: of the controller.

    Raises:
        CannotStart: it cannot be built.
    """
    from wbcore.controllers.kinds import CannotStart

    try:
        if not _is_current(folder):
            _build(folder)
    except InputError as problem:
        raise CannotStart(str(problem)) from None


def _folders(world: World, instead: Mapping[str, str], only: Node | None) -> Iterator[Path]:
    """The folders of the controllers, as the run will find them."""
    from wbcore.controllers.search import controller_folders
    from wbcore.device_tables import robots

    for robot in robots(world.nodes) if only is None else [only]:
        name = instead.get(str(robot.get("name")), instead.get("", str(robot.get("controller"))))
        if "/" in name and Path(name).is_dir():
            yield Path(name).absolute()
        if not name or "/" in name or name.startswith("<"):
            continue
        candidates = (one / name for one in controller_folders(world, robot))
        found = next((one for one in candidates if one.is_dir()), None)
        if found is not None:
            yield found


def _is_current(folder: Path) -> bool:
    """True when a folder has nothing to build, or its program is not older than its sources."""
    sources = [one for one in folder.iterdir() if one.suffix in SUFFIXES]
    script = folder / f"{folder.name}.py"
    if not sources or (script.is_file() and script.stat().st_size > 0):
        return True
    newest = max(one.stat().st_mtime for one in (*sources, *folder.rglob("*.h"), *folder.rglob("*.hpp")))
    programs = (folder / folder.name, folder / RELEASE / folder.name)
    usable = [one for one in programs if one.is_file() and os.access(one, os.X_OK)]
    return any(one.stat().st_mtime >= newest for one in usable) and not _is_outdated(usable[0])


def _is_outdated(program: Path) -> bool:
    """True for a program whose library is not that of now, where another one can be built."""
    from hal.firmware.host import BuildError, is_outdated

    try:
        return is_outdated(program)
    except BuildError:
        return False


def _build(folder: Path) -> None:
    from hal.firmware.host import BuildError, compile_controller

    _LOG.info("building %s", folder)
    try:
        compile_controller(folder, folder / RELEASE)
    except BuildError as problem:
        raise InputError(str(problem)) from None
