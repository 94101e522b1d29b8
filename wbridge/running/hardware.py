"""The hardware map of a command, and the firmware generated from it."""

from __future__ import annotations

import logging
import os
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import InputError, RunError
from wbridge.libcontroller.compiling import BuildError
from wbridge.options import Loading, MapOptions
from wbridge.running.world import choose_robot, load, must_exist
from wbridge.wbcore.controllers.search import controller_folder, controller_folders
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.tables.device_tables import DeviceTable, device_table
from wbridge.wbfirmware.bringup.session import as_slave
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.generate import FirmwareError
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware, robot_of
from wbridge.wbfirmware.problems import HardwareError, read_source

MAP = Path("hardware.toml")
"""Default hardware map."""
_LOG = logging.getLogger("wbridge")
MOST_NAMED = 5
"""Maximum files of a folder in a message."""
WORLD = ".wbt"
"""Suffix of worlds."""
MAP_NEARNESS = 0.75
"""Minimum similarity of suggested names (0 to 1): all have the same suffix."""
PROJECT = "firmware"
"""The folder of the C project, beside the hardware map; maps with other names have folders of their own."""


def add_map_arguments(parser: ArgumentParser, epilog: str | None = None) -> None:
    """Declare the common arguments of actions on a hardware map; `epilog` is the end of the help."""
    parser.epilog = epilog
    parser.add_argument(
        "file", type=Path, nargs="?", default=MAP, metavar="FILE", help=f"hardware map (default: {MAP})"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help=f"folder of the C project (default: {PROJECT}/ beside {MAP}, {PROJECT}-NAME/ beside NAME.toml)",
    )
    parser.add_argument("--overwrite", action="store_true", help="overwrite edited files of the C project")
    add_loading_arguments(parser)


def project_folder(map_file: Path) -> Path:
    """Return the default folder of the C project of a hardware map; two robots must not share it."""
    return map_file.with_name(PROJECT if map_file.name == MAP.name else f"{PROJECT}-{map_file.stem}")


def built_firmware(chosen: MapOptions, slave: bool = False) -> tuple[Hardware, Built]:
    """Build the firmware of a hardware map; `slave`: for the flavor slave, whatever the map says.

    Raises:
        InputError: the map or its world cannot be read, or is invalid.
        RunError: the firmware cannot be built.
    """
    hardware = hardware_map(chosen.file, chosen)
    if slave:
        hardware = as_slave(hardware)
    for device in hardware.absent:
        _LOG.info('not on the board: "%s" (%s)', device.name, device.type)
    for doubt in hardware.doubts:
        _LOG.warning("%s:%d: warning: %s", hardware.path, doubt.line, doubt.text)
    try:
        return hardware, build(hardware, chosen.out or project_folder(hardware.path), chosen.overwrite)
    except (FirmwareError, BuildError) as problem:
        raise RunError(str(problem)) from None


def hardware_map(file: Path, loading: Loading, needs_controller: bool = True) -> Hardware:
    """Read the hardware map `file` and check it against the robot of its world; `needs_controller`: also that
    its controller exists.

    Raises:
        InputError: the map or its world cannot be read, or is invalid.
    """
    world, robot = world_of(file)
    try:
        loaded = load(world, loading)
        with _at(file, "robot"):
            node = choose_robot(loaded, robot)
        table, controller = device_table(node, loaded), controller_folder(loaded, node)
        return load_hardware(file, table, controller, needs_controller)
    except HardwareError as problem:
        raise InputError(str(problem)) from None


def controller_of(file: Path, loading: Loading) -> Path | None:
    """Return the folder of the controller of the map's robot in its world, or where it should be, if any.

    Raises:
        InputError: the map or its world cannot be read.
    """
    world, robot = world_of(file)
    loaded = load(world, loading)
    return controller_folder(loaded, choose_robot(loaded, robot))


def controllers_near(file: Path, loading: Loading) -> list[str]:
    """Return controllers beside the world of `file` with a similar name.

    Raises:
        InputError: the map or its world cannot be read.
    """
    path, robot = world_of(file)
    loaded = load(path, loading)
    folders = controller_folders(loaded, choose_robot(loaded, robot))
    beside = (file for folder in folders for file in sorted(folder.glob("*")))
    return [file.name for file in beside if file.is_dir() and file.name.startswith(path.stem)]


def world_of(path: Path) -> tuple[Path, str]:
    """Return the world and the robot name of a hardware map.

    Raises:
        InputError: the map cannot be read, or lacks them.
    """
    if not path.is_file():
        raise InputError(_no_map(path))
    if path.suffix == WORLD:
        raise InputError(f"{path} is a world, not a hardware map; {_advice(path)}")
    try:
        world, robot = robot_of(path)
    except HardwareError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot read {path}: {problem.strerror}") from None
    with _at(path, "world"):
        must_exist(world)
    return world, robot


@contextmanager
def _at(path: Path, key: str) -> Iterator[None]:
    """Attribute errors within the block to a key of a hardware map."""
    try:
        yield
    except InputError as problem:
        raise InputError(f"{path}:{read_source(path).line(key)}: {key}: {problem}") from None


def _advice(world: Path) -> str:
    """List nearby hardware maps and the command that creates one."""
    folders = (world.parent, world.absolute().parent.parent)
    there = [os.path.relpath(file) for folder in folders for file in sorted(folder.glob("*.toml"))]
    listed = f"available: {', '.join(there[:MOST_NAMED])}; " if there else ""
    return f"{listed}create one: wbridge firmware new {shlex.quote(str(world))}"


def _no_map(path: Path) -> str:
    """Return the message for a missing hardware map: the nearest one, and how to create it."""
    is_folder = path.is_dir()
    folder = path if is_folder else path.parent
    there = [str(file) for file in sorted(folder.glob("*.toml"))]
    listed = f"; available: {', '.join(there[:MOST_NAMED])}" if there else ""
    near = did_you_mean(path.name, [Path(text).name for text in there], MAP_NEARNESS)
    what = " is a folder, not a hardware map" if is_folder else ": no such file"
    world = next(
        (file for file in sorted([*folder.glob("*.wbt"), *folder.glob("worlds/*.wbt")])), "WORLD.wbt"
    )
    out = f" --out {shlex.quote(str(path))}" if not is_folder and path != MAP else ""
    return f"{path}{what}{near or listed}; create one: wbridge firmware new {shlex.quote(str(world))}{out}"


def need_folder(path: Path) -> None:
    """Check that the folder of a file exists.

    Raises:
        InputError: the folder does not exist.
    """
    if not path.parent.is_dir():
        make = shlex.join(["mkdir", "-p", str(path.parent)])
        raise InputError(f"{path}: folder {path.parent} does not exist; create it: {make}")


def robot_in(world: Path, robot: str | None, loading: Loading) -> tuple[DeviceTable, Path | None]:
    """Return the device table of a robot of a world, and the folder of its controller or where it should be,
    if any.

    Raises:
        InputError: the world has errors or lacks the robot.
    """
    loaded = load(world, loading)
    node = choose_robot(loaded, robot)
    return device_table(node, loaded), controller_folder(loaded, node)
