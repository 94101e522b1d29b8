"""Exchange data between the thread of a robot's world and the thread of the server.

The world's thread publishes its latest state and takes commands between two steps; the server's thread reads
this state and adds commands. Neither waits for the other: states are replaced, lists are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from wbridge.robot_windows.messages import PageRobot
from wbridge.robot_windows.ring import Ring
from wbridge.robot_windows.subscribers import Subscribers

__all__ = ["LONGEST_LINE", "MOST_MESSAGE_BYTES", "Hub", "PageRobot", "State", "Watched", "WorldInfo"]

LONGEST_LINE = 4000
"""Maximum characters of a log line."""
MOST_LINES, MOST_LINE_BYTES = 2000, 2**20
MOST_MESSAGES, MOST_MESSAGE_BYTES = 2000, 2**24


class WorldInfo(NamedTuple):
    """The content of the pages."""

    title: str
    robots: tuple[PageRobot, ...]
    shape: Mapping[str, object]
    """Outlines of the solids, for the top view."""
    windows: Path | None
    """The folder with the project's own windows."""
    is_real: bool = False
    """True for a robot on a wire instead of a simulation."""
    has_pictures: bool = False
    """True if states include pictures of cameras."""
    scenes: Path | None = None
    """The folder with descriptions and files of the scene; None: there is no 3D view."""


class State(NamedTuple):
    """The changing state; all parts are plain data that are not modified after publishing."""

    version: int
    run: Mapping[str, object]
    """Time, mode, speed."""
    robots: Mapping[int, Mapping[str, object]]
    """Values of the watched robots, by number."""
    places: Mapping[str, object] | None
    """Poses of all objects, if requested."""
    scene: Mapping[str, Any] | None = None
    """What the 3D view shows, if requested: number, file, messages, poses."""


class Watched(NamedTuple):
    """What a page watches."""

    robots: frozenset[int] = frozenset()
    """Numbers of robots."""
    places: bool = False
    """The poses of all objects, for the drawing from above."""
    scene: bool = False
    """The 3D view."""
    drawings: frozenset[str] = frozenset()
    """Kinds of optional drawings in it."""


NOTHING = WorldInfo("", (), {}, None)


class Hub(Subscribers):
    """Connects both threads."""

    def __init__(self) -> None:
        super().__init__()
        self.world = NOTHING
        self.world_version = 0
        """Incremented for each new world; pages then reload."""
        self.state = State(0, {}, {}, None)
        self.lines: Ring[dict[str, Any]] = Ring(MOST_LINES, MOST_LINE_BYTES)
        """Output of controllers, warnings, and results of commands."""
        self.messages: Ring[tuple[str, bytes]] = Ring(MOST_MESSAGES, MOST_MESSAGE_BYTES)
        """Messages of controllers to their windows: name of the robot, message."""
        self.end = "wbridge ended unexpectedly"
        """Reason of the run's end; pages show it when the server closes."""
        self.has_windows = False
        """True after a window has subscribed to its controller's messages."""
        self._readers: dict[object, Watched] = {}
        self._lock = Lock()

    # Called by the world's thread.

    def open(self, world: WorldInfo) -> None:
        """Show a world; it replaces the current one, if any."""
        self.world = world
        self.state = State(self.state.version + 1, {}, {}, None)
        self.world_version += 1

    def publish(
        self,
        run: Mapping[str, object],
        robots: Mapping[int, Mapping[str, object]],
        places: Mapping[str, object] | None,
        scene: Mapping[str, Any] | None = None,
    ) -> None:
        """Publish the latest state; it replaces an unread one."""
        self.state = State(self.state.version + 1, run, robots, places, scene)

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Add to the log: kind "info", "warning", "error", "stdout" or "stderr"."""
        text = text[:LONGEST_LINE]
        self.lines.put({"text": text, "kind": kind, "robot": robot}, len(text) + 100)

    def send(self, robot: str, message: bytes) -> None:
        """Pass on a controller's message to its window."""
        self.messages.put((robot, message), len(message) + 100)

    def finish(self, reason: str) -> None:
        """Set the reason of the run's end, before the server is closed."""
        self.end = reason

    # Called by the server's thread.

    def newest(self) -> State:
        """The newest state."""
        return self.state

    def watch(self, reader: object, watched: Watched) -> None:
        """Set what a reader watches."""
        with self._lock:
            self._readers[reader] = watched
            self._count(self._readers.values())

    def leave(self, reader: object) -> None:
        """Remove a reader that has disconnected."""
        with self._lock:
            self._readers.pop(reader, None)
            self._count(self._readers.values())

    def _count(self, wishes: Iterable[Watched]) -> None:
        self.watched = frozenset(number for wish in wishes for number in wish.robots)
        self.wants_places = any(wish.places for wish in wishes)
        self.wants_scene = any(wish.scene for wish in wishes)
        self.drawings = frozenset(kind for wish in wishes if wish.scene for kind in wish.drawings)
        self.is_watched = bool(self._readers)
