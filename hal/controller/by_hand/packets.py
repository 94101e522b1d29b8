"""What emitters and receivers do in their own way."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from hal.controller.by_hand.device import Device, Sensor
from hal.controller.by_hand.old import deprecated
from hal.modes.project_release import is_older
from hal.modes.session import current

if TYPE_CHECKING:
    from hal.modes.devices.emitter import Emitter
    from hal.modes.devices.receiver import Receiver

__all__ = ["EmitterBase", "ReceiverBase"]


class EmitterBase(Device):
    """What an emitter does in its own way."""

    _device: Emitter

    def send(self, message: str | bytes | list[Any] | tuple[Any, ...], length: int | None = None) -> int:
        """Queue a packet; it leaves with the next step.

        Args:
            message: bytes; a text, sent as UTF-8; or a list of floats (8 bytes each), ints (4) or bools (1).
            length: of bytes, how many to send; by default all.

        Returns:
            1, or 0 when the buffer is full or the message cannot be sent.

        Raises:
            TypeError: the message is nothing of this.
        """
        if isinstance(message, (str, bytes, bytearray, memoryview)):
            return self._device.send(message, length if not isinstance(message, str) else None)
        if not isinstance(message, (list, tuple)):
            raise TypeError(f"send() takes a text, bytes or a list of numbers, not {message!r}")
        first = message[0] if message else None
        code = "?" if isinstance(first, bool) else "i" if isinstance(first, int) else "d"
        try:
            return self._device.send(struct.pack(f"<{len(message)}{code}", *message))
        except struct.error as problem:
            self._device.error("send", f"called with a list that has no bytes: {problem}.")
            return 0


class ReceiverBase(Sensor):
    """What a receiver does in its own way."""

    _device: Receiver

    def getBytes(self) -> bytes:
        """The first packet; empty when there is none."""
        return self._device.get_data() or b""

    def getString(self) -> str:
        """The first packet as text in UTF-8."""
        return self.getBytes().decode()

    @property
    def string(self) -> str:
        """The first packet as text in UTF-8."""
        return self.getString()

    def getFloats(self) -> tuple[float, ...]:
        """The first packet as numbers of 8 bytes."""
        return self._unpack("d", 8)

    def getInts(self) -> tuple[int, ...]:
        """The first packet as whole numbers of 4 bytes."""
        return self._unpack("i", 4)

    def getBools(self) -> tuple[bool, ...]:
        """The first packet as truth values of 1 byte."""
        return self._unpack("?", 1)

    def _unpack(self, code: str, size: int) -> tuple[Any, ...]:
        data = self.getBytes()
        count = len(data) // size
        return struct.unpack_from(f"<{count}{code}", data)

    def getData(self) -> str | bytes:
        """Old: the first packet as text; in worlds from before R2023a as bytes, which they expect."""
        if is_older(current().info.world_path, "R2023a"):
            return self.getBytes()
        deprecated("Receiver.getData", "Receiver.getString or Receiver.getBytes")
        return self.getString()
