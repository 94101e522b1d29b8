"""Errors of both clients."""

from __future__ import annotations

__all__ = ["NoRobot"]


class NoRobot(RuntimeError):
    """A function of the API was called before `wb_robot_init` (in Python: before `Robot()`)."""
