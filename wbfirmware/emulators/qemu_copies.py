"""Copies of a stopped machine's variables, read together with whatever is read first after a stop.

Each question to QEMU takes two switches between processes, many times longer than reading some hundred bytes.
"""

from __future__ import annotations


class Copies:
    """Parts of the memory, as long as the machine stands."""

    def __init__(self) -> None:
        self._blocks: dict[int, bytearray] = {}
        """By address."""
        self._fresh = False

    def keep(self, place: int, size: int) -> None:
        """Copy this memory from now on."""
        self._blocks[place] = bytearray(size)
        self._fresh = False

    def outdate(self) -> None:
        """The machine has run."""
        self._fresh = False

    @property
    def missing(self) -> list[tuple[int, int]]:
        """The addresses and sizes to be read before `update`."""
        return [] if self._fresh else [(place, len(block)) for place, block in self._blocks.items()]

    def update(self, contents: list[bytes]) -> None:
        """Take what was read of `missing`."""
        if contents:
            for block, data in zip(self._blocks.values(), contents, strict=True):
                block[:] = data
            self._fresh = True

    def read(self, place: int, size: int) -> bytes | None:
        """Return bytes; None if no fresh copy has them."""
        for begin, block in self._blocks.items() if self._fresh else ():
            if begin <= place and place + size <= begin + len(block):
                return bytes(block[place - begin : place - begin + size])
        return None

    def write(self, place: int, data: bytes) -> None:
        """Change the copy as the memory, which may lie partly outside."""
        end = place + len(data)
        for begin, block in self._blocks.items() if self._fresh else ():
            if place < begin + len(block) and begin < end:
                first, last = max(place, begin), min(end, begin + len(block))
                block[first - begin : last - begin] = data[first - place : last - place]
