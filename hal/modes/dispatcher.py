"""Gives the messages in the simulator's answers to those who take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hal.modes.device import handlers_of
from hal.modes.device_registry import DeviceRegistry
from hal.modes.packet_shapes import AnswerShapes, ignore
from hal.protocol.codec import HEAD
from hal.protocol.configure import CONFIGURE, NEW_DEVICES
from hal.protocol.dialect import R2025A, Dialect
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import Answer
from hal.protocol.supervisor import robot_codec

__all__ = ["Dispatcher"]

Configure = Callable[[int, bytes, int], int]
"""Takes a description of the robot or of devices: its code, the bytes, and where it begins in them. Returns
where it ends."""


class Dispatcher:
    """Knows who takes which message: methods `take_<message>` of devices and of the robot's parts."""

    def __init__(self, devices: DeviceRegistry, native: Any) -> None:
        """
        Args:
            devices: of the robot.
            native: see hal.modes.channel.Channel.
        """
        self.devices = devices
        self.shapes = AnswerShapes(native)
        self.handlers: dict[int, Callable[..., None]] = {}
        """Of the robot's own messages, by code."""
        self.configure: Configure = _refuse
        self._codec = robot_codec(R2025A)

    def reset(self, dialect: Dialect) -> None:
        """Forget who takes the robot's messages: there is another robot."""
        self._codec = robot_codec(dialect)
        self.handlers = {}

    def add(self, owner: object) -> None:
        """Let an object take the messages of the robot that it has methods for."""
        self.add_handlers(handlers_of(owner, self._codec))

    def add_handlers(self, handlers: dict[int, Callable[..., None]]) -> None:
        """Let functions take messages of the robot, by code."""
        self.handlers.update(handlers)
        self.shapes.forget()

    def listener(self, tag: int, code: int) -> Callable[..., None]:
        """Who takes messages with this code, of a device or (tag 0) of the robot."""
        device = self.devices.device(tag)
        handlers = self.handlers if device is None else device.handlers
        return handlers.get(code, ignore)

    def take_images(self, answer: Answer) -> None:
        """Pictures that came in chunks."""
        for tag, code, pixels in answer.images:
            take = getattr(self.devices.device(tag), "take_image", None)
            if take is not None:
                take(code, pixels)

    def take(self, data: bytes) -> None:
        """Messages, one behind the other.

        Raises:
            ProtocolError: the bytes are none.
        """
        at, end, devices = 0, len(data), self.devices
        known: list[Any] = []
        while at < end:
            if end - at < HEAD.size:
                raise ProtocolError("the head of a message is cut off")
            tag, code = HEAD.unpack_from(data, at)
            at += HEAD.size
            if tag == 0:
                if code in (CONFIGURE, NEW_DEVICES):
                    self.shapes.forget()
                    at, known = self.configure(code, data, at), [None]
                    continue
                codec, handlers = self._codec, self.handlers
            else:
                device = devices[tag] if tag < len(devices) else None
                if device is None:
                    raise ProtocolError(f"a message {code} for device {tag}, which there is not")
                codec, handlers = device.codec, device.handlers
            values, at = codec.read_message(code, data, at)
            handler: Callable[..., None] = handlers.get(code, ignore)
            handler(*values)
            known.append((tag, code, codec.messages[code].layout, handler))
        if None not in known:
            self.shapes.learn(end, known)


def _refuse(code: int, data: bytes, at: int) -> int:
    raise ProtocolError("a description of devices came before anybody could take it")
