"""The robot inside of a gateway: notes what its plugin injects as messages for a controller elsewhere."""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hal.modes.channel import Channel, ConnectionLost, SocketChannel
from hal.modes.devices.image_device import SharedImage
from hal.modes.exchange import Exchange
from hal.modes.robot import Robot
from hal.protocol.codec import CONSTANTS, Codec
from hal.protocol.configure import Entry, RobotInfo
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import Answer, Image, block_head, read_answer, request_head
from hal.protocol.supervisor import robot_codec

__all__ = ["GatewayRobot", "Tap"]

REQUEST_HEAD = 8
PICTURE, SEGMENTS = 0, 9
PICTURE_FILES = {PICTURE: "image_file", SEGMENTS: "segmentation_file"}


class Tap:
    """A channel to the simulator that keeps a copy of the answers that pass."""

    def __init__(self, channel: SocketChannel) -> None:
        self._channel = channel
        self.passed: deque[Answer] = deque()

    def send(self, packet: bytes) -> None:
        """Send a complete request."""
        self._channel.send(packet)

    def receive(self) -> Answer:
        """Wait for the next answer."""
        packet = self._channel.receive()
        answer = read_answer(packet) if isinstance(packet, bytes) else packet
        self.passed.append(answer)
        return answer

    def fileno(self) -> int:
        """Can be read when the simulator has said something."""
        return self._channel.fileno()

    @property
    def has_waiting(self) -> bool:
        """An answer has come that nobody has taken yet."""
        return self._channel.has_waiting

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()


class ToldImage(SharedImage):
    """Pictures that are passed on when they come as bytes."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        super().__init__()
        self._tell = tell

    def put(self, content: bytes) -> None:
        """A picture."""
        super().put(content)
        self._tell(content)


class GatewayExchange(Exchange):
    """Passes on blocks of commands as they are, and knows when an answer is taken."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.passing: list[tuple[int, bytes]] = []
        """Blocks of devices that go to the simulator as they are, with the next packet."""
        self.is_taking = False
        """What the simulator says reaches the controller without being told again."""

    def send_packet(self, packet: bytes) -> None:
        """Send a request, and with it the blocks that only pass."""
        passing, self.passing = self.passing, []
        if passing:
            blocks = b"".join(block_head(tag, len(data)) + data for tag, data in passing)
            head = request_head(len(packet) + len(blocks), self.duration)
            packet = head + packet[REQUEST_HEAD:] + blocks
        super().send_packet(packet)

    def take(self, answer: Answer) -> None:
        """What the simulator says."""
        self.is_taking = True
        try:
            super().take(answer)
        finally:
            self.is_taking = False

    def listen(self) -> Answer:
        """Take what the simulator says of its own accord.

        Raises:
            SystemExit: it is gone.
        """
        try:
            packet = self.channel.receive()
            answer = read_answer(packet) if isinstance(packet, bytes) else packet
            self.take(answer)
        except (ConnectionLost, ProtocolError) as error:
            self.lose(error)
        return answer


class GatewayRobot(Robot):
    """Stands between a controller, which it knows by its requests, and a simulator."""

    exchange: GatewayExchange
    exchange_class = GatewayExchange

    def __init__(self, tap: Tap, folder: Path | None) -> None:
        """
        Args:
            tap: to the simulator.
            folder: for the pictures that a plugin injects; None: they go to the controller in packets.
        """
        super().__init__(tap)
        self.injected = bytearray()
        """Messages with what was injected since they were taken."""
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
        """Note what others than the simulator make an object take."""
        for name in names:
            take, code = getattr(owner, f"take_{name}", None), codec.message_codes[name]
            if take is not None and code != CONSTANTS:
                setattr(owner, f"take_{name}", partial(self._tell, take, codec, tag, code))

    def _tell(self, take: Callable[..., None], codec: Codec, tag: int, code: int, *values: Any) -> None:
        take(*values)
        if not self.exchange.is_taking:
            codec.write_message(self.injected, tag, code, values)

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
