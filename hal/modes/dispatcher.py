"""Dispatch the messages in the simulator's answers to their handlers."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.modes.device import handlers_of
from wbridge.hal.modes.device_registry import DeviceRegistry
from wbridge.hal.protocol.codec import read_head, unknown_device
from wbridge.hal.protocol.configure import CONFIGURE, NEW_DEVICES
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Answer
from wbridge.hal.protocol.supervisor import robot_codec

__all__ = ["Dispatcher"]

Configure = Callable[[int, bytes, int], int]
"""Reads a description of the robot or of devices, given its code, the bytes and its offset in them. Returns
the offset of its end."""


class Dispatcher:
    """Calls the handler of each message: a method `take_<message>` of a device or of a part of the robot."""

    def __init__(self, devices: DeviceRegistry) -> None:
        """
        Args:
            devices: of the robot.
        """
        self.devices = devices
        self.handlers: dict[int, Callable[..., None]] = {}
        """Handlers of the robot's own messages, by code."""
        self.configure: Configure = _refuse
        self._codec = robot_codec(R2025A)

    def reset(self, dialect: Dialect) -> None:
        """Remove the handlers of the robot's messages, for a new description of the robot."""
        self._codec = robot_codec(dialect)
        self.handlers = {}

    def add(self, owner: object) -> None:
        """Register the `take_<message>` methods of an object as handlers of the robot's messages."""
        self.add_handlers(handlers_of(owner, self._codec))

    def add_handlers(self, handlers: dict[int, Callable[..., None]]) -> None:
        """Register handlers of the robot's messages, by code."""
        self.handlers.update(handlers)

    def take_images(self, answer: Answer) -> None:
        """Pass images that arrived in chunks to their devices."""
        for tag, code, pixels in answer.images:
            take = getattr(self.devices.device(tag), "take_image", None)
            if take is not None:
                take(code, pixels)

    def take(self, data: bytes) -> None:
        """Dispatch a sequence of messages.

        Raises:
            ProtocolError: the bytes are not a valid sequence of messages.
        """
        at, end, devices = 0, len(data), self.devices
        while at < end:
            tag, code, at = read_head(data, at)
            if tag == 0:
                if code in (CONFIGURE, NEW_DEVICES):
                    at = self.configure(code, data, at)
                    continue
                codec, handlers = self._codec, self.handlers
            else:
                device = devices[tag] if tag < len(devices) else None
                if device is None:
                    raise unknown_device(tag, code)
                codec, handlers = device.codec, device.handlers
            values, at = codec.read_message(code, data, at)
            handler = handlers.get(code)
            if handler is not None:
                handler(*values)


def _refuse(code: int, data: bytes, at: int) -> int:
    raise ProtocolError("received a description of devices before the exchange was ready for it")
