"""The Radio: packets between radios with addresses, through free space.

Webots marks this node as experimental and does not document the propagation; here power follows the Friis
formula for isotropic antennas: received = sent - 20 log10(4 pi d f / c), in dBm.
"""

from __future__ import annotations

from math import isfinite, pi
from typing import ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.engine.mathematics import log10
from wbridge.wbcore.physics.pose import length, sub
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.world.radio import UNLIMITED, Packet, QueuedPacket, RadioHeader

LIGHT_SPEED = 299_792_458.0
NEAREST = 1e-3
"""Distances below this value (m) are raised to it."""
MOST_WAITING = 4096


class Radio(Sensor):
    """Sends packets to an address ("": broadcast), and receives those sent to its own."""

    KEPT: ClassVar[tuple[str, ...]] = ("_heard",)
    KEPT_FIELDS: ClassVar[tuple[str, ...]] = (
        "address",
        "frequency",
        "channel",
        "bitrate",
        "rxSensitivity",
        "txPower",
    )
    works = False

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self._queue: list[Packet] = []
        self._heard: list[tuple[float, str, bytes]] = []
        super().__init__(place, entry, robot)

    def constants(self) -> dict[str, object]:
        """The current field values."""
        names = ("address", "frequency", "channel", "bitrate")
        values = {name: self.node.get(name) for name in names}
        return values | {"sensitivity": self.node.get("rxSensitivity"), "power": self.node.get("txPower")}

    def on_send(self, destination: bytes, body: bytes, delay: float) -> None:
        """Queue a packet; it is sent in the next step regardless of its delay."""
        if len(self._queue) >= MOST_WAITING:
            raise ValueError(f"more than {MOST_WAITING} packets queued in one step; one is lost")
        node = self.node
        header = (_text(destination), node.get("address"), node.get("frequency"), node.get("txPower"))
        self.set_active(True)
        self._queue.append(Packet(self, "", node.get("channel"), UNLIMITED, body, header))

    def on_set_address(self, address: bytes) -> None:
        """Set the address of this radio."""
        self.set_own_field("address", _text(address))

    def on_set_frequency(self, frequency: float) -> None:
        """Set the carrier frequency in Hz."""
        if not (frequency > 0 and isfinite(frequency)):
            raise ValueError(f"a frequency of {frequency} Hz; allowed: numbers above 0")
        self.set_own_field("frequency", frequency)

    def on_set_channel(self, channel: int) -> None:
        """Set the channel; radios receive only packets on their own."""
        self.set_own_field("channel", channel)

    def on_set_bitrate(self, bitrate: int) -> None:
        """Set the bit rate in bit/s; it has no effect."""
        self.set_own_field("bitrate", bitrate)

    def on_set_rx_sensitivity(self, sensitivity: float) -> None:
        """Set the minimum power in dBm of received packets."""
        self._set_power("rxSensitivity", sensitivity)

    def on_set_tx_power(self, power: float) -> None:
        """Set the transmission power in dBm."""
        self._set_power("txPower", power)

    def _set_power(self, field: str, value: float) -> None:
        if not isfinite(value):
            raise ValueError(f"{value} dBm is not a power")
        self.set_own_field(field, value)

    def save_more(self) -> list[QueuedPacket]:
        """Return the queued packets."""
        return [packet[1:] for packet in self._queue]

    def load_more(self, state: list[QueuedPacket]) -> None:
        """See `save_more`."""
        self._queue = [Packet(self, *packet_state) for packet_state in state]

    def before_step(self) -> None:
        """Send the queued packets."""
        queue, self._queue = self._queue, []
        for packet in queue:
            self.simulation.robots.radio.put(packet)

    def after_step(self) -> None:
        """Receive what is sent to this address, at the current poses."""
        if not self.sampling.period or not self.robot.has_power:
            return
        for packet in self.simulation.robots.radio.packets:
            if isinstance(packet.sender, Radio) and packet.header and packet.sender.robot is not self.robot:
                self._hear(packet, packet.header, packet.sender)

    def _hear(self, packet: Packet, header: RadioHeader, sender: Radio) -> None:
        to, source, frequency, power = header
        node = self.node
        if (packet.channel, frequency) != (node.get("channel"), node.get("frequency")):
            return
        if to and to != node.get("address"):
            return
        pose = self.simulation.physics.pose
        distance = max(NEAREST, length(sub(pose(sender.node).position, pose(node).position)))
        rssi = power - 20 * log10(4 * pi * distance * frequency / LIGHT_SPEED)
        if rssi >= node.get("rxSensitivity") and len(self._heard) < MOST_WAITING:
            self._heard.append((rssi, source, packet.data))

    def sample(self, now: float) -> None:
        """Pass received packets to the controller if a sample is due."""
        if self.sampling.is_due(now):
            self.sampling.take(now)
            for packet in self._heard:
                self.send("packet", *packet)
            self._heard = []

    def enabled(self, period: int) -> None:
        """A disabled radio drops its packets."""
        self.set_active(self.works or period > 0)
        if not period:
            self._heard = []

    def reset(self) -> None:
        """Drop the queued packets."""
        super().reset()
        self._queue, self._heard = [], []

    def removed(self) -> None:
        """So are packets in transit."""
        self._queue, self._heard = [], []
        self.simulation.robots.radio.forget(self)


def _text(raw: bytes) -> str:
    return raw.split(b"\0")[0].decode("utf-8", "replace")
