"""`wbridge window`: show a robot on a wire in the browser, and drive it manually."""

from __future__ import annotations

import logging
import time
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import seconds_of
from wbridge.failures import DONE, InputError, RunError
from wbridge.options import Loading, WindowOptions, options
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.windows import add_network_arguments, port_of, serve_windows

if TYPE_CHECKING:
    from wbridge.hal.manual_guard import GuardedManualRobot
    from wbridge.hal.manual_robot import ManualRobot
    from wbridge.wbcore.scene.load import World
    from wbridge.wbcore.scene.node import Node
    from wbridge.wbcore.tables.device_tables import DeviceTable
    from wbridge.wbcore.windows.remote_handler import RemoteHandler

HELP = "show a real robot in the browser, and drive it by hand"

_LOG = logging.getLogger("wbridge")
_PLUGIN = "wblink"
_PLUGIN_OPTIONS = ("watchdog", "patience")
"""URL options for the plugin, not for the transport."""
_NONE = ("", "void", "<none>", "none")
_TABLE_S = 5.0
"""Maximum time (s) to wait for the robot's table."""
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
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Show the robot until a signal arrives."""
    from wbridge.running.remote_windows import attach_manual
    from wbridge.running.signals import ending
    from wbridge.running.world import choose_robot, load

    warn_of_passwords([args.url])
    world = load(args.world, options(Loading, args)) if args.world is not None else None
    node = choose_robot(world, args.robot) if world is not None else None
    with ExitStack() as stack:
        windows = stack.enter_context(
            serve_windows(options(WindowOptions, args, windows=True, view=False, port_windows=args.port))
        )
        robot = _manual_robot(args, world, node)
        stack.callback(robot.close)
        if not robot.start(args.url):
            raise RunError("the robot cannot be reached")
        handler = attach_manual(windows, robot, world, node)
        over = []
        stack.enter_context(ending(lambda: over.append(True)))
        _attend(robot, handler, args.duration, over)
    return DONE


def _attend(
    robot: ManualRobot | GuardedManualRobot, handler: RemoteHandler, duration: float | None, over: list[bool]
) -> None:
    """Step until the end.

    Raises:
        RunError: the connection to the robot is lost.
    """
    from wbridge.running.remote_windows import take_manual_step

    step_ms = max(_SHORTEST_MS, round(float(robot.table.robot.constants["basicTimeStep"])))
    start = time.monotonic()
    while not over and (duration is None or time.monotonic() - start < duration):
        handler.poll()
        step = robot.step(step_ms)
        take_manual_step(handler, step)
        if step.has_failed:
            raise RunError("the connection to the robot is lost")


def _manual_robot(
    args: Namespace, world: World | None, node: Node | None
) -> ManualRobot | GuardedManualRobot:
    """Return the robot under manual control.

    Raises:
        InputError: the plugin does not exist, or the robot's devices are unknown.
    """
    from wbridge.hal.manual_guard import GuardedManualRobot
    from wbridge.hal.manual_robot import ManualRobot, PluginError
    from wbridge.hal.remote_plugins import is_guarded

    named = args.plugin or (str(node.get("remoteControl")) if node is not None else "")
    plugin = _PLUGIN if named in _NONE else named
    table = _table(args, world, node, plugin)
    project = str(world.project) if world is not None else ""
    try:
        kind = GuardedManualRobot if is_guarded(plugin, project) else ManualRobot
        return kind(table, plugin, project, str(world.path) if world is not None else "")
    except PluginError as problem:
        raise InputError(str(problem)) from None


def _table(args: Namespace, world: World | None, node: Node | None, plugin: str) -> DeviceTable:
    """Return the robot's device table: from the world, or from the robot itself."""
    if world is not None and node is not None:
        from wbridge.wbcore.tables.device_tables import device_table

        return device_table(node, world)
    if plugin != _PLUGIN:
        raise InputError(
            f'a robot with the remote control "{plugin}" cannot report its devices: name a world with '
            "it, --world WORLD"
        )
    return _table_of_robot(args.url)


def _table_of_robot(text: str) -> DeviceTable:
    from wbridge.hal.link.errors import AddressError, LinkError
    from wbridge.hal.link.read_table import read_table
    from wbridge.hal.link.transports import check_place, connect
    from wbridge.hal.link.url import parse_url

    try:
        check_place(text)
        url = parse_url(text)
        if "table" in url.options:
            raise InputError(f"{url.text}: table: name the robot's world instead, with --world WORLD")
        options = {name: value for name, value in url.options.items() if name not in _PLUGIN_OPTIONS}
        pipe = connect(url._replace(options=options))
        try:
            table = read_table(pipe, _TABLE_S)
        finally:
            pipe.close()
    except AddressError as problem:
        raise InputError(str(problem)) from None
    except LinkError as problem:
        said = str(problem)
        raise RunError(said if said.startswith(url.text) else f"{url.text}: {said}") from None
    if table is None:
        raise InputError(
            f"{url.text}: the robot has no device table: name its world with --world WORLD [--robot NAME]"
        )
    return table
