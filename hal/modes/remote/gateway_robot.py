"""The robot in a gateway, which records injected values as messages for the controller."""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Protocol, cast

from wbridge.hal.modes.connection import Connection, ConnectionLost
from wbridge.hal.modes.devices.image_device import SharedImage
from wbridge.hal.modes.exchange import Exchange
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.protocol.codec import CONSTANTS, Codec
from wbridge.hal.protocol.configure import Entry, RobotInfo
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Answer, Image, block_head, read_answer, request_head
from wbridge.hal.protocol.supervisor import robot_codec

__all__ = ["GatewayRobot", "Tap", "TappedConnection"]

REQUEST_HEAD = 8
PICTURE, SEGMENTS = 0, 9
PICTURE_FILES = {PICTURE: "image_file", SEGMENTS: "segmentation_file"}


class TappedConnection(Connection, Protocol):
    """A connection that can be waited for together with others."""

    @property
    def has_waiting(self) -> bool:
        """True if an answer has arrived that was not handled yet."""

    def fileno(self) -> int:
        """The file descriptor to wait for, or -1."""


class Tap:
    """A connection to the simulator that stores a copy of each answer."""

    def __init__(self, connection: TappedConnection) -> None:
        self.source = connection
        self.passed: deque[Answer] = deque()

    def send(self, packet: bytes) -> None:
        """Send a complete request."""
        self.source.send(packet)

    def receive(self) -> Answer:
        """Wait for the next answer."""
        packet = self.source.receive()
        answer = read_answer(packet) if isinstance(packet, bytes) else packet
        self.passed.append(answer)
        return answer

    def fileno(self) -> int:
        """The file descriptor, which is readable when the simulator has sent data."""
        return self.source.fileno()

    @property
    def has_waiting(self) -> bool:
        """True if an answer has arrived that was not handled yet."""
        return self.source.has_waiting

    def close(self) -> None:
        """Close the connection."""
        self.source.close()


class ToldImage(SharedImage):
    """Images that are passed on if they arrive as bytes."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        super().__init__()
        self._tell = tell

    def put(self, content: bytes) -> None:
        """Store an image."""
        super().put(content)
        self._tell(content)


class GatewayExchange(Exchange):
    """Passes on blocks of commands unchanged, and tracks which answers were handled."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.passing: list[tuple[int, bytes]] = []
        """Blocks of devices that are passed to the simulator unchanged, with the next packet."""
        self.is_taking = False
        """True while the simulator's messages reach the controller directly."""
        self.is_guard = False
        """True if the controller keeps the connection to the simulator (see
        wbridge.hal.modes.remote.guard)."""

    @property
    def route(self) -> Connection:
        """The tap's own connection: what a guard answers is passed on as what a simulator answers."""
        assert isinstance(self.connection, Tap), "a gateway's connection"
        return self.connection.source

    @route.setter
    def route(self, connection: Connection) -> None:
        """Use another connection below the tap."""
        assert isinstance(self.connection, Tap), "a gateway's connection"
        self.connection.source = cast("TappedConnection", connection)

    def send_packet(self, packet: bytes) -> None:
        """Send a request together with the unchanged blocks."""
        passing, self.passing = self.passing, []
        if passing:
            blocks = b"".join(block_head(tag, len(data)) + data for tag, data in passing)
            head = request_head(len(packet) + len(blocks), self.duration)
            packet = head + packet[REQUEST_HEAD:] + blocks
        super().send_packet(packet)

    def take(self, answer: Answer) -> None:
        """Handle an answer of the simulator."""
        self.is_taking = True
        try:
            super().take(answer)
        finally:
            self.is_taking = False

    def lose(self, error: Exception) -> NoReturn:
        """End; a guard loses its connection with its controller, which has reported why."""
        if not self.is_guard:
            super().lose(error)
        self.close()
        raise SystemExit(1)

    def listen(self) -> Answer:
        """Handle messages that the simulator sent without a request.

        Raises:
            SystemExit: it is gone.
        """
        try:
            packet = self.connection.receive()
            answer = read_answer(packet) if isinstance(packet, bytes) else packet
            self.take(answer)
        except (ConnectionLost, ProtocolError) as error:
            self.lose(error)
        return answer


class GatewayRobot(RobotHandle):
    """The robot between a controller, known only by its requests, and a simulator."""

    exchange: GatewayExchange
    exchange_class = GatewayExchange

    def __init__(self, tap: Tap, folder: Path | None) -> None:
        """
        Args:
            tap: the connection to the simulator.
            folder: folder for injected images; None: images are sent to the controller in packets.
        """
        super().__init__(tap)
        self.injected = bytearray()
        """Messages with the values injected since the last answer."""
        self.images: list[Image] = []
        self._folder, self._files = folder, dict[tuple[int, int], mmap.mmap]()

    def _configure(self, info: RobotInfo) -> None:
        super()._configure(info)
        codec = robot_codec(self.dialect)
        for owner in (self, self.battery, self.window):
            self._listen(owner, 0, codec, ("battery", "custom_data", "from_window"))

    def _add_devices(self, entries: tuple[Entry, ...]) -> None:
        first = len(self.devices)
        super()._add_devices(entries)
        for device in self.devices[first:]:
            if device is None:
                continue
            self._listen(device, device.tag, device.codec, tuple(device.codec.message_codes))
            for name, code in (("shared", PICTURE), ("segments", SEGMENTS)):
                if hasattr(device, name):
                    setattr(
                        device, name, ToldImage(partial(self._tell_image, device.tag, device.codec, code))
                    )

    def _listen(self, owner: Any, tag: int, codec: Codec, names: tuple[str, ...]) -> None:
        """Record messages that an object receives from sources other than the simulator."""
        for name in names:
            take, code = getattr(owner, f"take_{name}", None), codec.message_codes[name]
            if take is not None and code != CONSTANTS:
                setattr(owner, f"take_{name}", partial(self._tell, take, codec, tag, code))

    def _tell(self, take: Callable[..., None], codec: Codec, tag: int, code: int, *values: Any) -> None:
        take(*values)
        if not self.exchange.is_taking:
            codec.write_message(self.injected, tag, code, values)

    def pass_images(self, images: list[Image]) -> None:
        """Pass on images that arrived in an answer, in the way that the controller expects."""
        for image in images:
            device = self.device(image.tag)
            if self._folder is None or device is None:
                self.images.append(image)
            else:
                self._tell_image(image.tag, device.codec, image.code, image.pixels)

    def _tell_image(self, tag: int, codec: Codec, code: int, pixels: bytes) -> None:
        if self.exchange.is_taking:
            return
        if self._folder is None:
            self.images.append(Image(tag, code, pixels))
            return
        file = self._files.get((tag, code))
        if file is None or len(file) != len(pixels):
            path = self._folder / f"{tag}-{code}-{len(pixels)}"
            path.write_bytes(pixels)
            with path.open("r+b") as opened:
                self._files[tag, code] = mmap.mmap(opened.fileno(), len(pixels))
            message = codec.message_codes[PICTURE_FILES[code]]
            codec.write_message(self.injected, tag, message, (len(pixels), str(path)))
        else:
            file[:] = pixels
