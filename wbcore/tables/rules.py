"""Constants of devices that no field holds: the rules that the catalogue names with '@'.

Each public function below is a rule; its name is the rule's name. A rule is given the place of a device and
returns the constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hal.catalogue import Constant
from wbcore.scene.node import Node

_COUPLING = "::"


@dataclass(eq=False, slots=True)
class Place:
    """Where a device stands: its node, what holds it, and the robot's other devices."""

    node: Node
    """The built-in node of the device."""
    holder: Node | None = None
    """The joint, track or propeller whose device list it stands in; None for devices among children."""
    siblings: list[Place] = field(default_factory=list, repr=False)
    """All devices of that list, this one included."""
    tag: int = 0
    robot: list[Place] = field(default_factory=list, repr=False)
    """All devices of the robot in the order of their tags."""
    of_old: str = ""
    """Node type of the device in today's terms, where the node is of another one (see `former_types`)."""
    values: Callable[[], dict[str, Any]] | None = None
    """Values of that type's fields then."""
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
        """What tells the device from others: one node may be several devices."""
        return self.node, self.of_old, self.name if self.of_old else ""

    def is_a(self, base: str) -> bool:
        """True for a device of this type or one derived from it."""
        if not self.of_old:
            return self.node.is_a(base)
        return base == self.of_old or (base == "Motor" and self.of_old.endswith("Motor"))

    def get(self, name: str) -> Any:
        """The value of a field; None when there is no such field."""
        if self.values is not None:
            return self.values().get(name)
        return self.node.get(name) if name in self.node.spec.fields else None


def is_supervisor(place: Place) -> Constant:
    """True for a robot with the field supervisor TRUE, and for the Supervisor node of 8.3.1."""
    return place.node.is_a("Supervisor") or bool(place.node.get("supervisor"))


def joint_type(place: Place) -> Constant:
    """What a motor, brake or position sensor at this place moves along: "linear" or "rotational"."""
    holder = place.holder
    linear = holder is not None and (
        holder.is_a("SliderJoint")
        or holder.is_a("Track")
        or (holder.is_a("Servo") and holder.get("type") == "linear")
    )
    return "linear" if linear else "rotational"


def sibling_motor(place: Place) -> Constant:
    """Tag of the motor at the same axis, 0 when there is none."""
    return _sibling(place, "Motor")


def sibling_position_sensor(place: Place) -> Constant:
    """Tag of the position sensor at the same axis, 0 when there is none."""
    return _sibling(place, "PositionSensor")


def sibling_brake(place: Place) -> Constant:
    """Tag of the brake at the same axis, 0 when there is none."""
    return _sibling(place, "Brake")


def coupled_motors(place: Place) -> Constant:
    """Tags of the other motors that share the part of the name before "::" (manual, chapter Motor)."""
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
    """The least response value of the lookup table, 0 when the table is empty."""
    return min((row[1] for row in place.node.get("lookupTable")), default=0.0)


def highest_value(place: Place) -> Constant:
    """The greatest response value of the lookup table, 0 when the table is empty."""
    return max((row[1] for row in place.node.get("lookupTable")), default=0.0)


def projection(place: Place) -> Constant:
    """The projection of a Camera or RangeFinder; `spherical` TRUE of former releases means cylindrical."""
    value = place.node.get("projection")
    return "cylindrical" if value == "planar" and place.node.get("spherical") else value


def lidar_projection(place: Place) -> Constant:
    """The projection of a Lidar; `spherical` FALSE of former releases means planar."""
    value = place.node.get("projection")
    return "planar" if value == "cylindrical" and not place.node.get("spherical") else value


def bone_names(place: Place) -> Constant:
    """Names of the solids that a Skin's bones refer to."""
    bones = [bone.root for bone in place.node.get("bones")]
    return [str(bone.get("solidName")) for bone in bones if bone.is_a("SolidReference")]


def _sibling(place: Place, kind: str) -> int:
    return next((one.tag for one in place.siblings if one is not place and one.is_a(kind)), 0)
