"""Keyboard, mouse and joystick: events come in by functions, and go to the controllers that enabled them."""

from __future__ import annotations

from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot


class Inputs(Part):
    """The user's devices."""

    def on_enable_joystick(self, period: int) -> None:
        """Set the sampling period in ms; 0: off."""


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return Inputs(robot)
