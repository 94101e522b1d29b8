"""A receiver, which queues packets from emitters."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from wbridge.hal.modes.device import NAN, Sensor
from wbridge.hal.modes.devices.emitter import is_bad_channel
from wbridge.hal.reports import messages

__all__ = ["Receiver"]

CHANNEL = 2


class Packet(NamedTuple):
    """A received packet with the direction to its emitter and the signal strength."""

    channel: int
    direction: tuple[float, float, float]
    strength: float
    data: bytes


class Receiver(Sensor):
    """A receiver, which queues packets from emitters."""

    state = (1, CHANNEL)
    buffer_size, channel = -1, 0
    allowed_channels: list[int] = []

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.queue: deque[Packet] = deque()

    def take_constants(self, buffer_size: int, channel: int, allowed_channels: list[int]) -> None:
        """Store the buffer size and the channel."""
        self.buffer_size, self.channel, self.allowed_channels = buffer_size, channel, allowed_channels

    def take_packet(
        self, channel: int, direction: tuple[float, float, float], strength: float, data: bytes
    ) -> None:
        """Queue a received packet; drop it if it does not fit into the buffer."""
        used = sum(len(one.data) for one in self.queue)
        if self.buffer_size < 0 or used + len(data) <= self.buffer_size:
            self.queue.append(Packet(channel, direction, strength, data))

    def drop_packets(self) -> None:
        """Empty the queue."""
        self.queue.clear()

    def get_queue_length(self) -> int:
        """The number of packets in the queue."""
        self.check_enabled("get_queue_length")
        return len(self.queue)

    def next_packet(self) -> None:
        """Remove the first packet from the queue."""
        if self.queue:
            self.queue.popleft()

    def head(self, method: str) -> Packet | None:
        """The first packet in the queue; None, with an error message, if the queue is empty."""
        if self.queue:
            return self.queue[0]
        self.error(method, messages.empty_queue())
        return None

    def get_data(self) -> bytes | None:
        """The data of the first packet, or None if the queue is empty."""
        packet = self.head("get_data")
        return packet.data if packet else None

    def get_data_size(self) -> int:
        """The size of the first packet in bytes, or -1 if the queue is empty."""
        packet = self.head("get_data_size")
        return len(packet.data) if packet else -1

    def get_signal_strength(self) -> float:
        """The signal strength of the first packet: 1 / distance^2, in 1/m^2; NaN if the queue is empty."""
        packet = self.head("get_signal_strength")
        return packet.strength if packet else NAN

    def get_emitter_direction(self) -> list[float] | None:
        """The direction to the emitter of the first packet: a unit vector in the receiver's frame."""
        packet = self.head("get_emitter_direction")
        return list(packet.direction) if packet else None

    def set_channel(self, channel: int) -> None:
        """Set the channel; -1 receives on all channels."""
        if not is_bad_channel(self, channel, self.allowed_channels) and channel != self.channel:
            self.channel = int(channel)
            self.command(CHANNEL, self.channel)

    def get_channel(self) -> int:
        """The channel; -1: all."""
        return self.channel
