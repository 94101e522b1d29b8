"""What became of a wheel where it was tried."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Trial"]

BUILT = "nowhere: built and checked"


class Trial(NamedTuple):
    """What became of a wheel where it was installed."""

    wheel: str
    """Project and tag."""
    size: int
    """In bytes."""
    room: str = ""
    """Where it was installed; "": nowhere."""
    samples: list[str] = []
    """Sample worlds that ran there."""
    differs: str = ""
    """State hashes that differ from those of the checkout; "": none."""
    seconds: float = 0.0
    """Of processors, from the start of pip until the demo's first picture; 0: not measured."""
    left: list[str] = []
    """Files that are there after uninstalling."""

    def hashes(self) -> str:
        """Return what is to be said of the hashes."""
        return self.differs or f"{len(self.samples)} equal"

    def summary(self) -> str:
        """Return a line about it."""
        left = f"left behind: {', '.join(self.left)}" if self.left else "nothing left behind"
        return f"{self.room}: {self.hashes()}, first picture after {self.seconds:g} s of processors, {left}"

    def row(self) -> list[str]:
        """Return its cells of the table."""
        size = f"{self.size / 1e6:.2f} MB"
        if not self.room:
            return [f"`{self.wheel}`", size, BUILT, "", "", ""]
        left = ", ".join(self.left) or "nothing"
        seconds = f"{self.seconds:g} s" if self.seconds else "not measured"
        return [f"`{self.wheel}`", size, self.room, self.hashes(), seconds, left]
