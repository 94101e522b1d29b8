"""The robot that this program controls, on which the API functions act."""

from __future__ import annotations

import atexit
import os
import sys
from _thread import get_ident
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from wbridge.hal.client.errors import NoRobot
from wbridge.hal.gateway.standalone import begin
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.reports import messages, report
from wbridge.hal.reports.faults import tell_faults, tell_stop

if TYPE_CHECKING:
    from threading import Thread

    from wbridge.hal.connection.sockets import Connection
    from wbridge.hal.modes.device import DeviceHandle

__all__ = ["NoRobot", "activate", "attach", "cleanup", "current", "find", "init", "is_hosting"]

Kind = TypeVar("Kind", bound="DeviceHandle")
_robot: RobotHandle | None = None
_connect: Callable[[], RobotHandle] | None = None
_host: Thread | None = None
"""The thread of the simulator in this process that runs controllers."""


def current() -> RobotHandle:
    """The robot of this program.

    Raises:
        NoRobot: `init` was not called yet.
    """
    if _robot is None:
        _refuse_other_threads()
        tell_faults()
        raise NoRobot(messages.no_robot_yet())
    return _robot


def host_controllers(thread: Thread | None) -> None:
    """Note the thread in which a simulator in this process runs controllers; None: there is none."""
    global _host
    _host = thread


def is_hosting() -> bool:
    """True while a simulator in this process runs controllers, or a robot is attached."""
    return _host is not None or _connect is not None or _robot is not None


def _refuse_other_threads() -> None:
    """Refuse calls from threads that a controller inside the simulator's process has started.

    Raises:
        NoRobot: this is another thread than that of the controllers.
    """
    if _host is not None and _host.ident != get_ident():
        from threading import current_thread  # start-up: only for the message

        raise NoRobot(
            f"a controller that runs inside the simulator's process (`inline`) calls the API in the thread "
            f'"{current_thread().name}"; allowed: the thread of the run, "{_host.name}". Run controllers '
            "with threads of their own as processes (without `inline`)"
        )


def activate(
    robot: RobotHandle | None, connect: Callable[[], RobotHandle] | None = None
) -> tuple[RobotHandle | None, Callable[[], RobotHandle] | None]:
    """Replace the current robot, to run several controllers in one program.

    Args:
        robot: the new robot; None: `init` creates it.
        connect: connects a robot for `init` and makes it current; None: use the environment variables.

    Returns:
        The former robot and `connect` function.
    """
    global _robot, _connect
    former, _robot, _connect = (_robot, _connect), robot, connect
    return former


def attach(connection: Connection) -> RobotHandle:
    """Connect to a simulator through an open connection and make its robot the current one."""
    report.begin()
    robot = RobotHandle(connection)
    robot.start()
    activate(robot, _connect)
    if robot.info.window_library:
        from wbridge.hal.modes.window_plugin import (
            attach as attach_window,  # start-up: 8 ms, few robots need it
        )

        attach_window(robot)
    return robot


def init() -> RobotHandle:
    """Connect to the simulator that the environment variables name, unless already connected.

    Raises:
        SystemExit: the connection failed; the reason is on stderr.
        NoRobot: this is a thread of a controller inside the simulator's process.
    """
    _refuse_other_threads()
    if _robot is not None:
        return _robot
    if _connect is not None:
        return _connect()
    robot = attach(_from_environment())
    atexit.register(cleanup)
    tell_faults()
    if "WEBOTS_INSTANCE_PATH" in os.environ:
        _print_lines()
        tell_stop()
    if "WBRIDGE_REMOTE_CONTROL" in os.environ:
        begin(robot)
    return robot


def _print_lines() -> None:
    """Flush after each line, so that lines of controllers with a shared output do not mix or get lost."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure") and not stream.isatty():
            stream.reconfigure(line_buffering=True, write_through=False)


def _from_environment() -> Connection:
    from wbridge.hal.connection.address import (  # start-up: not for inline controllers
        AddressError,
        from_environment,
    )
    from wbridge.hal.connection.connect import (  # start-up: 7 ms, not for inline controllers
        CannotConnect,
        connect,
    )

    try:
        return connect(from_environment())
    except (AddressError, CannotConnect) as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def cleanup() -> None:
    """Disconnect from the simulation, if connected."""
    former, _ = activate(None, _connect)
    if former is not None:
        former.cleanup()


def find(tag: int, node_type: type[Kind], function: str) -> Kind | None:
    """The device with a tag; None, with an error message, if its type does not match the function."""
    return current().find(tag, node_type, function)
