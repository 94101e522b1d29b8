"""`wbridge window`: show a robot on a wire in the browser, and drive it manually."""

from __future__ import annotations

import logging
import time
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import seconds_of
from wbridge.failures import DONE, RunError
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, WindowOptions, options
from wbridge.running.manual import AnyManualRobot, manual_robot
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.remote_windows import attach_manual, take_manual_step
from wbridge.running.signals import ending
from wbridge.running.windows import add_network_arguments, port_of, serve_windows
from wbridge.running.world import choose_robot, load
from wbridge.wbcore.windows.remote_handler import RemoteHandler

HELP = "show a real robot in the browser, and drive it by hand"

_LOG = logging.getLogger("wbridge")
_PLUGIN = "wblink"
_SHORTEST_MS = 16
"""Minimum step: shorter ones are not visible."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "url",
        metavar="URL",
        help="address of the robot, for example serial:///dev/ttyACM0?baud=115200, tcp://192.168.1.7:8080 or "
        "mqtts://user@broker/robots/ann?password_file=FILE; `wbridge ports` lists candidates",
    )
    parser.add_argument(
        "--world",
        type=Path,
        metavar="WORLD",
        help="a .wbt file that describes the robot's devices and outline (default: read from the robot)",
    )
    parser.add_argument(
        "--robot", metavar="NAME", help="name of the robot in the world (default: the only one)"
    )
    parser.add_argument(
        "--plugin",
        metavar="NAME",
        help=f"remote-control plugin (default: the field remoteControl of the world's robot, or "
        f"{_PLUGIN}, the "
        "robot link)",
    )
    parser.add_argument(
        "--port",
        type=port_of,
        metavar="N",
        help="port of the window server (default: first free one from 8765)",
    )
    parser.add_argument("--open", action="store_true", help="open the browser")
    add_network_arguments(parser, "--host")
    parser.add_argument("--duration", type=seconds_of, metavar="S", help="end after this many seconds")
    add_json(parser, "address of the page")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Show the robot until a signal arrives."""
    warn_of_passwords([args.url])
    world = load(args.world, options(Loading, args)) if args.world is not None else None
    node = choose_robot(world, args.robot) if world is not None else None
    with ExitStack() as stack:
        windows = stack.enter_context(
            serve_windows(options(WindowOptions, args, windows=True, view=False, port_windows=args.port))
        )
        robot = manual_robot(args.url, args.plugin, world, node)
        stack.callback(robot.close)
        if not robot.start(args.url):
            raise RunError("the robot cannot be reached")
        handler = attach_manual(windows, robot, world, node)
        if args.json:
            print_json({"robot": robot.table.name, "url": windows.hub.url})
        over = []
        stack.enter_context(ending(lambda: over.append(True)))
        _attend(robot, handler, args.duration, over)
    return DONE


def _attend(robot: AnyManualRobot, handler: RemoteHandler, duration: float | None, over: list[bool]) -> None:
    """Step until the end.

    Raises:
        RunError: the connection to the robot is lost.
    """
    step_ms = max(_SHORTEST_MS, round(float(robot.table.robot.constants["basicTimeStep"])))
    start = time.monotonic()
    while not over and (duration is None or time.monotonic() - start < duration):
        handler.poll()
        step = robot.step(step_ms)
        take_manual_step(handler, step)
        if step.has_failed:
            raise RunError("the connection to the robot is lost")
