"""Windows of a run: the server, its messages, and the browser."""

from __future__ import annotations

import logging
import re
import threading
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError, Interrupted
from wbridge.hal.installation import package_command
from wbridge.options import WindowOptions
from wbridge.running.browser import open_page
from wbridge.running.qr_code import show_code
from wbridge.wbcore.windows.allowed import NOTHING, Allowed

if TYPE_CHECKING:
    from wbridge.robot_windows.hub import PageRobot, WorldInfo
    from wbridge.robot_windows.window_process import WindowProcess
    from wbridge.wbcore.controllers.runner import Runner
    from wbridge.wbcore.scene.node import Node
    from wbridge.wbcore.windows.simulated_view import SimulatedView
    from wbridge.wbcore.windows.simulation_handler import SimulationHandler

_LOG = logging.getLogger("wbridge")


def port_of(text: str) -> int:
    """Parse a port number."""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < value < 65536:
        raise ArgumentTypeError(f"{text} is not a port; allowed: 1 to 65535")
    return value


def add_window_arguments(parser: ArgumentParser, shows: str) -> None:
    """Declare the arguments; `shows` describes the content of the windows."""
    parser.add_argument("--windows", action="store_true", help=f"show {shows}")
    parser.add_argument(
        "--port-windows",
        type=port_of,
        metavar="N",
        help="port of the window server (default: first free one from 8765)",
    )
    parser.add_argument("--open", action="store_true", help="open the browser; implies --windows")
    add_network_arguments(parser, "--host-windows")


def add_network_arguments(parser: ArgumentParser, host: str) -> None:
    """Declare the arguments that make windows reachable from other machines; `host` is the name of the
    first."""
    parser.add_argument(
        host,
        dest="host_windows",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address of the window server; 0.0.0.0 lets other devices in the network, such as a phone, "
        "open the windows (default: %(default)s, this machine only)",
    )
    parser.add_argument(
        "--allow-host",
        type=_host_name,
        action="append",
        default=[],
        metavar="NAME[:PORT]",
        help="also accept requests for this host name, for example that of a proxy or an ssh tunnel; "
        "repeatable",
    )


def _host_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?", text):
        raise ArgumentTypeError(
            f"'{text}' is not NAME or NAME:PORT, such as robots.example.org or localhost:9000"
        )
    return text


class Windows:
    """The windows of one run."""

    def __init__(
        self,
        hub: WindowProcess,
        opens: bool,
        is_open: bool = False,
        name: str = "windows",
        scenes: Path | None = None,
        allowed: Allowed = NOTHING,
    ) -> None:
        """
        Args:
            hub: the server.
            opens: open the browser.
            is_open: other machines can reach them.
            name: what the announcement calls them.
            scenes: the folder for files of the 3D view.
            allowed: what pages may write.
        """
        self.hub, self._opens = hub, opens
        self._name, self._scenes, self._allowed = name, scenes, allowed
        self.is_finished = False
        self._is_open = is_open
        """True if other machines can reach them."""

    def attach(self, runner: Runner) -> SimulationHandler:
        """Show a run, announce the address, and open the browser if requested; return what handles the
        requests of pages."""
        from wbridge.wbcore.windows.simulation_handler import SimulationHandler

        def show(handler: SimulationHandler) -> None:
            self.hub.open(world_info(handler))

        made = SimulationHandler(runner, self.hub, self.hub.take, show, self._scenes, self._allowed)
        self.announce()
        return made

    def finish(self, reason: str) -> None:
        """Show the reason of the run's end on the pages."""
        self.is_finished = True
        self.hub.finish(reason)

    def announce(self) -> None:
        """Announce the address, and open the browser if requested."""
        url = self.hub.url
        _LOG.info("%s: %s", self._name, url, extra={"is_private": True})  # with the token
        if self._is_open:
            _LOG.warning(
                "warning: other machines can open the windows; anyone with this address can drive robots, "
                "and the connection is not encrypted"
            )
            show_code(url)
        if self._opens:
            open_page(self.hub.url_once)  # other users can read the browser's command line


