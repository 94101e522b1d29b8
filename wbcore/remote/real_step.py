"""What happens in one step of a real robot: commands and readings of its controller."""

from __future__ import annotations

from typing import Any, NamedTuple


class RealStep(NamedTuple):
    """One step of the real robot: commands and readings of its controller."""

    elapsed: float
    """Real duration of the step in ms."""
    periods: list[tuple[int, str, int]]
    """Tags, enabling functions, ms."""
    commands: list[tuple[int, str, Any]]
    """Tags, channels, values."""
    readings: list[tuple[int, str, Any]]
    is_silent: bool = False
    """True if the robot did not answer."""
    fault: str = ""
    """Why the robot keeps its motors off; "" if it does not."""
