"""A listener on a wire that has exactly one other end, as serial lines and topics of a broker do."""

from __future__ import annotations

from hal.link.pipe import Pipe

__all__ = ["SingleListener"]


class SingleListener:
    """Gives its one pipe once."""

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
        """There is none."""
        return -1

    def close(self) -> None:
        """End the pipe."""
        self._pipe.close()
