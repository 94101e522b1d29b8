"""A list that discards its oldest entries, with any number of independent readers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)  # named tuples are not generic before Python 3.11
class Read(Generic[Item]):
    """The result of a read."""

    items: list[Item]
    cursor: int
    """Pass this to the next read."""
    lost: int
    """Number of entries discarded before they were read."""


class Ring(Generic[Item]):
    """Keeps the latest entries within two limits; safe to use from several threads.

    Writers never wait for readers.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        """
        Args:
            most: maximum number of entries.
            most_bytes: maximum total size, as given by the writers.
        """
        self._most, self._most_bytes = most, most_bytes
        self._entries: deque[tuple[Item, int]] = deque()
        self._bytes = 0
        self._end = 0
        self._lock = Lock()

    @property
    def end(self) -> int:
        """The cursor for future entries only."""
        return self._end

    @property
    def start(self) -> int:
        """The cursor for all entries still available."""
        with self._lock:
            return self._end - len(self._entries)

    def put(self, item: Item, size: int) -> None:
        """Append an entry of a given size; the oldest ones are discarded at a limit."""
        with self._lock:
            self._entries.append((item, size))
            self._bytes += size
            self._end += 1
            while len(self._entries) > self._most or (
                self._bytes > self._most_bytes and len(self._entries) > 1
            ):
                self._bytes -= self._entries.popleft()[1]

    def read(self, cursor: int) -> Read[Item]:
        """Return all entries from a cursor on."""
        if cursor == self._end:
            return Read([], cursor, 0)
        with self._lock:
            first = self._end - len(self._entries)
            skipped = max(0, cursor - first)
            items = [item for item, _ in list(self._entries)[skipped:]]
            return Read(items, self._end, max(0, first - cursor))
