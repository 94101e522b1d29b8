"""What people do to the robots of a run at a moment."""

from __future__ import annotations

from typing import NamedTuple


class Hands(NamedTuple):
    """What people do to robots at a moment."""

    drives: bool = False
    """A page drives a robot, or presses keys."""
    enabled: tuple[frozenset[tuple[int, str, int]], ...] = ()
    """Sensors that pages have enabled, robot by robot: tags, functions, periods (ms)."""
