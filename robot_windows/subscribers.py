"""The pages that watch a run, and the queue of their commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from threading import Condition
from typing import Any, NamedTuple

__all__ = ["MOST_COMMANDS", "Command", "Subscribers"]

MOST_COMMANDS = 2000
"""Maximum queued commands; more are refused."""


class Command(NamedTuple):
    """A request of a page."""

    name: str
    robot: int = -1
    """Number of the robot; -1 for the whole world."""
    values: Mapping[str, Any] = {}
    page: int = 0
    """The page that sent it; 0: this program."""


class Subscribers:
    """The watched robots and the queued commands; one thread adds commands, another one takes them."""

    def __init__(self) -> None:
        self.is_watched = False
        """True if a page is connected."""
        self.watched: frozenset[int] = frozenset()
        """Numbers of the robots whose values are requested."""
        self.wants_places = False
        self.wants_scene = False
        self.drawings: frozenset[str] = frozenset()
        """Kinds of optional drawings that pages show in the scene."""
        self._commands: deque[Command] = deque()
        self._changed = Condition()

    @property
    def has_commands(self) -> bool:
        """True if commands are queued."""
        return bool(self._commands)

    def put(self, command: Command) -> bool:
        """Queue a command; return False if too many are queued."""
        with self._changed:
            if len(self._commands) >= MOST_COMMANDS:
                return False
            self._commands.append(command)
            self._changed.notify()
        return True

    def take(self) -> list[Command]:
        """Return the commands since the last call, in their order."""
        if not self._commands:
            return []
        with self._changed:
            taken = list(self._commands)
            self._commands.clear()
            self._changed.notify()
        return taken
