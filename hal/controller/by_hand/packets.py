"""Hand-written methods of emitters and receivers."""

from __future__ import annotations

import struct

from wbridge.hal.client.session import current
from wbridge.hal.controller.by_hand.device import Device, Sensor
from wbridge.hal.controller.by_hand.old import deprecated
from wbridge.hal.project_release import is_older

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.client._native import Emitter, Receiver


class EmitterBase(Device):
    """Hand-written methods of Emitter."""

    _device: Emitter

    def send(self, message: str | bytes | list[Any] | tuple[Any, ...], length: int | None = None) -> int:
        """Queue a packet for the next step.

        Args:
            message: bytes, a string (sent as UTF-8), or a list of floats (8 bytes), ints (4) or bools (1).
            length: number of bytes to send; default: all.

        Returns:
            1, or 0 when the buffer is full or the message cannot be sent.

        Raises:
            TypeError: the message has another type.
        """
        if isinstance(message, (str, bytes, bytearray, memoryview)):
            return self._device.send(message, length if not isinstance(message, str) else None)
        if not isinstance(message, (list, tuple)):
            raise TypeError(f"send() takes a string, bytes or a list of numbers, not {message!r}")
        first = message[0] if message else None
        code = "?" if isinstance(first, bool) else "i" if isinstance(first, int) else "d"
        try:
            return self._device.send(struct.pack(f"<{len(message)}{code}", *message))
        except struct.error as problem:
            current().report_error("wb_emitter_send", f"called with a list that cannot be sent: {problem}.")
            return 0


class ReceiverBase(Sensor):
    """Hand-written methods of Receiver."""

    _device: Receiver

    def getBytes(self) -> bytes:
        """The data of the first packet, empty if the queue is empty."""
        return self._device.get_data() or b""

    def getString(self) -> str:
        """The first packet as a UTF-8 string."""
        return self.getBytes().decode()

    @property
    def string(self) -> str:
        """The first packet as a UTF-8 string."""
        return self.getString()

    def getFloats(self) -> tuple[float, ...]:
        """The first packet as floats of 8 bytes."""
        return self._unpack("d", 8)

    def getInts(self) -> tuple[int, ...]:
        """The first packet as integers of 4 bytes."""
        return self._unpack("i", 4)

    def getBools(self) -> tuple[bool, ...]:
        """The first packet as booleans of 1 byte."""
        return self._unpack("?", 1)

    def _unpack(self, code: str, size: int) -> tuple[Any, ...]:
        data = self.getBytes()
        count = len(data) // size
        return struct.unpack_from(f"<{count}{code}", data)

    def getData(self) -> str | bytes:
        """Old: the first packet as a string, or as bytes in worlds from before R2023a."""
        if is_older(current().get_world_path(), "R2023a"):
            return self.getBytes()
        deprecated("Receiver.getData", "Receiver.getString or Receiver.getBytes")
        return self.getString()
