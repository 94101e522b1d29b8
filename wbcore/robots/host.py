"""Who runs a simulation: carries out what concerns the run and hears of robots that come and go.

A simulation does what it can by itself (reset, mode, changes of the tree) and tells its `host`. What only the
host can do, it is asked for.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot

__all__ = ["Alone", "Host"]

_LOG = logging.getLogger(__name__)


class Host(Protocol):
    """What a simulation needs of whoever runs it.

    Wishes come while a request of a supervisor is handled or while a step is made, so a host only notes them:
    it acts after the answer to the request is written, and for a step in work after its end.
    """

    def quit(self, status: int) -> None:
        """End the run; the process is to return this status."""

    def reload(self) -> None:
        """Load the same world file again, with new controllers."""

    def load_world(self, path: str) -> None:
        """Load another world: an absolute path that exists."""

    def restart_controller(self, robot: Robot) -> None:
        """End the robot's controller and start it again."""

    def was_reset(self) -> None:
        """The simulation is back at time 0; controllers go on (see `ControllerExchange.restart_time`)."""

    def mode_changed(self, mode: int) -> None:
        """The mode is another: 0 paused, 1 real time, 2 fast. Robots are told already."""

    def robot_added(self, robot: Robot) -> None:
        """A robot came into the world: it needs a session and its controller."""

    def robot_removed(self, robot: Robot) -> None:
        """A robot has left the world: its controller ends."""


class Alone:
    """The host of a simulation that a program steps itself: notes the wishes, and says that nobody acts."""

    def __init__(self) -> None:
        self.wishes: list[tuple[str, Any]] = []
        """What was asked for: the name of the function, and its argument."""
        self._told: set[str] = set()

    def _note(self, wish: str, value: Any = None) -> None:
        self.wishes.append((wish, value))
        if wish not in self._told:
            self._told.add(wish)
            _LOG.warning(
                "warning: a supervisor asked for %s, which only a run can do: start it with wbridge run", wish
            )

    def quit(self, status: int) -> None:
        """See `Host.quit`."""
        self._note("quit", status)

    def reload(self) -> None:
        """See `Host.reload`."""
        self._note("reload")

    def load_world(self, path: str) -> None:
        """See `Host.load_world`."""
        self._note("load_world", path)

    def restart_controller(self, robot: Robot) -> None:
        """See `Host.restart_controller`."""
        self._note("restart_controller", robot)

    def was_reset(self) -> None:
        """Nothing else follows the time."""

    def mode_changed(self, mode: int) -> None:
        """A program that steps itself takes its own time."""

    def robot_added(self, robot: Robot) -> None:
        """A program connects controllers itself."""

    def robot_removed(self, robot: Robot) -> None:
        """A program disconnects controllers itself."""
