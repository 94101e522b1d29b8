"""Controllers that were started to drive a real robot: they begin in remote control, with no simulation to go
back to.

Who starts a controller so (see `wbridge remote`) sets WBRIDGE_REMOTE_CONTROL to the argument of `set_mode`.
"""

from __future__ import annotations

import os
from typing import Protocol

__all__ = ["VARIABLE", "begin", "place"]

VARIABLE = "WBRIDGE_REMOTE_CONTROL"
REMOTE_CONTROL = 2


class LoneRobot(Protocol):
    """The robot as it begins alone."""

    alone: bool

    def set_mode(self, mode: int, arg: str) -> None:
        """Choose what stands behind the API."""

    def get_mode(self) -> int:
        """What stands behind the API."""


def begin(robot: LoneRobot) -> None:
    """Let the robot's plugin connect, if the environment says so.

    Raises:
        SystemExit: it cannot; the reason is on stderr.
    """
    arg = os.environ.get(VARIABLE)
    if arg is None:
        return
    robot.alone = True
    robot.set_mode(REMOTE_CONTROL, arg)
    if robot.get_mode() != REMOTE_CONTROL:
        raise SystemExit(1)


def place(alone: bool) -> str:
    """Where the robot is with which the controller began; "" for controllers in a simulation."""
    return os.environ.get(VARIABLE, "") if alone else ""
