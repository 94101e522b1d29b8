"""`wbridge firmware`: makes, builds and emulates the firmware of a robot."""

from __future__ import annotations

import logging
import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, InputError, RunError

if TYPE_CHECKING:
    from hal.firmware.bench import Bench
    from hal.firmware.build import Built
    from hal.firmware.hardware import Hardware
    from wbcore.device_tables import DeviceTable

HELP = "make a robot's firmware: map its devices to a board's pins, build, emulate"

_LOG = logging.getLogger("wbridge")
_MAP = Path("hardware.toml")
_PROJECT = "firmware"
_GLANCE = 0.2
"""s between looks whether the board still runs."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "wbridge firmware new WORLD --board BOARD   write a hardware map: proposals of drivers and pins\n"
        "wbridge firmware build                     make the C project of a hardware map, and compile it\n"
        "wbridge firmware emulate                   also run it on an emulated board\n\n"
        "Lines on standard input of emulate reach the pins: drive PIN VALUE (level or volts), show PIN"
    )
    parser.add_argument("action", choices=sorted(_ACTIONS), help="what to do, see below")
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help=f"new: a .wbt file; else the hardware map (default: {_MAP})",
    )
    parser.add_argument("--robot", metavar="NAME", help="new: which robot (default: the only one)")
    parser.add_argument("--board", metavar="BOARD", default="host", help="new: the board (default: host)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help=f"new: the hardware map to write (default: {_MAP}); else the folder of the C project "
        f"(default: {_PROJECT}/ beside the hardware map)",
    )
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Do one of the actions."""
    return _ACTIONS[args.action](args)


def _new(args: Namespace) -> int:
    from hal.firmware.places import board_names
    from hal.firmware.propose import propose
    from wbcore.scene.diagnostics import did_you_mean

    if args.file is None:
        raise InputError("a world is expected: wbridge firmware new WORLD.wbt --board BOARD")
    known = board_names()
    if args.board not in known:
        raise InputError(
            f"no board '{args.board}'; there are: {', '.join(known)}{did_you_mean(args.board, known)}"
        )
    out = args.out or _MAP
    if out.exists():
        raise InputError(f"{out} exists; remove it, or name another file by --out")
    table = _table(args.file, args.robot, args)
    text = propose(table, os.path.relpath(args.file, out.parent), args.board)
    out.write_text(text, encoding="utf-8")
    _LOG.info("wrote %s: change the pins to those of your robot, then: wbridge firmware build %s", out, out)
    return DONE


def _build(args: Namespace) -> int:
    _hardware, built = _built(args)
    print(built.report)
    _LOG.info("wrote %s", built.program)
    return DONE


def _emulate(args: Namespace) -> int:
    """Run until a signal comes, or the board's program ends."""
    from hal.firmware.bench import Bench, BenchError
    from hal.firmware.host import BuildError
    from wbridge.running.signals import ending

    hardware, built = _built(args)
    try:
        with Bench(built.board, built.program, wire=hardware.link.wire) as bench, ending(bench.terminate):
            print(f'robot "{hardware.table.name}" on {built.board.title}: {bench.url}', flush=True)
            world = os.path.relpath(_world(hardware.path)[0])
            _LOG.info(
                'drive it: wbridge remote %s --robot "%s" --url %s', world, hardware.table.name, bench.url
            )
            _serve(bench)
    except (BenchError, BuildError) as problem:
        raise RunError(str(problem)) from None
    return DONE


def _serve(bench: Bench) -> None:
    """Do what standard input says, as long as the board runs."""
    import select
    import sys

    from hal.firmware.bench import BenchError

    files = [sys.stdin.fileno()]
    waiting = b""
    while bench.running:
        if not select.select(files, [], [], _GLANCE)[0]:
            continue
        data = os.read(files[0], 4096)
        *lines, waiting = (waiting + data).split(b"\n")
        if not data:
            files = []  # nobody will say anything any more
        for line in filter(bytes.strip, lines):
            try:
                print(bench.tell(line.decode(errors="replace")) or "ok", flush=True)
            except BenchError as problem:
                print(problem, flush=True)


_ACTIONS: dict[str, Callable[[Namespace], int]] = {"new": _new, "build": _build, "emulate": _emulate}


def _built(args: Namespace) -> tuple[Hardware, Built]:
    """The firmware of the hardware map, built."""
    from hal.firmware.build import build
    from hal.firmware.generate import FirmwareError
    from hal.firmware.host import BuildError

    hardware = _hardware(args)
    for device in hardware.absent:
        _LOG.info('not on the board: "%s" (%s)', device.name, device.type)
    try:
        return hardware, build(hardware, args.out or hardware.path.parent / _PROJECT)
    except (FirmwareError, BuildError) as problem:
        raise RunError(str(problem)) from None


def _hardware(args: Namespace) -> Hardware:
    """The hardware map, checked against the robot of its world."""
    from hal.firmware.hardware import load_hardware
    from hal.firmware.problems import HardwareError

    path = args.file or _MAP
    world, robot = _world(path)
    try:
        return load_hardware(path, _table(world, robot, args))
    except HardwareError as problem:
        raise InputError(str(problem)) from None


def _world(path: Path) -> tuple[Path, str]:
    """The world and the robot of a hardware map."""
    from hal.firmware.hardware import robot_of
    from hal.firmware.problems import HardwareError

    try:
        return robot_of(path)
    except HardwareError as problem:
        raise InputError(str(problem)) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(
            f"{path} cannot be read ({problem}); make one: wbridge firmware new WORLD.wbt"
        ) from None


def _table(world: Path, robot: str | None, args: Namespace) -> DeviceTable:
    """The device table of a robot of a world."""
    from wbcore.device_tables import device_table
    from wbridge.running.world import choose_robot, load

    loaded = load(Namespace(**{**vars(args), "world": world}))
    return device_table(choose_robot(loaded, robot), loaded)
