"""A fast path for packets whose messages repeat from step to step.

Device commands with one number are collected in one dictionary. A request with only such commands, and an
answer with the same messages as an earlier one, are packed and unpacked in one operation (see
wbridge.hal.protocol.shape).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from wbridge.hal.modes.device import CODES, DeviceHandle
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.packet import answer_head, block_head, request_head
from wbridge.hal.protocol.shape import Shape

__all__ = ["AnswerShapes", "RequestShapes", "ignore"]

MOST = 64
"""Maximum number of cached shapes, so that a controller with ever new requests cannot fill the memory."""


class RequestShapes:
    """Packs requests with one number per command."""

    def __init__(self, devices: Sequence[DeviceHandle | None], native: Any = None) -> None:
        """
        Args:
            devices: of the robot, by tag.
            native: see wbridge.hal.connection.sockets.Connection.
        """
        self._devices, self._native = devices, native
        self._write: Callable[[dict[int, float]], bytes | None] = ignore
        """Packs a request of the latest shape in native code; returns None for another shape."""
        self._duration = -1
        self._shapes: dict[tuple[int, ...], tuple[Shape, list[int] | None]] = {}
        self._last: tuple[int, ...] = ()
        self._key: tuple[int, ...] = ()
        self._newest: tuple[Shape, list[int] | None] | None = None
        """The latest shape; it belongs to `_key`."""

    def pack(self, duration: int, numbers: dict[int, float], learn: bool = False) -> bytes | None:
        """Pack a request; None if its shape is not known yet or its numbers do not fit.

        Args:
            duration: of the step, in ms.
            numbers: commands by `key_of_command`.
            learn: cache the shape when it occurs for the second time in succession.
        """
        if duration == self._duration:
            packet = self._write(numbers)
            if packet is not None:
                return packet
        key = (duration, *numbers)
        found = self._newest if key == self._key else self._shapes.get(key)
        if found is None:
            if not learn:
                return None
            # A request that occurs for the first time may never occur again.
            is_new, self._last = key != self._last, key
            if is_new:
                return None
            found = self._make(duration, list(numbers))
        if key != self._key:
            self._key, self._newest = key, found
            self._find_writer(duration, sorted(numbers), found[0])
        shape, order = found
        try:
            return shape.write_single(numbers.values() if order is None else [numbers[one] for one in order])
        except struct.error:
            return None

    def _find_writer(self, duration: int, keys: list[int], shape: Shape) -> None:
        self._duration, self._write = duration, ignore
        if self._native is not None and shape.places is not None:
            self._write = self._native.NumberWriter(shape.frame, shape.places, keys).write

    def spread(self, numbers: dict[int, float]) -> None:
        """Move the commands to their devices, to be packed with other commands."""
        for key, number in numbers.items():
            tag, code = divmod(key, CODES)
            device = self._devices[tag]
            if device is not None:
                device.command(code, number)
        numbers.clear()

    def _make(self, duration: int, keys: list[int]) -> tuple[Shape, list[int] | None]:
        order = sorted(keys)
        blocks: dict[DeviceHandle, list[int]] = {}
        for key in order:
            device = self._devices[key // CODES]
            assert device is not None, "only devices add commands"
            blocks.setdefault(device, []).append(key % CODES)
        parts: list[tuple[bytes, Layout]] = []
        for device, codes in blocks.items():
            layouts = [device.codec.commands[code].layout for code in codes]
            head = device.codec.head
            size = sum(head.size + layout.least for layout in layouts)
            heads = [head.pack(code) for code in codes]
            heads[0] = block_head(device.tag, size) + heads[0]
            parts += zip(heads, layouts, strict=True)
        total = request_head(0, duration)
        size = len(total) + sum(len(head) + layout.least for head, layout in parts)
        parts[0] = (request_head(size, duration) + parts[0][0], parts[0][1])
        found = Shape(parts), None if order == keys else order
        if len(self._shapes) >= MOST:
            self._shapes.clear()
        self._shapes[self._last] = found
        return found


class AnswerShapes:
    """Unpacks answers with the same messages as an earlier answer."""

    def __init__(self, native: Any = None) -> None:
        """
        Args:
            native: see wbridge.hal.connection.sockets.Connection.
        """
        self._native = native
        self._shapes: dict[int, Shape] = {}
        self._last: dict[int, tuple[tuple[int, int], ...]] = {}

    def take(self, packet: bytes) -> bool:
        """Pass the messages of a local packet to their handlers.

        Returns:
            False if the shape of the packet is unknown or the answer is late; nothing has happened then.
        """
        shape = self._shapes.get(len(packet))
        if shape is None:
            return False
        if shape.is_single:
            numbers = shape.read_single(packet)
            if numbers is None:
                return False
            for call, number in zip(shape.calls, numbers):  # noqa: B905 (as many as messages)
                call(number)
            return True
        values = shape.read(packet)
        if values is None:
            return False
        for call, some in zip(shape.calls, values):  # noqa: B905 (as many as messages)
            call(*some)
        return True

    def learn(self, size: int, messages: list[tuple[int, int, Layout, Callable[..., None]]]) -> None:
        """Learn the shape of an answer from the size of its bytes and its messages.

        A message consists of tag, code, layout and handler.
        """
        if not messages or any(layout.flat is None for _, _, layout, _ in messages):
            return
        seen = tuple((tag, code) for tag, code, _, _ in messages)
        if self._last.get(size) != seen:  # it may never occur again
            if len(self._last) >= MOST:
                self._last.clear()
            self._last[size] = seen
            return
        if len(self._shapes) >= MOST:
            self._shapes.clear()
        heads = [(HEAD.pack(tag, code), layout) for tag, code, layout, _ in messages]
        front = answer_head(size)
        heads[0] = front + heads[0][0], heads[0][1]
        shape = self._shapes[len(front) + size] = Shape(heads, [call for *_, call in messages])
        if self._native is not None and shape.places is not None:
            shape.read_single = self._native.NumberReader(shape.frame, shape.places).read

    def forget(self) -> None:
        """Clear the cache after a change of the devices or the dialect."""
        self._shapes.clear()
        self._last.clear()


def ignore(*values: Any) -> None:
    """Ignore a message."""
