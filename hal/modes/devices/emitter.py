"""An emitter, which sends packets to receivers."""

from __future__ import annotations

from collections import deque
from typing import Any

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.reports import messages

__all__ = ["Emitter", "is_bad_channel"]

SEND, CHANNEL, RANGE = 0, 1, 2
BROADCAST = -1
UNLIMITED = -1


def is_bad_channel(device: DeviceHandle, channel: int, allowed: list[int]) -> bool:
    """True, after reporting an error, if a channel is not allowed."""
    if channel < BROADCAST:
        device.error("set_channel", messages.invalid_channel(channel))
    elif allowed and channel not in allowed:
        device.error("set_channel", messages.refused_channel(channel, ", ".join(map(str, allowed))))
    else:
        return False
    return True


class Emitter(DeviceHandle):
    """An emitter, which sends packets to receivers."""

    state = (CHANNEL, RANGE)
    buffer_size, channel = UNLIMITED, 0
    bytes_per_ms = range = max_range = float(UNLIMITED)
    allowed_channels: list[int] = []

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.packets: deque[tuple[int, float, bytes]] = deque()
        self.used = 0
        self.budget = 0.0

    def take_constants(
        self,
        buffer_size: int,
        channel: int,
        bytes_per_ms: float,
        range_: float,
        max_range: float,
        allowed_channels: list[int],
    ) -> None:
        """Store the buffer size, channel, transmission rate and range."""
        self.buffer_size, self.channel, self.bytes_per_ms = buffer_size, channel, bytes_per_ms
        self.range, self.max_range, self.allowed_channels = range_, max_range, allowed_channels

    def take_channel(self, channel: int) -> None:
        """Store a channel that the simulator changed."""
        self.channel = channel

    def take_range(self, range_: float) -> None:
        """Store a range that the simulator changed."""
        self.range = range_

    def take_buffer_size(self, buffer_size: int) -> None:
        """Store a buffer size that the simulator changed."""
        self.buffer_size = buffer_size

    def take_allowed_channels(self, allowed_channels: list[int]) -> None:
        """Store allowed channels that the simulator changed."""
        self.allowed_channels = allowed_channels

    def drop_packets(self) -> None:
        """Empty the queue."""
        self.packets.clear()
        self.used, self.waiting = 0, False

    def flush(self, out: bytearray) -> None:
        """Append the packets that can be sent, each with its own channel and range, then the settings.

        With a limited baud rate, a packet is sent after its transmission time at the head of the queue.
        """
        limited = self.bytes_per_ms >= 0
        if limited and self.packets:
            self.budget += self.bytes_per_ms * self.exchange.duration
        while self.packets and not (limited and len(self.packets[0][2]) > self.budget):
            packet = self.packets.popleft()
            self.codec.write_command(out, SEND, packet)
            self.used -= len(packet[2])
            self.budget -= len(packet[2])
        self.waiting = bool(self.packets)
        super().flush(out)

    @needs("data", otherwise=0)
    def send(self, data: bytes | bytearray | memoryview | str, size: int | None = None) -> int:
        """Queue a packet for the next step.

        Args:
            data: bytes, or a string that is sent as UTF-8.
            size: number of bytes, at least 1; default: all.

        Returns:
            1, or 0 if the buffer is full or an argument is invalid.
        """
        raw = data.encode() if isinstance(data, str) else bytes(data)
        size = len(raw) if size is None else size
        if not 1 <= size <= len(raw):
            self.error("send", f"called with an invalid size ({size}); the data has {len(raw)} bytes.")
            return 0
        if self.buffer_size != UNLIMITED and size > self.buffer_size - self.used:
            return 0
        if not self.packets:
            self.budget = 0.0
        self.used += size
        self.packets.append((self.channel, self.range, raw[:size]))
        self.exchange.busy.add(self.tag)
        return 1

    def get_buffer_size(self) -> int:
        """The buffer size in bytes; -1: unlimited."""
        return self.buffer_size

    def set_channel(self, channel: int) -> None:
        """Set the channel of subsequent packets; -1 broadcasts on all channels."""
        if not is_bad_channel(self, channel, self.allowed_channels) and channel != self.channel:
            self.channel = int(channel)
            self.command(CHANNEL, self.channel)

    def get_channel(self) -> int:
        """The channel; -1: all."""
        return self.channel

    def set_range(self, range: float) -> None:
        """Set the range of the emitter, in m, up to its maximum; -1 sets the maximum."""
        if not (range >= 0 or range == UNLIMITED):
            self.error("set_range", messages.invalid_range(range))
            return
        wanted = float(range)
        if wanted == UNLIMITED or (self.max_range != UNLIMITED and wanted > self.max_range):
            wanted = self.max_range
        if wanted != self.range:
            self.range = wanted
            self.command(RANGE, wanted)

    def get_range(self) -> float:
        """The range of the emitter, in m; -1: unlimited."""
        return self.range
