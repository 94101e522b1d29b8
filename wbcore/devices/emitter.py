"""The Emitter: sends packets of a controller by radio, infra-red or cable."""

from __future__ import annotations

from typing import Any, ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.world.radio import BROADCAST, UNLIMITED, Packet, QueuedPacket

__all__ = ["Emitter", "allowed", "check_channel"]

BITS_PER_MS = 1000
MOST_WAITING = 2**26
"""Maximum number of bytes queued for one step."""


class Emitter(Device):
    """Sends packets. The controller library enforces `baudRate` and `bufferSize`."""

    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("channel", "range")
    works = False

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self._queue: list[Packet] = []
        self._waiting = 0

    def constants(self) -> dict[str, object]:
        """The current field values."""
        node = self.node
        return {
            "buffer_size": node.get("bufferSize"),
            "channel": node.get("channel"),
            "bytes_per_ms": self.bytes_per_ms,
            "range": self.range,
            "max_range": node.get("maxRange"),
            "allowed_channels": allowed(node),
        }

    @property
    def bytes_per_ms(self) -> float:
        """Transmission speed in bytes/ms; -1: unlimited."""
        rate = int(self.node.get("baudRate"))
        return rate / (int(self.node.get("byteSize")) * BITS_PER_MS) if rate >= 0 else float(UNLIMITED)

    @property
    def range(self) -> float:
        """Range of packets (m), at most `maxRange`; -1: unlimited."""
        return self._limited(float(self.node.get("range")))

    def _limited(self, wanted: float) -> float:
        most = float(self.node.get("maxRange"))
        if most == UNLIMITED:
            return wanted
        return most if wanted == UNLIMITED else min(wanted, most)

    def on_send(self, channel: int, range_: float, data: bytes) -> None:
        """Queue a packet, which is sent in the next step."""
        check_channel(channel, self.node)
        check_range(range_)
        if self._waiting + len(data) > MOST_WAITING:
            raise ValueError(f"more than {MOST_WAITING} bytes queued in one step; the packet is lost")
        self._waiting += len(data)
        kind = str(self.node.get("type"))
        self.set_active(True)
        self._queue.append(Packet(self, kind, channel, self._limited(range_), data))

    def on_set_channel(self, channel: int) -> None:
        """Set the field `channel`; -1 broadcasts on all channels."""
        check_channel(channel, self.node)
        self.set_own_field("channel", channel)

    def on_set_range(self, range_: float) -> None:
        """Set the field `range` (m), at most `maxRange`."""
        check_range(range_)
        self.set_own_field("range", self._limited(range_))

    def before_step(self) -> None:
        """Send the queued packets, unless the battery is empty."""
        if self._queue:
            queue, self._queue, self._waiting = self._queue, [], 0
            if self.robot.has_power:
                for packet in queue:
                    self.simulation.robots.radio.put(packet)

    def save_more(self) -> list[QueuedPacket]:
        """Return the queued packets."""
        return [packet[1:] for packet in self._queue]

    def load_more(self, state: list[QueuedPacket]) -> None:
        """See `save_more`."""
        self._queue = [Packet(self, *state_packet) for state_packet in state]
        self._waiting = sum(len(packet.data) for packet in self._queue)

    def field_changed(self, name: str) -> None:
        """Send the controller what a supervisor changed."""
        if name == "channel":
            self.send_newest("channel", self.node.get("channel"))
        elif name in ("range", "maxRange"):
            self.send_newest("range", self.range)
        elif name == "bufferSize":
            self.send_newest("buffer_size", self.node.get("bufferSize"))
        elif name == "allowedChannels":
            self.send_newest("allowed_channels", allowed(self.node))

    def connect(self) -> None:
        """Drop the former controller's packets."""
        super().connect()
        self._empty()

    def reset(self) -> None:
        """Drop the queued packets."""
        self._empty()

    def _empty(self) -> None:
        self._queue, self._waiting = [], 0

    def removed(self) -> None:
        """So are packets in transit."""
        self._empty()
        self.simulation.robots.radio.forget(self)


def allowed(node: Any) -> list[int]:
    """Return the field `allowedChannels`, absent before R2020b; empty: all channels."""
    return list(node.get("allowedChannels")) if "allowedChannels" in node.spec.fields else []


def check_channel(channel: int, node: Any) -> None:
    """Check a channel.

    Raises:
        ValueError: it is below -1 or not allowed.
    """
    if channel < BROADCAST:
        raise ValueError(f"channel {channel} is out of range; allowed: -1 or more")
    if allowed(node) and channel not in allowed(node):
        raise ValueError(f"channel {channel} is not in the field allowedChannels {allowed(node)}")


def check_range(range_: float) -> None:
    """Check a range in m.

    Raises:
        ValueError: it is negative, but not -1.
    """
    if not (range_ == UNLIMITED or range_ >= 0):
        raise ValueError(f"a range of {range_} m; allowed: 0 or more, or -1 for no limit")
