"""Those who look on, as whoever is looked at knows them: what they watch, and what they ask for."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from threading import Condition
from typing import Any, NamedTuple

__all__ = ["MOST_COMMANDS", "Command", "Watchers"]

MOST_COMMANDS = 2000
"""That wait; more are refused."""


class Command(NamedTuple):
    """What a page asks for."""

    name: str
    robot: int = -1
    """Number of the robot; -1: the whole world."""
    values: Mapping[str, Any] = {}


class Watchers:
    """Who watches, and the commands that wait; a thread puts them, another one takes them."""

    def __init__(self) -> None:
        self.is_watched = False
        """Somebody is connected."""
        self.watched: frozenset[int] = frozenset()
        """Numbers of the robots whose values are wanted."""
        self.wants_places = False
        self._commands: deque[Command] = deque()
        self._changed = Condition()

    @property
    def has_commands(self) -> bool:
        """Somebody has asked for something."""
        return bool(self._commands)

    def put(self, command: Command) -> bool:
        """Ask for something; False: too much waits already."""
        with self._changed:
            if len(self._commands) >= MOST_COMMANDS:
                return False
            self._commands.append(command)
            self._changed.notify()
        return True

    def take(self) -> list[Command]:
        """The commands since the last call, in their order."""
        if not self._commands:
            return []
        with self._changed:
            taken = list(self._commands)
            self._commands.clear()
            self._changed.notify()
        return taken
