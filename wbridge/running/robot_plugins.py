"""Build the remote controls and robot windows of a world's robots in C and C++ before a run."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from wbridge.failures import InputError
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import robots

_LOG = logging.getLogger("wbridge")
FIELDS = {"remoteControl": "remote_controls", "window": "robot_windows"}
"""The fields of a robot that name plugins, and their folders in `plugins`."""
SUFFIXES = (".c", ".cpp", ".cc", ".cxx", ".h", ".hpp")


def build_robot_plugins(
    world: World, only: Node | None = None, remote: str = "", simulated: bool = False
) -> None:
    """Build the plugins in C and C++ whose sources are newer than their libraries.

    Args:
        world: without errors.
        only: build only this robot's plugins; None: those of all robots.
        remote: the remote control to use instead of the robot's.
        simulated: a plugin that cannot be built is only a warning, unless it has an outdated library:
            controllers can do without it.

    Raises:
        InputError: a plugin cannot be built; an outdated one is never loaded instead.
    """
    for folder in dict.fromkeys(_folders(world, only, remote)):
        if _is_current(folder):
            continue
        try:
            _build(folder)
        except InputError as problem:
            if not simulated or any(library.is_file() for library in _libraries(folder)):
                raise
            _LOG.warning("%s\nThe simulation runs without this plugin.", problem)


def _folders(world: World, only: Node | None, remote: str) -> Iterator[Path]:
    for robot in robots(world.nodes) if only is None else [only]:
        for field, kind in FIELDS.items():
            name = (remote if kind == "remote_controls" else "") or str(robot.get(field))
            folder = world.project / "plugins" / kind / name
            if name and "/" not in name and not name.startswith(("<", ".")) and folder.is_dir():
                yield folder


def _is_current(folder: Path) -> bool:
    """Return True if there is nothing to build, or the library is not older than its sources."""
    sources = [file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file()]
    if not any(source.suffix in SUFFIXES[:4] for source in sources):
        return True
    newest = max(source.stat().st_mtime for source in sources)
    return any(
        library.is_file() and library.stat().st_mtime >= newest and _is_ours(library)
        for library in _libraries(folder)
    )


def _libraries(folder: Path) -> tuple[Path, Path]:
    return (folder / f"lib{folder.name}.so", folder / f"{folder.name}.so")


def _is_ours(library: Path) -> bool:
    """Return True for a library that is linked with the present C library."""
    from wbridge.libcontroller.compiling import home_path

    return str(home_path()).encode() in library.read_bytes()


def _build(folder: Path) -> None:
    from wbridge.libcontroller.compiling import BuildError
    from wbridge.libcontroller.plugin_building import build_controller_plugin

    _LOG.info("building %s", folder)
    try:
        build_controller_plugin(folder)
    except BuildError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        where = problem.filename or folder
        raise InputError(f"cannot build {folder}: {where}: {problem.strerror or problem}") from None
