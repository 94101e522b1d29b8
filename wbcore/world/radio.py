"""The radio medium: packets sent in this step, for all receivers of the world.

A packet that a controller sends with its step at time t travels during that step; receivers
get it with the poses after that step, so that it can be read at t + basicTimeStep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from wbridge.wbcore.engine.mathematics import acos
from wbridge.wbcore.physics.pose import Vec3, add, dot, length, scaled, sub
from wbridge.wbcore.scene.dialect import Dialect
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.plan import SolidPlan
    from wbridge.wbcore.physics.world import PhysicsWorld

BROADCAST = -1
"""The channel that reaches all others."""
UNLIMITED = -1
"""An unlimited range, size or aperture."""
MOST_HITS = 64
"""How many surfaces of the two robots a ray may pass; more count as an obstacle."""
PAST_SURFACE = 1e-6
"""Distance (m) behind a surface at which a ray continues."""


class Sender(Protocol):
    """A device that sends packets."""

    node: Node

    @property
    def robot(self) -> object:
        """The robot of the device, which does not receive its own packets."""

    @property
    def conventions(self) -> Dialect:
        """The axis conventions of the device's file."""


RadioHeader = tuple[str, str, float, float]
"""Addresses of receiver ("": all) and sender, frequency (Hz) and power (dBm)."""


class Packet(NamedTuple):
    """A packet in transit."""

    sender: Sender | None
    """None for packets without a sending device, which reach each receiver on their channel."""
    kind: str
    """The field `type` of the emitter; "" for packets of radios."""
    channel: int
    range: float
    data: bytes
    header: RadioHeader | None = None
    """What packets of radios carry beside the bytes."""


QueuedPacket = tuple[str, int, float, bytes, RadioHeader | None]
"""A packet without its sender."""


class RadioMedium:
    """The packets of the current step, in the order of sending."""

    def __init__(self) -> None:
        self.packets: list[Packet] = []

    def put(self, packet: Packet) -> None:
        """Send a packet."""
        self.packets.append(packet)

    def clear(self) -> None:
        """Drop all packets, at the start of a step or at a reset."""
        if self.packets:
            self.packets = []

    def forget(self, sender: Sender) -> None:
        """Drop the packets of a removed device."""
        self.packets = [packet for packet in self.packets if packet.sender is not sender]


def in_cone(axis: Vec3, direction: Vec3, aperture: float) -> bool:
    """True if a direction is inside a cone.

    Args:
        axis: the cone's axis, of length 1.
        direction: of length 1.
        aperture: the full angle in rad; 0 and less: no limit, as in Webots.
    """
    if aperture <= 0:
        return True
    cosine = dot(axis, direction)
    return acos(max(-1.0, min(1.0, cosine))) <= aperture / 2


def is_free(physics: PhysicsWorld, start: Node, end: Node) -> bool:
    """True if no collision shape, except those of their own robots, is between two devices."""
    begin, goal = physics.pose(start).position, physics.pose(end).position
    own = [robot for robot in (_robot(physics.solid(node)) for node in (start, end)) if robot is not None]
    way = sub(goal, begin)
    left = length(way)
    if left == 0:
        return True
    direction = scaled(way, 1 / left)
    for _ in range(MOST_HITS):
        hit = _first_hit(physics, begin, direction, left)
        if hit is None:
            return True
        geom, distance = hit
        solid, _ = physics.handles.geoms.get(geom, (None, None))
        if solid is None or _robot(solid) not in own:
            return False
        passed = distance + PAST_SURFACE
        left -= passed
        if left <= 0:
            return True
        begin = add(begin, scaled(direction, passed))
    return False


def _robot(solid: SolidPlan) -> int | None:
    return solid.robot.number if solid.robot is not None else None


def _first_hit(physics: PhysicsWorld, begin: Vec3, direction: Vec3, reach: float) -> tuple[int, float] | None:
    """Return the nearest geometry on a ray and its distance (m)."""
    rays = physics.engine.add_rays([begin], [direction], [reach])
    rays.cast()
    geom, distance = int(rays.geoms[0]), float(rays.distances[0])
    rays.remove()
    return (geom, distance) if geom >= 0 else None
