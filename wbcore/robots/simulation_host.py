"""The host of a simulation: carries out requests about the run and learns of added and removed robots.

A simulation handles what it can by itself (reset, mode, changes of the tree) and notifies its `host`. It
requests the rest, such as the end of the run, from the host.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot

_LOG = logging.getLogger(__name__)


class SimulationHost(Protocol):
    """What a simulation needs of its host.

    Requests arrive while a supervisor's packet is handled or a step is made, so a host only queues them. It
    acts after the answer to the packet is written or the step has ended.
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
        """React to a reset to time 0; controllers continue (see `ControllerExchange.restart_time`)."""

    def mode_changed(self, mode: int) -> None:
        """The mode has changed: 0 paused, 1 real time, 2 fast. Robots have been notified."""

    def robot_added(self, robot: Robot) -> None:
        """Create a session for a robot that was added to the world, and start its controller."""

    def robot_removed(self, robot: Robot) -> None:
        """Terminate the controller of a robot that was removed from the world."""


class StandaloneHost:
    """The host of a simulation that a program steps itself: logs requests and does nothing else."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []
        """Requests so far: function name and argument."""
        self._logged: set[str] = set()

    def _note(self, request: str, value: object = None) -> None:
        self.requests.append((request, value))
        if request not in self._logged:
            self._logged.add(request)
            _LOG.warning(
                "warning: a supervisor requested %s, which needs a run: start it with wbridge run",
                request,
            )

    def quit(self, status: int) -> None:
        """See `SimulationHost.quit`."""
        self._note("quit", status)

    def reload(self) -> None:
        """See `SimulationHost.reload`."""
        self._note("reload")

    def load_world(self, path: str) -> None:
        """See `SimulationHost.load_world`."""
        self._note("load_world", path)

    def restart_controller(self, robot: Robot) -> None:
        """See `SimulationHost.restart_controller`."""
        self._note("restart_controller", robot)

    def was_reset(self) -> None:
        """Do nothing: no controller process depends on the time."""

    def mode_changed(self, mode: int) -> None:
        """Do nothing: the calling program sets the pace."""

    def robot_added(self, robot: Robot) -> None:
        """Do nothing: the calling program connects controllers."""

    def robot_removed(self, robot: Robot) -> None:
        """Do nothing: the calling program disconnects controllers."""
