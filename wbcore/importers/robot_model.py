"""A robot as links and joints, independent of the format that it was read from.

All lengths are in m, angles in rad, masses in kg; poses are relative to the link they belong to. A link's
frame is that of its parent after the joint between them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.mass import Mass
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.pose import IDENTITY, ONE, ZERO, Pose, Vec3

FIXED = "fixed"


@dataclass(eq=False)
class Geometry:
    """`kind` and `size`: box (x, y, z), sphere (radius,), cylinder and capsule (radius, height of the
    cylinder along z), ellipsoid (three radii), mesh () with `file` and `mesh`."""

    kind: str
    size: tuple[float, ...] = ()
    offset: Pose = IDENTITY
    file: Path | None = None
    mesh: Mesh | None = None
    """Triangles in m, after the scale; None if the file was not read."""
    scale: Vec3 = ONE
    up: str = "z"


@dataclass(eq=False)
class Material:
    """`color`: red, green, blue, alpha from 0 to 1."""

    name: str = ""
    color: tuple[float, ...] = (0.8, 0.8, 0.8, 1.0)
    texture: Path | None = None
    roughness: float = 1.0


@dataclass(eq=False)
class Shape:
    """A geometry that is seen."""

    geometry: Geometry
    material: Material | None = None


@dataclass(eq=False)
class Sensor:
    """A device of Webots: its node type, the values of its fields (with "name"), and its pose."""

    type: str
    fields: dict[str, Any]
    pose: Pose = IDENTITY


@dataclass(eq=False)
class Link:
    """A rigid body; `mass` is None if it has none."""

    name: str
    place: Element
    mass: Mass | None = None
    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Geometry] = field(default_factory=list)
    sensors: list[Sensor] = field(default_factory=list)
    is_force_sensor: bool = False
    is_helper: bool = False
    """True if it stands between two joints of one body."""
    is_static: bool = False
    """True if it is part of the environment and does not move."""


@dataclass(eq=False)
class Mimic:
    """Follow another joint: position = multiplier * (position of `joint`) + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(eq=False)
class Motor:
    """Limits of a motor; None means the default of Webots. `name` is "" for the name of the joint."""

    name: str = ""
    effort: float | None = None
    velocity: float | None = None
    lower: float | None = None
    upper: float | None = None
    """Soft limits of the position."""


@dataclass(eq=False)
class Joint:
    """`type`: "hinge", "slider", "ball" or "fixed"; `pose` is that of the child in the parent's frame at the
    position `rest`; `axis` and `anchor` are in the child's frame."""

    name: str
    type: str
    parent: str
    child: str
    place: Element
    pose: Pose = IDENTITY
    axis: Vec3 = (1.0, 0.0, 0.0)
    anchor: Vec3 = ZERO
    rest: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    motor: Motor | None = None
    mimic: Mimic | None = None
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    position: float = 0.0
    """The position at which the robot starts."""

    @property
    def moves(self) -> bool:
        """True unless the joint is fixed."""
        return self.type != FIXED


@dataclass(eq=False)
class Robot:
    """All links and joints, by name, in the order of the file."""

    name: str
    place: Element
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    root: str = ""
    gravity: float | None = None
    """Of the world that the description is for, along -z; None if it does not say."""

    def below(self, link: str) -> list[Joint]:
        """Return the joints whose parent is this link."""
        return [joint for joint in self.joints.values() if joint.parent == link]
