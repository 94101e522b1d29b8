"""Errors of the client."""

from __future__ import annotations

__all__ = ["NoRobot", "VehicleError"]


class NoRobot(RuntimeError):
    """A function of the API was called before `wb_robot_init` (in Python: before `Robot()`)."""


class VehicleError(RuntimeError):
    """The robot is not a car: parameters or devices are missing; the message lists them."""
