"""Device constants that no field contains: the rules that the catalogue marks with '@'.

Each public function below is a rule with the function's name. It takes the place of a device and returns the
constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wbridge.hal.catalogue import Constant
from wbridge.wbcore.scene.node import Node

_COUPLING = "::"


@dataclass(eq=False, slots=True)
class Place:
    """The context of a device: its node, its holder, and the robot's other devices."""

    node: Node
    """The built-in node of the device."""
    holder: Node | None = None
    """The joint, track or propeller with the device list; None for devices among children."""
    siblings: list[Place] = field(default_factory=list, repr=False)
    """All devices of that list, including this one."""
    tag: int = 0
    robot: list[Place] = field(default_factory=list, repr=False)
    """All devices of the robot in the order of their tags."""
    of_old: str = ""
    """Current node type of the device if its node has an older type (see `former_types`)."""
    values: Callable[[], dict[str, Any]] | None = None
    """Field values of that current type."""
    model_class: str = ""
    """The class that simulates the device, if it is not that of its type."""

    @property
    def type(self) -> str:
        """The built-in node type of the device."""
        return self.of_old or self.node.type

    @property
    def name(self) -> str:
        """The device's name."""
        return str(self.get("name"))

    @property
    def key(self) -> tuple[Node, str, str]:
        """Identifies the device: one node may be several devices."""
        return self.node, self.of_old, self.name if self.of_old else ""

    def is_a(self, base: str) -> bool:
        """Return True for a device of this type or a derived one."""
        if not self.of_old:
            return self.node.is_a(base)
        return base == self.of_old or (base == "Motor" and self.of_old.endswith("Motor"))

    def get(self, name: str) -> Any:
        """Return the value of a field; None if it does not exist."""
        if self.values is not None:
            return self.values().get(name)
        return self.node.get(name) if name in self.node.spec.fields else None


def is_supervisor(place: Place) -> Constant:
    """Return True for a robot with supervisor TRUE, and for the Supervisor node of 8.3.1."""
    return place.node.is_a("Supervisor") or bool(place.node.get("supervisor"))


def joint_type(place: Place) -> Constant:
    """Return "linear" or "rotational": the motion of a motor, brake or position sensor at this place."""
    holder = place.holder
    linear = holder is not None and (
        holder.is_a("SliderJoint")
        or holder.is_a("Track")
        or (holder.is_a("Servo") and holder.get("type") == "linear")
    )
    return "linear" if linear else "rotational"


def sibling_motor(place: Place) -> Constant:
    """Return the tag of the motor on the same axis, or 0."""
    return _sibling(place, "Motor")


def sibling_position_sensor(place: Place) -> Constant:
    """Return the tag of the position sensor on the same axis, or 0."""
    return _sibling(place, "PositionSensor")


def sibling_brake(place: Place) -> Constant:
    """Return the tag of the brake on the same axis, or 0."""
    return _sibling(place, "Brake")


def coupled_motors(place: Place) -> Constant:
    """Return tags of the other motors that share the part of the name before "::" (manual, chapter Motor)."""
    group, mark, _ = place.name.partition(_COUPLING)
    return [
        other.tag
        for other in place.robot
        if mark
        and other is not place
        and other.is_a("Motor")
        and other.name.partition(_COUPLING)[:2] == (group, mark)
    ]


def lowest_value(place: Place) -> Constant:
    """Return the smallest response value of the lookup table, 0 if the table is empty."""
    return min((row[1] for row in place.node.get("lookupTable")), default=0.0)


def highest_value(place: Place) -> Constant:
    """Return the largest response value of the lookup table, 0 if the table is empty."""
    return max((row[1] for row in place.node.get("lookupTable")), default=0.0)


def projection(place: Place) -> Constant:
    """Return the projection of a Camera or RangeFinder; `spherical` TRUE in older releases means
    cylindrical."""
    value = place.node.get("projection")
    return "cylindrical" if value == "planar" and place.node.get("spherical") else value


def lidar_projection(place: Place) -> Constant:
    """Return the projection of a Lidar; `spherical` FALSE in older releases means planar."""
    value = place.node.get("projection")
    return "planar" if value == "cylindrical" and not place.node.get("spherical") else value


def bone_names(place: Place) -> Constant:
    """Return the names of the solids that a Skin's bones refer to."""
    bones = [bone.root for bone in place.node.get("bones")]
    return [str(bone.get("solidName")) for bone in bones if bone.is_a("SolidReference")]


def _sibling(place: Place, kind: str) -> int:
    return next((sibling.tag for sibling in place.siblings if sibling is not place and sibling.is_a(kind)), 0)