@contextmanager
def open_windows(chosen: WindowOptions, allowed: Allowed = NOTHING) -> Iterator[Windows | None]:
    """Serve windows within the block, if requested; else None.

    Args:
        chosen: whether and where.
        allowed: what pages may write.

    Raises:
        InputError: the port is in use, or a required package is not installed.
    """
    if not chosen.wants_windows:
        yield None
        return
    with serve_windows(chosen, allowed) as windows:
        yield windows


@contextmanager
def serve_windows(chosen: WindowOptions, allowed: Allowed = NOTHING) -> Iterator[Windows]:
    """Serve windows within the block; for the arguments see `open_windows`.

    Raises:
        InputError: the port is in use, or a required package is not installed.
    """
    from tempfile import TemporaryDirectory  # start-up: 4 ms

    if find_spec("websockets") is None:
        raise InputError(f"robot windows need the package websockets: {package_command('websockets')}")
    from wbridge.hal.folders import cache_folder
    from wbridge.robot_windows.addresses import is_loopback
    from wbridge.robot_windows.window_process import WindowProcess
    from wbridge.wbcore.windows.simulation_handler import LogTap

    loading = threading.Thread(target=_load_view, name="view", daemon=True)
    loading.start()
    try:
        served = WindowProcess(
            chosen.host_windows, chosen.port_windows, tokens=cache_folder(), names=chosen.allow_host
        )
    except OSError as problem:
        free = "" if chosen.port_windows is None else "; without --port-windows, the first free port is used"
        raise InputError(f"cannot serve windows at {chosen.host_windows}: {problem}{free}") from None
    loading.join()
    tap, root = LogTap(served), logging.getLogger()
    root.addHandler(tap)
    try:
        with served, TemporaryDirectory(prefix="wbridge-view-") as scenes:
            is_open, name = not is_loopback(chosen.host_windows), "view" if chosen.view else "windows"
            windows = Windows(served, chosen.open, is_open, name, Path(scenes), allowed)
            try:
                yield windows
                if not windows.is_finished:
                    windows.finish("the command has ended")
            except BaseException as problem:
                windows.finish(_reason(problem))
                raise
    finally:
        root.removeHandler(tap)


def _load_view() -> None:
    """Import what describes the scene, while the server's process starts: the first page waits less."""
    import_module("wbridge.wbcore.view.live")


def _reason(problem: BaseException) -> str:
    if isinstance(problem, (KeyboardInterrupt, Interrupted)):
        return "interrupted"
    return str(problem) or type(problem).__name__


def world_info(handler: SimulationHandler) -> WorldInfo:
    """Return the description of a run for its pages."""
    from wbridge.robot_windows.hub import WorldInfo

    world = handler.simulation.world
    info = world.first("WorldInfo")
    title = str(info.get("title")) if info is not None else ""
    robots = tuple(_robot(robot, handler.outlines.robot_shape(robot.robot)) for robot in handler.robots)
    folder = Path(world.project) / "plugins" / "robot_windows"
    return WorldInfo(
        title or Path(world.path).stem,
        robots,
        handler.outlines.shape(),
        folder,
        has_pictures=True,
        scenes=handler.scenes,
    )


def _robot(watched: SimulatedView, shape: dict[str, object]) -> PageRobot:
    from wbridge.robot_windows.hub import PageRobot
    from wbridge.wbcore.windows.simulated_view import table_data

    robot = watched.robot
    window = own_window(robot.node, Path(robot.simulation.world.project))
    return PageRobot(robot.number, robot.name, robot.table.robot.type, window, table_data(robot.table), shape)


def own_window(robot: Node, project: Path) -> str:
    """Return the name of the robot's own window; "" if the project has none, as for Webots' own windows."""
    name = str(robot.get("window"))
    page = project / "plugins" / "robot_windows" / name / f"{name}.html"
    return name if name not in ("", "generic") and page.is_file() else ""
