"""Shapes: rows of messages whose sizes are fixed, packed and unpacked all at once.

What a controller and its simulator say in most steps differs from the step before by its numbers only. Both
ends keep the shape of what they said last, and save the work of going through it message by message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from hal.protocol.layout import Layout

__all__ = ["Shape"]

Values = Sequence[Any]


class Shape:
    """Messages one after the other: what stands in front of each is known, the numbers in it vary."""

    __slots__ = (
        "_args", "_fixed", "_heads", "_mask", "_numbers", "_pack", "_spans", "_unpack", "calls", "frame",
        "is_single", "places", "read_single", "size",
    )  # fmt: skip

    def __init__(self, messages: Sequence[tuple[bytes, Layout]], calls: Sequence[Any] = ()) -> None:
        """
        Args:
            messages: the bytes in front of each, and a layout with a `flat` format.
            calls: whatever its user wants to know about each message.
        """
        formats = [f"{len(head)}s{layout.flat}" for head, layout in messages]
        whole = struct.Struct("<" + "".join(formats))
        self.calls = calls
        self.size = whole.size
        self.is_single = all(len(layout.flat or "") == 1 and not layout.is_vector for _, layout in messages)
        """Each message has exactly one number."""
        self._pack: Callable[..., bytes] = whole.pack
        self._unpack: Callable[[bytes], tuple[Any, ...]] = whole.unpack
        gaps = "".join(f"{len(head)}x{layout.flat}" for head, layout in messages)
        self._numbers: Callable[[bytes], tuple[Any, ...]] = struct.Struct("<" + gaps).unpack
        mask = b"".join(b"\xff" * len(head) + bytes(layout.least) for head, layout in messages)
        fixed = b"".join(head + bytes(layout.least) for head, layout in messages)
        self._mask, self._fixed = int.from_bytes(mask, "little"), int.from_bytes(fixed, "little")
        self.frame = fixed
        """The bytes with zeros as numbers."""
        self.places = _places(messages)
        """Where the numbers stand; None unless each message has exactly one, of 8 bytes."""
        self.read_single: Callable[[bytes], Values | None] = self._read_single
        """The numbers of messages with one each; None when the data, as long as these, are others."""
        self._heads = tuple(head for head, _ in messages)
        ends = list(accumulate(1 + len(layout.flat or "") for _, layout in messages))
        starts = [0, *ends[:-1]]
        vectors = [layout.is_vector for _, layout in messages]
        self._spans = list(zip(starts, ends, vectors, strict=True))
        self._args: list[Any] = [None] * ends[-1]
        for head, start in zip(self._heads, starts, strict=True):
            self._args[start] = head

    def write_single(self, numbers: Iterable[Any]) -> bytes:
        """The bytes of messages with one number each.

        Raises:
            struct.error: a number does not fit.
        """
        args = self._args
        args[1::2] = numbers
        return self._pack(*args)

    def write(self, values: Sequence[Values]) -> bytes:
        """The bytes of messages, with the values of each as for `Layout.write`.

        Raises:
            struct.error: a number does not fit.
            ValueError: there are too many or too few.
        """
        args = self._args
        for (start, end, is_vector), some in zip(self._spans, values, strict=True):
            numbers = some[0] if is_vector else some
            if end - start != len(numbers) + 1:
                raise ValueError(f"{len(numbers)} numbers for {end - start - 1} places")
            args[start + 1 : end] = numbers
        return self._pack(*args)

    def _read_single(self, data: bytes) -> Values | None:
        if int.from_bytes(data, "little") & self._mask != self._fixed:
            return None
        return self._numbers(data)

    def read(self, data: bytes) -> list[Values] | None:
        """The values of each message; None when the data, as long as these, are other messages."""
        values = self._unpack(data)
        if tuple([values[start] for start, _, _ in self._spans]) != self._heads:
            return None
        return [
            (values[start + 1 : end],) if is_vector else values[start + 1 : end]
            for start, end, is_vector in self._spans
        ]


def _places(messages: Sequence[tuple[bytes, Layout]]) -> list[int] | None:
    if any(layout.flat != "d" for _, layout in messages):
        return None
    ends = accumulate(len(head) + layout.least for head, layout in messages)
    return [end - layout.least for end, (_, layout) in zip(ends, messages, strict=True)]
