"""Windows of a run: the server, what it is told, and the browser."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbridge.failures import InputError

if TYPE_CHECKING:
    from robot_windows.hub import RobotInfo, WorldInfo
    from robot_windows.outside import WindowProcess
    from wbcore.controllers.runner import Runner
    from wbcore.scene.node import Node
    from wbcore.windows.desk import Desk
    from wbcore.windows.watch import WatchedRobot

__all__ = [
    "Windows",
    "add_window_arguments",
    "open_windows",
    "own_window",
    "port_of",
    "serve_windows",
    "wants_windows",
    "world_info",
]

_LOG = logging.getLogger("wbridge")


def port_of(text: str) -> int:
    """A port's number of an argument."""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < value < 65536:
        raise ArgumentTypeError(f"{text} is no port; allowed are 1 to 65535")
    return value


def add_window_arguments(parser: ArgumentParser, shows: str) -> None:
    """Declare the arguments; `shows` says what windows show."""
    parser.add_argument("--windows", action="store_true", help=f"show {shows}")
    parser.add_argument(
        "--port-windows",
        type=port_of,
        metavar="N",
        help="port of the windows (default: first free one from 8765)",
    )
    parser.add_argument("--open", action="store_true", help="open the browser; implies --windows")


class Windows:
    """The windows of one run."""

    def __init__(self, hub: WindowProcess, opens: bool) -> None:
        self.hub, self._opens = hub, opens

    def print(self, robot: str, text: str, is_error: bool) -> None:
        """Show what a controller prints."""
        for line in text.removesuffix("\n").split("\n"):
            self.hub.say(line, "stderr" if is_error else "stdout", robot)

    def attach(self, runner: Runner) -> None:
        """Show a run, say where, and open the browser if that was wished for."""
        from wbcore.windows.desk import Desk

        Desk(runner, self.hub, self.hub.take, lambda desk: self.hub.open(world_info(desk)))
        self.announce()

    def announce(self) -> None:
        """Say where they are, and open the browser if that was wished for."""
        _LOG.info("windows: %s", self.hub.url, extra={"is_private": True})  # it tells the token
        if self._opens:
            import webbrowser

            webbrowser.open(self.hub.url)


@contextmanager
def open_windows(args: Namespace) -> Iterator[Windows | None]:
    """Serve windows while the block runs; None when none were asked for.

    Raises:
        InputError: the port is taken, or the package that serves them is not installed.
    """
    if not wants_windows(args):
        yield None
        return
    with serve_windows(args.port_windows, args.open) as windows:
        yield windows


def wants_windows(args: Namespace) -> bool:
    """True when one of the arguments says so."""
    return bool(args.windows or args.open or args.port_windows is not None)


@contextmanager
def serve_windows(port: int | None, opens: bool) -> Iterator[Windows]:
    """Serve windows while the block runs.

    Raises:
        InputError: the port is taken, or the package that serves them is not installed.
    """
    from importlib.util import find_spec

    if find_spec("websockets") is None:
        raise InputError("windows need the package websockets: pip install websockets")
    from hal.folders import cache_folder
    from robot_windows.outside import WindowProcess
    from wbcore.windows.desk import LogTap

    try:
        served = WindowProcess(port=port, tokens=cache_folder())
    except OSError as problem:
        free = "" if port is None else "; name no port, and the first free one is taken"
        raise InputError(f"cannot serve windows: {problem}{free}") from None
    tap, root = LogTap(served), logging.getLogger()
    root.addHandler(tap)
    try:
        with served:
            yield Windows(served, opens)
    finally:
        root.removeHandler(tap)


def world_info(desk: Desk) -> WorldInfo:
    """A run as its pages know it."""
    from robot_windows.hub import WorldInfo

    world = desk.simulation.world
    info = world.first("WorldInfo")
    title = str(info.get("title")) if info is not None else ""
    robots = tuple(_robot(one, desk.outlines.robot_shape(one.robot)) for one in desk.robots)
    folder = Path(world.project) / "plugins" / "robot_windows"
    return WorldInfo(title or Path(world.path).stem, robots, desk.outlines.shape(), folder)


def _robot(watched: WatchedRobot, shape: dict[str, Any]) -> RobotInfo:
    from robot_windows.hub import RobotInfo
    from wbcore.windows.watch import table_data

    robot = watched.robot
    window = own_window(robot.node, Path(robot.simulation.world.project))
    return RobotInfo(robot.number, robot.name, robot.table.robot.type, window, table_data(robot.table), shape)


def own_window(robot: Node, project: Path) -> str:
    """The name of the robot's own window; "": the project has none, as for windows of Webots itself."""
    name = str(robot.get("window"))
    page = project / "plugins" / "robot_windows" / name / f"{name}.html"
    return name if name not in ("", "generic") and page.is_file() else ""
