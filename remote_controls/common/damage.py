"""Count what a bad line has damaged, and report it without flooding the output."""

from __future__ import annotations

from collections.abc import Callable

FACTOR = 10
"""A message follows when a count has grown by this factor."""


class DamageCount:
    """Counts dropped readings and repaired commands; reports the first, the tenth, the hundredth ..."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """
        Args:
            say: prints a message.
        """
        self._say = say
        self.readings = self.commands = 0
        self._next = 1

    def drop(self, readings: int = 1) -> None:
        """Count answers or reports that cannot be right and that the controller does not see."""
        self.readings += readings
        self._report()

    def repair(self) -> None:
        """Count a command that the robot did not receive as it was sent, and that is sent again."""
        self.commands += 1
        self._report()

    def summary(self) -> str:
        """What was damaged; "" if nothing was."""
        parts = []
        if self.readings:
            parts.append(f"dropped {_count(self.readings, 'damaged or impossible reading')}")
        if self.commands:
            parts.append(f"sent {_count(self.commands, 'damaged command')} again")
        return " and ".join(parts)

    def _report(self) -> None:
        total = self.readings + self.commands
        if total >= self._next:
            self._next = FACTOR * self._next
            self._say(f"bad line: {self.summary()} so far; check cable, distance and baud rate")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
