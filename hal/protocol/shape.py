"""Shapes: sequences of messages of fixed size, packed and unpacked in one operation.

In most steps the packets differ from those of the previous step only in their numbers. Both ends cache the
shape of the last packets, so that they need not process each message separately.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from wbridge.hal.protocol.layout import Layout

Values = Sequence[Any]


class Shape:
    """A sequence of messages with fixed headers and varying numbers."""

    __slots__ = (
        "_args", "_fixed", "_heads", "_mask", "_numbers", "_pack", "_spans", "_unpack", "calls", "frame",
        "is_single", "places", "read_single", "size",
    )  # fmt: skip

    def __init__(self, messages: Sequence[tuple[bytes, Layout]], calls: Sequence[Any] = ()) -> None:
        """
        Args:
            messages: the header bytes and the layout, with a `flat` format, of each message.
            calls: an object per message that the user of the shape needs.
        """
        formats = [f"{len(head)}s{layout.flat}" for head, layout in messages]
        whole = struct.Struct("<" + "".join(formats))
        self.calls = calls
        self.size = whole.size
        self.is_single = all(len(layout.flat or "") == 1 and not layout.is_vector for _, layout in messages)
        """True if each message has exactly one number."""
        self._pack: Callable[..., bytes] = whole.pack
        self._unpack: Callable[[bytes], tuple[Any, ...]] = whole.unpack
        gaps = "".join(f"{len(head)}x{layout.flat}" for head, layout in messages)
        self._numbers: Callable[[bytes], tuple[Any, ...]] = struct.Struct("<" + gaps).unpack
        mask = b"".join(b"\xff" * len(head) + bytes(layout.least) for head, layout in messages)
        fixed = b"".join(head + bytes(layout.least) for head, layout in messages)
        self._mask, self._fixed = int.from_bytes(mask, "little"), int.from_bytes(fixed, "little")
        self.frame = fixed
        """The packet with zeros in place of the numbers."""
        self.places = _places(messages)
        """Offsets of the numbers; None unless each message has exactly one, of 8 bytes."""
        self.read_single: Callable[[bytes], Values | None] = self._read_single
        """Decode messages with one number each; None if data of this size has another shape."""
        self._heads = tuple(head for head, _ in messages)
        ends = list(accumulate(1 + len(layout.flat or "") for _, layout in messages))
        starts = [0, *ends[:-1]]
        vectors = [layout.is_vector for _, layout in messages]
        self._spans = list(zip(starts, ends, vectors, strict=True))
        self._args: list[Any] = [None] * ends[-1]
        for head, start in zip(self._heads, starts, strict=True):
            self._args[start] = head

    def write_single(self, numbers: Iterable[Any]) -> bytes:
        """Encode messages with one number each.

        Raises:
            struct.error: a number does not fit.
        """
        args = self._args
        args[1::2] = numbers
        return self._pack(*args)

    def write(self, values: Sequence[Values]) -> bytes:
        """Encode messages, with the values of each as for `Layout.write`.

        Raises:
            struct.error: a number does not fit.
            ValueError: there are too many or too few.
        """
        args = self._args
        for (start, end, is_vector), some in zip(self._spans, values, strict=True):
            numbers = some[0] if is_vector else some
            if end - start != len(numbers) + 1:
                raise ValueError(f"{len(numbers)} numbers for {end - start - 1} fields")
            args[start + 1 : end] = numbers
        return self._pack(*args)

    def _read_single(self, data: bytes) -> Values | None:
        if int.from_bytes(data, "little") & self._mask != self._fixed:
            return None
        return self._numbers(data)

    def read(self, data: bytes) -> list[Values] | None:
        """Decode the values of each message; None if data of this size has another shape."""
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
