"""Combine several listeners of one robot, so that controllers reach it over more than one transport."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.hal.link.pipe import Listener, Pipe


class Listeners:
    """A listener made of listeners; it has no file descriptor, so it is polled."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._all = list(listeners)
        self.url = " ".join(listener.url for listener in listeners)

    def accept(self) -> Pipe | None:
        """Return the pipe of a controller that has just connected to any of them."""
        return next((pipe for listener in self._all if (pipe := listener.accept()) is not None), None)

    def fileno(self) -> int:
        """Return -1: there is no single file descriptor."""
        return -1

    def close(self) -> None:
        """End listening."""
        for listener in self._all:
            listener.close()
