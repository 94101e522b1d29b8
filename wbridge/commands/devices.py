"""`wbridge devices`: print the device table of each robot of a world."""

from __future__ import annotations

import json
import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, InputError
from wbridge.progress import Progress
from wbridge.running.world import must_exist
from wbridge.text_table import columns, wrapped
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import LoadOptions, load_world
from wbridge.wbcore.scene.tables.device_tables import Channel, DeviceEntry, DeviceTable, device_tables

HELP = "print the device table of each robot of a world"

_LOG = logging.getLogger(__name__)
_HEADER = ["tag", "name", "type", "model", "channels", "constants"]
_MODEL = _HEADER.index("model")
_LINE_WIDTH = 110
"""Line width if the output is not a terminal."""
_NARROWEST = 30
_LONGEST_LIST = 6


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument("--robot", metavar="NAME", help="only robots with this name")
    parser.add_argument("--json", action="store_true", help="print the complete tables as one JSON object")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Print the tables; a world with errors is an input error."""
    with Progress(1, enabled=not (args.json or args.quiet)) as progress:
        progress.step(f"reading {args.world}")
        tables = _tables(args)
    if args.robot is not None:
        tables = _named(tables, args.robot)
    if args.json:
        _print_json(args.world, tables)
    elif not tables:
        _LOG.info("%s: this world has no robot", args.world)
    else:
        print("\n\n".join(_text(table, _width()) for table in tables))
    return DONE


def _tables(args: Namespace) -> list[DeviceTable]:
    """Return the tables of all robots of the world."""
    must_exist(args.world)
    world = load_world(args.world, LoadOptions(allow_missing=args.allow_missing, fetch=args.fetch))
    if errors := world.report.errors:
        told = "".join(f"{error}\n" for error in errors)
        raise InputError(
            f"no device table because this world has errors:\n{told}all findings: wbridge check {args.world}"
        )
    for warning in world.report.warnings:
        if warning.code == "missing-model":
            _LOG.info("%s", warning)
    return device_tables(world)


def _named(tables: list[DeviceTable], name: str) -> list[DeviceTable]:
    """Return the tables of the robots with this name.

    Raises:
        InputError: no robot has this name.
    """
    found = [table for table in tables if table.name == name]
    if not found:
        known = [table.name for table in tables]
        there = f"available: {', '.join(known)}" if known else "the world has no robot"
        raise InputError(f"no robot named '{name}'; {there}{did_you_mean(name, known)}")
    return found


def _print_json(world: Path, tables: list[DeviceTable]) -> None:
    robots = [{"name": table.name, "hash": table.hash, "table": table.to_data()} for table in tables]
    json.dump({"world": str(world), "robots": robots}, sys.stdout, indent=2)
    print()


def _width() -> int:
    """Return the number of characters per line of the output."""
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else _LINE_WIDTH


def _text(table: DeviceTable, width: int) -> str:
    """Return a line about the robot and a row per device; the last column fills the rest of `width`."""
    robot = ", ".join(filter(None, [table.robot.type, table.robot.model]))
    devices = "1 device" if len(table.devices) == 1 else f"{len(table.devices)} devices"
    title = f"{table.name} ({robot}): {devices}, table {table.short_hash}"
    if not table.devices:
        return title
    rows = [_HEADER[:-1], *(_cells(device) for device in table.devices)]
    if not any(device.model for device in table.devices):
        rows = [row[:_MODEL] + row[_MODEL + 1 :] for row in rows]
    left = max(map(len, columns(rows, right=frozenset({0}))))
    room = max(width - left - 2, _NARROWEST)
    constants = [_HEADER[-1], *(wrapped(_constants(device), room) for device in table.devices)]
    full = [[*row, cell] for row, cell in zip(rows, constants, strict=True)]
    return "\n".join([title, *columns(full, right=frozenset({0}))])


def _cells(device: DeviceEntry) -> list[str]:
    """Return the cells of a device except the constants, with one channel per line."""
    channels = "\n".join(
        f"{channel.direction:5} {channel.name} {_type(channel)}" for channel in device.channels
    )
    return [str(device.tag), device.name, device.type, device.model, channels]


def _type(channel: Channel) -> str:
    """Return the type of a channel's elements and, unless it is one, their number."""
    return channel.type + (f"[{' '.join(map(str, channel.shape))}]" if channel.shape else "")


def _constants(device: DeviceEntry) -> list[str]:
    return [f"{name} {_shown(value)}" for name, value in device.constants.items()]


def _shown(value: object) -> str:
    """Return a constant in readable form; long lists and tables by their size."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if not isinstance(value, (list, tuple)):
        return str(value) or '""'
    if value and isinstance(value[0], (list, tuple)):
        return "1 row" if len(value) == 1 else f"{len(value)} rows"
    return f"{len(value)} values" if len(value) > _LONGEST_LIST else f"[{' '.join(map(_shown, value))}]"
