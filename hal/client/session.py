"""The robot that this program controls, on which the API functions act.

A simulator that runs controllers in its process, and programs that attach a robot by themselves, replace the
robot.
"""

from __future__ import annotations

from _thread import get_ident

from wbridge.hal.client.errors import NoRobot
from wbridge.hal.reports import messages
from wbridge.hal.reports.faults import tell_faults

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from wbridge.hal.client.native import NativeRobot

    Kind = TypeVar("Kind")

__all__ = ["NoRobot", "activate", "cleanup", "current", "find", "host_controllers", "init"]

_robot: Any = None
_connect: Callable[[], Any] | None = None
_host: tuple[int | None, str] | None = None
"""Number and name of the thread of the simulator in this process that runs controllers."""


def current() -> NativeRobot:
    """The robot of this program.

    Raises:
        NoRobot: `init` was not called yet.
    """
    if _robot is None:
        _refuse_other_threads()
        tell_faults()
        raise NoRobot(messages.no_robot_yet())
    return _robot  # type: ignore[no-any-return]


def host_controllers(thread: tuple[int | None, str] | None) -> None:
    """Note number and name of the thread in which a simulator in this process runs controllers, if any."""
    global _host
    _host = thread


def _refuse_other_threads() -> None:
    """Refuse calls from threads that a controller inside the simulator's process has started.

    Raises:
        NoRobot: this is another thread than that of the controllers.
    """
    if _host is not None and _host[0] != get_ident():
        from threading import current_thread  # start-up: only for the message

        raise NoRobot(
            f"a controller that runs inside the simulator's process (`inline`) calls the API in the thread "
            f'"{current_thread().name}"; allowed: the thread of the run, "{_host[1]}". Run controllers '
            "with threads of their own as processes (without `inline`)"
        )


def activate(
    robot: object, connect: Callable[[], object] | None = None
) -> tuple[Any, Callable[[], Any] | None]:
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


def make_current(robot: object) -> None:
    """Replace the current robot by one that has just been attached."""
    activate(robot, _connect)


def init() -> NativeRobot:
    """Connect to the simulator that the environment variables name, unless already connected.

    Raises:
        SystemExit: the connection failed; the reason is on stderr.
        NoRobot: this is a thread of a controller inside the simulator's process.
    """
    _refuse_other_threads()
    if _robot is not None:
        return _robot  # type: ignore[no-any-return]
    if _connect is not None:
        return _connect()  # type: ignore[no-any-return]
    from wbridge.hal.client.native import connect  # start-up: not for inline controllers

    return connect()


def cleanup() -> None:
    """Disconnect from the simulation, if connected."""
    former, _ = activate(None, _connect)
    if former is not None:
        former.cleanup()


def find(tag: int, kind: Callable[[int], Kind]) -> Kind:
    """The device with a tag, for functions of a kind of devices, which report a tag of another one.

    Raises:
        NoRobot: `init` was not called yet.
    """
    current()
    return kind(tag)
