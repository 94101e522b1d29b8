"""A listener for transports with exactly one peer, such as serial lines and broker topics."""

from __future__ import annotations

from wbridge.hal.link.pipe import Pipe


class SingleListener:
    """Returns its one pipe once."""

    def __init__(self, url: str, pipe: Pipe) -> None:
        self.url, self._pipe = url, pipe
        self._given = False

    def accept(self) -> Pipe | None:
        """The pipe, the first time."""
        if self._given:
            return None
        self._given = True
        return self._pipe

    def fileno(self) -> int:
        """-1: there is none."""
        return -1

    def close(self) -> None:
        """Close the pipe."""
        self._pipe.close()
