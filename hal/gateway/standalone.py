"""Controllers without a simulation: they start in remote control and cannot leave it.

`wbridge remote` starts controllers this way; it sets WBRIDGE_REMOTE_CONTROL to the argument of `set_mode`.
"""

from __future__ import annotations

import os
from typing import Protocol

VARIABLE = "WBRIDGE_REMOTE_CONTROL"
REMOTE_CONTROL = 2


class StandaloneRobot(Protocol):
    """The part of the robot that a controller without a simulation uses."""

    alone: bool

    def set_mode(self, mode: int, arg: str) -> None:
        """Select the mode: simulation or remote control."""

    def get_mode(self) -> int:
        """The mode."""


def begin(robot: StandaloneRobot) -> None:
    """Connect the robot's plugin if WBRIDGE_REMOTE_CONTROL is set.

    Raises:
        SystemExit: the connection failed; the reason is on stderr.
    """
    arg = os.environ.get(VARIABLE)
    if arg is None:
        return
    robot.alone = True
    robot.set_mode(REMOTE_CONTROL, arg)
    if robot.get_mode() != REMOTE_CONTROL:
        raise SystemExit(1)


def place(alone: bool) -> str:
    """Address of the robot that the controller started with; "" in a simulation."""
    return os.environ.get(VARIABLE, "") if alone else ""
