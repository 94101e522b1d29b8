"""A bad wire, to try how a robot bears it: `fault+tcp://...?seed=1&corrupt=0.03&lose=0.03`.

Chances apply to units: bytes of robots with protocols of their own, messages of the robot link. `at` names
single units instead, by direction and number since the connection: `at=send:120:corrupt,receive:7:insert`.
The same seed gives the same faults.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.url import Url

FORM = "fault+TRANSPORT://...?seed=0&corrupt=0&lose=0&double=0&reorder=0&insert=0&at=send:120:corrupt"
DIRECTIONS = ("send", "receive")
"""As seen by the controller."""
FAULTS = ("corrupt", "lose", "double", "reorder", "insert")
Places = dict[tuple[str, int], str]
"""Faults by direction and number of the unit, from 0."""


def chance(text: str) -> float:
    """A number from 0 to 1.

    Raises:
        ValueError: it is none.
    """
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError("expected 0 to 1")
    return value


def places(text: str) -> Places:
    """Read faults at single units, such as "send:120:corrupt,receive:7:insert".

    Raises:
        ValueError: one is invalid.
    """
    read: Places = {}
    for entry in text.split(","):
        direction, number, fault = (entry.split(":") + ["", ""])[:3]
        if direction not in DIRECTIONS or not number.isdecimal() or fault not in FAULTS:
            raise ValueError(f"expected DIRECTION:NUMBER:FAULT of {', '.join(DIRECTIONS + FAULTS)}")
        read[direction, int(number)] = fault
    return read


OPTIONS: dict[str, Callable[[str], object]] = {"seed": int, **dict.fromkeys(FAULTS, chance), "at": places}


class Chances(NamedTuple):
    """How likely each fault is, from 0 to 1."""

    corrupt: float = 0.0
    """Some bits are flipped."""
    lose: float = 0.0
    double: float = 0.0
    reorder: float = 0.0
    """Deliver the unit after the next one."""
    insert: float = 0.0
    """Deliver random bytes of the same length before the unit."""


class FaultPipe:
    """A pipe that does harm to what passes."""

    def __init__(
        self,
        pipe: Pipe,
        chances: Chances,
        seed: int = 0,
        unit: str = "message",
        at: Places | None = None,
    ) -> None:
        """
        Args:
            pipe: the good one.
            chances: of the faults.
            seed: the same gives the same faults.
            unit: "message": what is sent at once is hit as a whole; "byte": each byte by itself.
            at: faults at single units, in addition; the caller may add some later.
        """
        self._pipe, self._chances, self._unit = pipe, chances, unit
        self.retry = pipe.retry
        self._random = random.Random(seed)
        self._held: dict[str, bytes] = {}
        self._waiting: deque[bytes] = deque()
        self.at: Places = at if at is not None else {}
        self.passed = dict.fromkeys(DIRECTIONS, 0)
        """Units that have passed so far, by direction."""
        self.faults = 0
        """How many there have been."""

    def send(self, data: bytes) -> None:
        """Send, perhaps."""
        for part in self._harm("send", data):
            self._pipe.send(part)

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
        parts = (part for byte in data for part in self._pass(direction, bytes([byte])))
        whole = b"".join(parts)
        return [whole] if whole else []

    def _pass(self, direction: str, data: bytes) -> list[bytes]:
        """The result of the faults for a unit."""
        placed = self.at.pop((direction, self.passed[direction]), "")
        self.passed[direction] += 1
        held = self._held.pop(direction, None)
        out: list[bytes] = []
        if not self._hit("lose", placed):
            unit = self._corrupted(data) if self._hit("corrupt", placed) else data
            out = [unit, unit] if self._hit("double", placed) else [unit]
            if held is None and self._hit("reorder", placed):
                self._held[direction] = out.pop()
        if self._hit("insert", placed):
            out.insert(0, self._random.randbytes(len(data)))
        return out if held is None else [*out, held]

    def _hit(self, fault: str, placed: str) -> bool:
        likely = getattr(self._chances, fault)
        hit = fault == placed or (likely > 0 and self._random.random() < likely)
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
    values = options.read_options(OPTIONS)
    seed, at = values.pop("seed", 0), values.pop("at", None)
    return FaultPipe(inner(url.without(OPTIONS)), Chances(**values), seed, "byte" if raw else "message", at)
