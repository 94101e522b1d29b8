"""The Emitter: sends packets of a controller by radio, infra-red or cable."""

from __future__ import annotations

from typing import Any, ClassVar

from wbcore.devices.device import Device
from wbcore.world.radio import BROADCAST, UNLIMITED, Packet

__all__ = ["Emitter", "allowed", "check_channel"]

BITS_PER_MS = 1000
MOST_WAITING = 2**26
"""Bytes that may wait for the next step."""


class Emitter(Device):
    """Sends packets. The controller's library holds them back by `baudRate` and `bufferSize`."""

    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("channel", "range")
    works = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._queue: list[Packet] = []
        self._waiting = 0

    def constants(self) -> dict[str, Any]:
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
        """Speed; -1: unlimited."""
        rate = int(self.node.get("baudRate"))
        return rate / (int(self.node.get("byteSize")) * BITS_PER_MS) if rate >= 0 else float(UNLIMITED)

    @property
    def range(self) -> float:
        """How far packets reach (m), at most `maxRange`; -1: unlimited."""
        return self._limited(float(self.node.get("range")))

    def _limited(self, wanted: float) -> float:
        most = float(self.node.get("maxRange"))
        if most == UNLIMITED:
            return wanted
        return most if wanted == UNLIMITED else min(wanted, most)

    def on_send(self, channel: int, range_: float, data: bytes) -> None:
        """Take a packet, which leaves with the next step."""
        check_channel(channel, self.node)
        check_range(range_)
        if self._waiting + len(data) > MOST_WAITING:
            raise ValueError(f"more than {MOST_WAITING} bytes wait for one step; a packet is lost")
        self._waiting += len(data)
        kind = str(self.node.get("type"))
        self.let_work(True)
        self._queue.append(Packet(self, kind, channel, self._limited(range_), data))

    def on_set_channel(self, channel: int) -> None:
        """Set the field `channel`; -1 reaches all channels."""
        check_channel(channel, self.node)
        self.set_own_field("channel", channel)

    def on_set_range(self, range_: float) -> None:
        """Set the field `range` (m), at most `maxRange`."""
        check_range(range_)
        self.set_own_field("range", self._limited(range_))

    def before_step(self) -> None:
        """Send what waits, unless the battery is empty."""
        if self._queue:
            queue, self._queue, self._waiting = self._queue, [], 0
            if self.robot.has_power:
                for packet in queue:
                    self.simulation.robots.radio.put(packet)

    def save_more(self) -> Any:
        """What waits for the next step."""
        return [tuple(one)[1:] for one in self._queue]

    def load_more(self, state: Any) -> None:
        """See `save_more`."""
        self._queue = [Packet(self, *one) for one in state]
        self._waiting = sum(len(one.data) for one in self._queue)

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
        """What a former controller sent is gone."""
        super().connect()
        self._empty()

    def reset(self) -> None:
        """Packets that wait are gone."""
        self._empty()

    def _empty(self) -> None:
        self._queue, self._waiting = [], 0

    def removed(self) -> None:
        """So are packets in transit."""
        self._empty()
        self.simulation.robots.radio.forget(self)


def allowed(node: Any) -> list[int]:
    """The field `allowedChannels`, which files before R2020b do not have; empty: all."""
    return list(node.get("allowedChannels")) if "allowedChannels" in node.spec.fields else []


def check_channel(channel: int, node: Any) -> None:
    """Refuse a channel.

    Raises:
        ValueError: it is below -1, or not among the allowed ones.
    """
    if channel < BROADCAST:
        raise ValueError(f"there is no channel {channel}; allowed: -1 or more")
    if allowed(node) and channel not in allowed(node):
        raise ValueError(f"channel {channel} is not in the field allowedChannels {allowed(node)}")


def check_range(range_: float) -> None:
    """Refuse a range.

    Raises:
        ValueError: it is neither -1 nor 0 or more.
    """
    if not (range_ == UNLIMITED or range_ >= 0):
        raise ValueError(f"a range of {range_} m; allowed: 0 or more, or -1 for no limit")
