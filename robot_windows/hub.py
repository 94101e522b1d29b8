"""What stands between the thread of a robot's world and the thread of the server.

The world's side publishes its newest state and takes commands between two steps; the server's side reads
that state and puts commands. Neither ever waits for the other: states replace each other, lists are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from robot_windows.ring import Ring
from robot_windows.watchers import Watchers

__all__ = ["LONGEST_LINE", "MOST_MESSAGE_BYTES", "Hub", "RobotInfo", "State", "WorldInfo"]

LONGEST_LINE = 4000
"""Characters of a line of the log."""
MOST_LINES, MOST_LINE_BYTES = 2000, 2**20
MOST_MESSAGES, MOST_MESSAGE_BYTES = 2000, 2**24


class RobotInfo(NamedTuple):
    """A robot as the pages know it; what does not change while it runs."""

    number: int
    name: str
    type: str
    window: str
    """Name of its own window; "": none."""
    table: Mapping[str, Any]
    """The device table as plain data."""
    shape: Mapping[str, Any]
    """Outline and places of sensors, for drawings."""


class WorldInfo(NamedTuple):
    """What the pages are about."""

    title: str
    robots: tuple[RobotInfo, ...]
    shape: Mapping[str, Any]
    """Outlines of the solids, for the top view."""
    windows: Path | None
    """The folder with the project's own windows."""
    is_real: bool = False
    """It is no simulation, but a robot at the other end of a wire."""
    has_pictures: bool = False
    """States tell what cameras see, too."""


class State(NamedTuple):
    """What changes all the time; all parts are plain data, and nobody changes them after publishing."""

    version: int
    run: Mapping[str, Any]
    """Time, mode, speed."""
    robots: Mapping[int, Mapping[str, Any]]
    """Values of the robots that somebody watches, by number."""
    places: Mapping[str, Any] | None
    """Where all stands, if somebody watches it."""


NOTHING = WorldInfo("", (), {}, None)


class Hub(Watchers):
    """The meeting point of both threads."""

    def __init__(self) -> None:
        super().__init__()
        self.world = NOTHING
        self.world_version = 0
        """Incremented for each new world; pages then reload."""
        self.state = State(0, {}, {}, None)
        self.lines: Ring[dict[str, Any]] = Ring(MOST_LINES, MOST_LINE_BYTES)
        """What controllers print, warnings, and what happened to commands."""
        self.messages: Ring[tuple[str, bytes]] = Ring(MOST_MESSAGES, MOST_MESSAGE_BYTES)
        """What controllers send to their windows: name of the robot, message."""
        self.end = "wbridge ended unexpectedly"
        """How the run has ended; pages show it when the server goes away."""
        self.has_windows = False
        """A window has said that it listens to its controller."""
        self._readers: dict[object, tuple[int, bool]] = {}
        self._lock = Lock()

    # The world's side.

    def open(self, world: WorldInfo) -> None:
        """Show a world; it replaces the current one, if any."""
        self.world = world
        self.state = State(self.state.version + 1, {}, {}, None)
        self.world_version += 1

    def publish(
        self,
        run: Mapping[str, Any],
        robots: Mapping[int, Mapping[str, Any]],
        places: Mapping[str, Any] | None,
    ) -> None:
        """Give the newest state; one that nobody has read yet is gone."""
        self.state = State(self.state.version + 1, run, robots, places)

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Add to the log: kind "info", "warning", "error", "stdout" or "stderr"."""
        text = text[:LONGEST_LINE]
        self.lines.put({"text": text, "kind": kind, "robot": robot}, len(text) + 100)

    def send(self, robot: str, message: bytes) -> None:
        """Pass on what a controller sends to its window."""
        self.messages.put((robot, message), len(message) + 100)

    def finish(self, reason: str) -> None:
        """Give the reason of the run's end, before the server is closed."""
        self.end = reason

    # The server's side.

    def newest(self) -> State:
        """The newest state."""
        return self.state

    def watch(self, reader: object, robot: int | None, places: bool) -> None:
        """Say what a reader wants to see: a robot by its number or None, and where all stands."""
        with self._lock:
            self._readers[reader] = (-1 if robot is None else robot, places)
            self._count(self._readers.values())

    def leave(self, reader: object) -> None:
        """A reader has gone."""
        with self._lock:
            self._readers.pop(reader, None)
            self._count(self._readers.values())

    def _count(self, wishes: Iterable[tuple[int, bool]]) -> None:
        self.watched = frozenset(robot for robot, _ in wishes if robot >= 0)
        self.wants_places = any(places for _, places in wishes)
        self.is_watched = bool(self._readers)
