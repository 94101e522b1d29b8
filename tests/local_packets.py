"""Answers of a simulator, over TCP or not, as packets that the client in this process reads."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Protocol
from weakref import finalize

from wbridge.hal.gateway.device import GatewayDevices
from wbridge.hal.gateway.messages import MessageReader
from wbridge.hal.gateway.pictures import Pictures
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Answer, AnswerReader, write_answer

__all__ = ["LocalLink", "LocalPackets"]


class Channel(Protocol):
    """A connection to a simulator."""

    def send(self, packet: bytes) -> None:
        """Send a request."""

    def receive(self) -> Answer | bytes:
        """Wait for the next answer."""

    def close(self) -> None:
        """Close the connection."""


class LocalPackets:
    """Splits answers into packets; pictures in answers over TCP become files."""

    def __init__(self, tcp: bool) -> None:
        self._reader = AnswerReader(tcp)
        self._devices = GatewayDevices()
        self._messages = MessageReader(self._devices, {}) if tcp else None
        folder = mkdtemp(prefix="wbridge-") if tcp else ""
        finalize(self, rmtree, folder, ignore_errors=True)
        self._pictures = Pictures(Path(folder))

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes of the simulator, and return the packets that they complete."""
        return [self.packet(answer) for answer in self._reader.feed(data)]

    def packet(self, answer: Answer) -> bytes:
        """The packet of an answer."""
        messages = bytearray(answer.data)
        if self._messages is not None:
            with suppress(ProtocolError):  # of a message of gateways, which ends the answer
                self._messages.take(answer.data)
        for image in answer.images:
            device = self._devices.device(image.tag)
            assert device is not None
            self._pictures.put(device, image.code, image.pixels, messages)
        return write_answer(answer.delay, bytes(messages))


class LocalLink:
    """The link of a client in this process to a simulator that answers over TCP or not."""

    def __init__(self, world: Channel, tcp: bool) -> None:
        self._packets = LocalPackets(tcp)
        self._world = world
        self.send, self.close = world.send, world.close

    def receive(self) -> bytes:
        """The next answer."""
        answer = self._world.receive()
        if isinstance(answer, Answer):
            return self._packets.packet(answer)
        (packet,) = self._packets.feed(answer)
        return packet
