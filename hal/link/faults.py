"""Faults of boards: why a board was reset, and how it reports this and is allowed to move again.

A board whose program has failed keeps its motors off until a controller or a person acknowledges the fault.
Over the robot link the welcome has the fault, and a request acknowledges it (docs/robot-link.md). A board
that runs its controller prints a line that `fault_in` recognizes, and the byte ACKNOWLEDGE on its wire lets
the controller start again.
"""

from __future__ import annotations

from enum import IntEnum

ACKNOWLEDGE = b"\x06"
"""What a terminal or monitor sends to a board without a link (ASCII ACK, Ctrl+F)."""
FAULT_LINE = "wbridge: fault: "
"""Begins the line of a board whose motors stay off; a text of TEXTS follows."""
FAULT_SHIFT = 4
"""Place of the fault in the flags of a welcome."""


class Fault(IntEnum):
    """Why a board keeps its motors off; the numbers are those of `enum reset_cause` in board.h."""

    BROWN_OUT = 1
    WATCHDOG = 2
    FAULT = 3
    HANG = 4


TEXTS = {
    Fault.BROWN_OUT: "brown-out: the supply voltage was too low",
    Fault.WATCHDOG: "watchdog: the program did not respond",
    Fault.FAULT: "crash: the program used a wrong address or instruction",
    Fault.HANG: "hang: the controller made no step for 0.4 s",
}
"""For people: a name and what has happened."""


def fault_text(number: int) -> str:
    """Return what has happened, also for numbers that this version does not know."""
    return TEXTS[Fault(number)] if number in list(Fault) else f"fault {number}"


def fault_in(line: str) -> Fault | None:
    """Return the fault that a line printed by a board reports, or None."""
    text = line.strip().removeprefix(FAULT_LINE)
    if text == line.strip():
        return None
    return next((fault for fault, known in TEXTS.items() if text.startswith(known)), None)
