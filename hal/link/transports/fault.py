"""A bad wire, to try how a robot bears it: `fault+tcp://...?seed=1&corrupt=0.03&lose=0.03`.

Each chance is per unit: bytes or whole messages are corrupted, lost, doubled or reordered, in both
directions, the same way for the same seed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from hal.link.pipe import Pipe
from hal.link.url import Url

__all__ = ["FORM", "Chances", "FaultPipe", "wrap"]

FORM = "fault+TRANSPORT://...?seed=0&corrupt=0&lose=0&double=0&reorder=0"


def chance(text: str) -> float:
    """A number from 0 to 1.

    Raises:
        ValueError: it is none.
    """
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError("expected 0 to 1")
    return value


OPTIONS: dict[str, Callable[[str], Any]] = {
    "seed": int,
    "corrupt": chance,
    "lose": chance,
    "double": chance,
    "reorder": chance,
}


class Chances(NamedTuple):
    """How likely each fault is, from 0 to 1."""

    corrupt: float = 0.0
    """Some bits are flipped."""
    lose: float = 0.0
    double: float = 0.0
    reorder: float = 0.0
    """Deliver the unit after the next one."""


class FaultPipe:
    """A pipe that does harm to what passes."""

    def __init__(self, pipe: Pipe, chances: Chances, seed: int = 0, unit: str = "message") -> None:
        """
        Args:
            pipe: the good one.
            chances: of the faults.
            seed: the same gives the same faults.
            unit: "message": what is sent at once is hit as a whole; "byte": each byte by itself.
        """
        self._pipe, self._chances, self._unit = pipe, chances, unit
        self.retry = pipe.retry
        self._random = random.Random(seed)
        self._held: dict[str, bytes] = {}
        self._waiting: deque[bytes] = deque()
        self.faults = 0
        """How many there have been."""

    def send(self, data: bytes) -> None:
        """Send, perhaps."""
        for one in self._harm("send", data):
            self._pipe.send(one)

    def receive(self, timeout: float) -> bytes | None:
        """What arrives of what was sent."""
        if not self._waiting:
            data = self._pipe.receive(timeout)
            if data is None:
                return None
            self._waiting += self._harm("receive", data)
        return self._waiting.popleft() if self._waiting else None

    def _harm(self, direction: str, data: bytes) -> list[bytes]:
        if self._unit == "message":
            return self._pass(direction, data)
        parts = (one for byte in data for one in self._pass(direction, bytes([byte])))
        whole = b"".join(parts)
        return [whole] if whole else []

    def _pass(self, direction: str, data: bytes) -> list[bytes]:
        """The result of the faults for a unit."""
        held = self._held.pop(direction, None)
        out: list[bytes] = []
        if not self._hit(self._chances.lose):
            one = self._corrupted(data) if self._hit(self._chances.corrupt) else data
            out = [one, one] if self._hit(self._chances.double) else [one]
            if held is None and self._hit(self._chances.reorder):
                self._held[direction] = out.pop()
        return out if held is None else [*out, held]

    def _hit(self, likely: float) -> bool:
        hit = likely > 0 and self._random.random() < likely
        self.faults += hit
        return hit

    def _corrupted(self, data: bytes) -> bytes:
        out = bytearray(data)
        out[self._random.randrange(len(out))] ^= self._random.randrange(1, 256)
        return bytes(out)

    def fileno(self) -> int:
        """Of the inner pipe."""
        return self._pipe.fileno()

    def close(self) -> None:
        """End the connection."""
        self._pipe.close()


def wrap(url: Url, inner: Callable[[Url], Pipe], raw: bool = False) -> Pipe:
    """The pipe of the rest of a URL, its messages harmed, or with `raw` its single bytes."""
    options = url._replace(options={k: v for k, v in url.options.items() if k in OPTIONS})
    found = options.read_options(OPTIONS)
    seed = found.pop("seed", 0)
    return FaultPipe(inner(url.without(OPTIONS)), Chances(**found), seed, "byte" if raw else "message")
