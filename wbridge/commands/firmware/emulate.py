"""`wbridge firmware emulate`: run a firmware on an emulated board."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.run import seconds_of
from wbridge.failures import DONE, InputError, RunError
from wbridge.hal.ready import readable
from wbridge.json_output import add_json, print_json
from wbridge.libcontroller.compiling import BuildError
from wbridge.options import BoardRun, Loading, MapOptions, options
from wbridge.running.hardware import (
    add_map_arguments,
    built_firmware,
    controller_of,
    controllers_near,
    hardware_map,
    world_of,
)
from wbridge.running.on_emulated_board import check_couplings, run_on_board
from wbridge.running.signals import ending
from wbridge.running.windows import add_window_arguments
from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.map.hardware import Hardware

HELP = "build the firmware and run it on an emulated board, with its link at a URL"

_LOG = logging.getLogger("wbridge")
_GLANCE = 0.2
"""Interval (s) at which the board is checked."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    add_map_arguments(parser, "Commands on standard input: drive PIN VALUE (level or volts), show PIN")
    parser.add_argument(
        "--simulate",
        action="store_true",
        help="connect the board's pins to the simulated robot (flavor standalone)",
    )
    parser.add_argument("--fast", action="store_true", help="with --simulate: run as fast as possible")
    parser.add_argument(
        "--duration", type=seconds_of, metavar="S", help="with --simulate: maximum simulated time, in seconds"
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="with --simulate: record every step to FILE.csv or FILE.npz",
    )
    add_window_arguments(parser, "the simulated robot in the browser, with --simulate")
    add_json(parser, "address, without --simulate,")


def run(args: Namespace) -> int:
    """Run until a signal arrives or the board's program ends."""
    if args.simulate:
        return _simulate(args)
    _check_options(args)
    hardware, built = built_firmware(options(MapOptions, args))
    try:
        with Bench(built.board, built.program, wire=hardware.link.wire) as bench, ending(bench.terminate):
            if args.json:
                print_json({"robot": hardware.table.name, "board": built.board.title, "url": bench.url})
            else:
                print(f'robot "{hardware.table.name}" on {built.board.title}: {bench.url}', flush=True)
            _LOG.info("%s", _advice(args, hardware, bench.url))
            _serve(bench)
    except (BenchError, BuildError) as problem:
        raise RunError(str(problem)) from None
    return DONE


def _check_options(args: Namespace) -> None:
    """Check that no option requires the missing --simulate.

    Raises:
        InputError: an option requires it.
    """
    used = [name for name in _OF_SIMULATION if getattr(args, name) not in (None, False)]
    given = [f"--{name.replace('_', '-')}" for name in used]
    if given:
        does = "needs" if len(given) == 1 else "need"
        raise InputError(f"{' and '.join(given)} {does} a simulation: add --simulate")


_OF_SIMULATION = ("fast", "duration", "record", "windows", "port_windows", "open")


def _advice(args: Namespace, hardware: Hardware, url: str) -> str:
    """Return what to do with a running board: a complete command."""
    file, world = str(hardware.path), os.path.relpath(world_of(hardware.path)[0])
    robot = ["--robot", hardware.table.name]
    if not hardware.flavor.controller:
        return _drive(args, world, robot, url)
    if hardware.flavor.drivers:
        command = ["wbridge", "firmware", "emulate", file, "--simulate"]
        return (
            f"its controller is running and prints to {url}; to connect the board to the simulated robot: "
            f"{shlex.join(command)}"
        )
    command = ["wbridge", "bridge", world, *robot, "--mode", "steps", "--board", file, "--url", url]
    return f"connect a simulation: {shlex.join(command)}"


def _drive(args: Namespace, world: str, robot: list[str], url: str) -> str:
    """Return how to drive a robot at a URL: with its controller, a similar one, or manually."""
    command = ["wbridge", "remote", world, *robot, "--url", url]
    if controller_of(args.file, options(Loading, args)) is not None:
        return f"drive it: {shlex.join(command)}"
    near, why = (
        controllers_near(args.file, options(Loading, args)),
        "its world names no controller for it; to drive it",
    )
    if near:
        return f"{why}: {shlex.join([*command, '--controller', near[0]])}"
    return f"{why} by hand: {shlex.join(['wbridge', 'window', url, '--world', world, *robot, '--open'])}"


def _simulate(args: Namespace) -> int:
    check_couplings(hardware_map(args.file, options(Loading, args)))
    return run_on_board(options(BoardRun, args), *built_firmware(options(MapOptions, args)))


def _serve(bench: Bench) -> None:
    """Do what standard input says, as long as the board runs."""
    files = [sys.stdin.fileno()]
    waiting = b""
    while bench.running:
        if not readable(files, _GLANCE):
            continue
        data = os.read(files[0], 4096)
        *lines, waiting = (waiting + data).split(b"\n")
        if not data:
            files = []  # end of input
        for line in filter(bytes.strip, lines):
            try:
                print(bench.tell(line.decode(errors="replace")) or "ok", flush=True)
            except BenchError as problem:
                print(problem, flush=True)
