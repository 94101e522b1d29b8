"""Robots of the client in Python."""

from __future__ import annotations

import atexit
import os
import sys
from typing import TYPE_CHECKING

from wbridge.hal.client.errors import NoRobot
from wbridge.hal.client.session import activate, cleanup, current, find, init, make_current
from wbridge.hal.gateway.standalone import begin
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.reports import report
from wbridge.hal.reports.faults import tell_faults, tell_stop

if TYPE_CHECKING:
    from wbridge.hal.connection.sockets import Connection

__all__ = ["NoRobot", "activate", "attach", "cleanup", "connect", "current", "find", "init"]


def attach(connection: Connection) -> RobotHandle:
    """Connect to a simulator through an open connection and make its robot the current one."""
    report.begin()
    robot = RobotHandle(connection)
    robot.start()
    make_current(robot)
    if robot.info.window_library:
        from wbridge.hal.modes.window_plugin import (
            attach as attach_window,  # start-up: 8 ms, few robots need it
        )

        attach_window(robot)
    return robot


def connect() -> RobotHandle:
    """Connect to the simulator that the environment variables name.

    Raises:
        SystemExit: the connection failed; the reason is on stderr.
    """
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
