"""The Receiver: receives packets from emitters of other robots."""

from __future__ import annotations

from math import sqrt
from typing import Any, ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.emitter import allowed, check_channel
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.pose import Vec3, length, scaled, sub
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.world.radio import BROADCAST, UNLIMITED, Packet, in_cone, is_free

INFRA_RED = "infra-red"
MOST_WAITING = 2**26
"""Maximum number of bytes kept for a controller that does not step."""


class Receiver(Sensor):
    """Receives packets of its type and channel, and passes them to the controller when a sample is due."""

    WORKS_REMOTELY = True
    KEPT: ClassVar[tuple[str, ...]] = ("_heard", "_size")
    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("channel",)
    works = False

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self._heard: list[tuple[int, Vec3, float, bytes]] = []
        self._size = 0
        super().__init__(place, entry, robot)

    def constants(self) -> dict[str, object]:
        """The current field values."""
        node = self.node
        return {
            "buffer_size": node.get("bufferSize"),
            "channel": node.get("channel"),
            "allowed_channels": allowed(node),
        }

    def on_set_channel(self, channel: int) -> None:
        """Set the field `channel`; -1 receives all channels."""
        check_channel(channel, self.node)
        self.set_own_field("channel", channel)

    def field_changed(self, name: str) -> None:
        """Send the controller what a supervisor changed."""
        if name in ("channel", "bufferSize", "allowedChannels"):
            values = self.constants()
            self.send_newest(
                "constants", values["buffer_size"], values["channel"], values["allowed_channels"]
            )

    def enabled(self, period: int) -> None:
        """A disabled receiver drops its packets."""
        self.set_active(period > 0)
        if not period:
            self._forget()

    def reset(self) -> None:
        """Drop the received packets."""
        super().reset()
        self._forget()

    def _forget(self) -> None:
        self._heard, self._size = [], 0

    def after_step(self) -> None:
        """Receive what is sent, at the current poses."""
        if not self.robot.has_power:
            return
        for packet in self.simulation.robots.radio.packets:
            if self._is_tuned(packet):
                self._hear(packet)

    def _is_tuned(self, packet: Packet) -> bool:
        channel = int(self.node.get("channel"))
        if packet.sender is not None and (
            packet.sender.robot is self.robot or packet.kind != self.node.get("type")
        ):
            return False
        return BROADCAST in (channel, packet.channel) or channel == packet.channel

    def _hear(self, packet: Packet) -> None:
        if packet.sender is None:
            self._keep(packet, (0.0, 0.0, 0.0), 0.0)
            return
        physics = self.simulation.physics
        here, there = physics.pose(self.node), physics.pose(packet.sender.node)
        way = sub(there.position, here.position)
        distance = length(way)
        if packet.range != UNLIMITED and distance > packet.range:
            return
        if packet.kind == INFRA_RED and not self._sees(packet, way, distance):
            return
        direction = scaled(way, 1 / distance) if distance > 0 else way
        self._keep(packet, self._noisy(here.local_direction(direction), distance), self._strength(distance))

    def _sees(self, packet: Packet, way: Vec3, distance: float) -> bool:
        """True if each device is in the other's cone and no obstacle is between them."""
        sender = packet.sender
        if sender is None or distance == 0:
            return True
        direction = scaled(way, 1 / distance)
        back = scaled(direction, -1)
        return (
            _covers(self, direction)
            and _covers(sender, back)
            and is_free(self.simulation.physics, sender.node, self.node)
        )

    def _noisy(self, direction: Vec3, distance: float) -> Vec3:
        """Add noise, proportional to the distance (m), to each component of a unit vector."""
        noise = float(self.node.get("directionNoise")) * distance
        if not noise:
            return direction
        x, y, z = (component + noise * self.simulation.random.gaussian() for component in direction)
        size = sqrt(x * x + y * y + z * z)
        return (x / size, y / size, z / size) if size > 0 else direction

    def _strength(self, distance: float) -> float:
        """Return 1 / distance^2 with relative noise; infinity at distance 0."""
        noise = float(self.node.get("signalStrengthNoise"))
        factor = 1 + noise * self.simulation.random.gaussian() if noise else 1.0
        return max(0.0, factor / (distance * distance)) if distance > 0 else float("inf")

    def _keep(self, packet: Packet, direction: Vec3, strength: float) -> None:
        """Store a packet; the controller library drops it if its queue is full."""
        limit = int(self.node.get("bufferSize"))
        size = self._size + len(packet.data)
        if limit != UNLIMITED and size > limit:
            return  # with the pending packets, it exceeds even an empty queue
        if size > MOST_WAITING:
            self.robot.warn(f'"{self.name}" holds {MOST_WAITING} bytes; further packets are lost')
            return
        self._size = size
        self._heard.append((packet.channel, direction, strength, packet.data))

    def sample(self, now: float) -> None:
        """Pass received packets to the controller if a sample is due."""
        if self.sampling.is_due(now):
            self.sampling.take(now)
            for packet in self._heard:
                self.send("packet", *packet)
            self._forget()


def _covers(device: Any, direction: Vec3) -> bool:
    """True if a direction (world, unit length) is in the cone of an emitter or receiver."""
    node = device.node
    aperture = float(node.get("aperture"))
    axis = device.simulation.physics.pose(node).direction(device.conventions.link_axis)
    return in_cone(axis, direction, aperture)
