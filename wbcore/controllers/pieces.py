"""Many packets in little memory, packed in little time.

Most packets of a controller have the same length, and the same bytes at most places: only readings differ. So
a piece keeps, for each length, one packet and the columns of bytes that differ. Readings are mostly noise,
which compression would not make smaller; other packets are compressed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import compress, decompress

FASTEST = 1
LONGEST = 1024
"""Bytes of packets that are kept by columns."""
FEWEST = 8
"""Number of packets of the same length that are kept by columns."""


class _Group(NamedTuple):
    """The packets of one length."""

    first: bytes
    """The first one; empty if all are compressed."""
    places: tuple[int, ...]
    """The places of bytes that differ."""
    data: bytes
    """The columns of these bytes; otherwise the packets, compressed."""

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.first) + len(self.places) + len(self.data)


class Piece(NamedTuple):
    """Packets."""

    lengths: bytes
    """Of the packets in their order, compressed."""
    groups: dict[int, _Group]
    """By the length of packets."""
    size: int
    """Bytes."""


def pack(packets: Sequence[bytes]) -> Piece:
    """Pack packets, which may have any length."""
    lengths = array("I", map(len, packets))
    groups: dict[int, _Group] = {}
    for length in dict.fromkeys(lengths):
        same = [packet for packet in packets if len(packet) == length]
        groups[length] = _group(same, length)
    kept = compress(lengths.tobytes(), FASTEST)
    return Piece(kept, groups, len(kept) + sum(group.size for group in groups.values()))


def _group(packets: list[bytes], length: int) -> _Group:
    whole = b"".join(packets)
    if length > LONGEST or len(packets) < FEWEST:
        return _Group(b"", (), compress(whole, FASTEST))
    first, count = packets[0], len(packets)
    columns = [(place, whole[place::length]) for place in range(length)]
    differ = [(place, column) for place, column in columns if column != first[place : place + 1] * count]
    return _Group(first, tuple(place for place, _ in differ), b"".join(column for _, column in differ))


def unpack(piece: Piece) -> Iterator[bytes]:
    """Return the packets in their order."""
    lengths = array("I", decompress(piece.lengths))
    packets = {
        length: _packets(group, length, lengths.count(length)) for length, group in piece.groups.items()
    }
    return (next(packets[length]) for length in lengths)


def _packets(group: _Group, length: int, count: int) -> Iterator[bytes]:
    if group.first:
        whole = bytearray(group.first * count)
        for number, place in enumerate(group.places):
            whole[place::length] = group.data[number * count : (number + 1) * count]
    else:
        whole = bytearray(decompress(group.data))
    return (bytes(whole[at * length : (at + 1) * length]) for at in range(count))
