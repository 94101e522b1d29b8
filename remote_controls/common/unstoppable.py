"""After what a robot without a watchdog drives on. Runs name it at their start, and so does the manual."""

from __future__ import annotations

from typing import NamedTuple


class Unstoppable(NamedTuple):
    """An event after which the robot drives on."""

    victim: str
    """What dies, as `python -m tests.remote.deaths` names it."""
    text: str
    """Ends "the robot drives on if "."""


UNSTOPPABLE = (
    Unstoppable("wire", "the connection breaks"),
    Unstoppable("all", "controller and guard are killed at the same time"),
    Unstoppable("gateway guard", "the guard and the process that watches it end or hang at the same time"),
    Unstoppable("computer", "the computer is suspended"),
)
ADVICE = "keep its power switch within reach"


def warning() -> str:
    """What a run says at its start."""
    events = " or ".join(event.text for event in UNSTOPPABLE)
    return f"a moving robot drives on if {events}: {ADVICE}"
