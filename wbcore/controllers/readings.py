"""The log of a controller inside this process: the answers that it got, and check sums of its requests.

With it, the controller can be run again without a simulation, to stand where it stood at a moment
(`Past`). Answers are kept in packed pieces; all logs of a run share a bound of memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple
from weakref import WeakSet
from zlib import crc32

from wbridge.wbcore.controllers.pieces import Piece, pack, unpack

MOST_BYTES = 56 * 2**20
"""Of all logs of a run; with the checkpoints at most 184 MiB."""
PIECE = 1 << 15
"""Bytes of answers that are packed together."""
FULL = f"the log of what controllers read would take more than {MOST_BYTES >> 20} MiB"


class Place(NamedTuple):
    """A place in a log."""

    answers: int
    """Number of answers until there."""
    requests: int


class Logs:
    """All logs of a run that something still needs."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """
        Args:
            most: bytes of all.
        """
        self._most = most
        self._logs: WeakSet[Readings] = WeakSet()

    def make(self) -> Readings:
        """Return a new log."""
        log = Readings(self)
        self._logs.add(log)
        return log

    @property
    def size(self) -> int:
        """Bytes of all."""
        return sum(log.size for log in self._logs)

    def keep_bound(self) -> None:
        """Give all logs up if they are too large: one alone would not suffice for a run."""
        if self.size > self._most:
            for log in self._logs:
                log.give_up(FULL)


class Readings:
    """The log of one controller since its start."""

    def __init__(self, logs: Logs) -> None:
        """
        Args:
            logs: to which it belongs.
        """
        self._logs = logs
        self.gap = ""
        """Why the log lacks something, for users; "" if it is complete."""
        self._sums = array("I")
        """Check sums of the requests in pieces."""
        self._count = 0
        """Number of answers in pieces."""
        self._pieces: list[tuple[int, Piece]] = []
        """Pieces, and the numbers of answers until their ends."""
        self._packed = 0
        """Bytes of the pieces."""
        self._asked: list[bytes] = []
        self._open: list[bytes] = []
        """Requests and answers that are not packed yet."""
        self._open_size = 0
        self.ask: Callable[[bytes], None] = self._asked.append
        """Notes a request of the controller."""

    @property
    def place(self) -> Place:
        """The end of the log."""
        return Place(self._count + len(self._open), len(self._sums) + len(self._asked))

    @property
    def sums(self) -> array[int]:
        """Check sums of the requests."""
        return self._sums + array("I", map(crc32, self._asked))

    @property
    def size(self) -> int:
        """Bytes."""
        return self._packed + self._open_size + self._sums.itemsize * len(self._sums)

    def answer(self, packet: bytes) -> None:
        """Note an answer that the controller has taken."""
        self._open.append(packet)
        self._open_size += len(packet)
        if self._open_size >= PIECE:
            self._close_piece()

    def _close_piece(self) -> None:
        self._count += len(self._open)
        if not self.gap:
            piece = pack(self._open)
            self._pieces.append((self._count, piece))
            self._packed += piece.size
            self._sums.extend(map(crc32, self._asked))
        self._open.clear()
        self._asked.clear()
        self._open_size = 0
        self._logs.keep_bound()

    def give_up(self, why: str) -> None:
        """Keep nothing: no controller can be run again with this log.

        Args:
            why: for users.
        """
        self.gap = self.gap or why
        self._pieces.clear()
        self._packed = 0
        del self._sums[:]

    def answers(self) -> Iterator[bytes]:
        """The answers, oldest first."""
        for _, piece in self._pieces:
            yield from unpack(piece)
        yield from self._open

    def cut(self, place: Place) -> None:
        """Forget what came after a place."""
        sums = self.sums[: place.requests]
        whole = [entry for entry in self._pieces if entry[0] <= place.answers]
        later = self._pieces[len(whole) :]
        rest = [*unpack(later[0][1])] if later else [*self._open]
        self._pieces, self._packed = whole, sum(piece.size for _, piece in whole)
        self._count = whole[-1][0] if whole else 0
        self._open[:] = rest[: place.answers - self._count]
        self._open_size = sum(map(len, self._open))
        self._sums = sums
        self._asked.clear()


class Past:
    """What one controller goes through again: the answers from a log; its requests are compared."""

    def __init__(self, readings: Readings) -> None:
        """
        Args:
            readings: a log that ends where the present begins.
        """
        self._answers = readings.answers()
        self._sums = readings.sums
        self._asked = 0
        self.is_through = False
        """True if the controller has come to the end, and has asked the same on its way."""

    def is_asked(self, packet: bytes) -> bool:
        """Return whether the controller asked the same at this place."""
        at, self._asked = self._asked, self._asked + 1
        return at < len(self._sums) and self._sums[at] == crc32(packet)

    def answer(self) -> bytes | None:
        """Return the next answer; None at the end."""
        packet = next(self._answers, None)
        self.is_through = packet is None and self._asked == len(self._sums)
        return packet

    @property
    def progress(self) -> str:
        """How far the controller has come, for users."""
        return f"at request {self._asked} of {len(self._sums)}"
