"""Build the device table of each robot in a world from the scene tree, without a simulation.

Devices are numbered in Webots' order: depth first through the children of the robot, a solid device before
its children, a track's and a joint's devices before what is attached to them. Robots inside a robot have
their own tables. The fields `slowHelix` and `fastHelix` of a Propeller and a joint's SolidReference are not
searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wbridge.hal.catalogue import Constant, ConstantSpec, DeviceKind, kind
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.tables import rules
from wbridge.wbcore.scene.tables.former_types import camera_place, encoder_of, servo_places, wheel_places
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.scene.world import World

__all__ = [
    "Channel",
    "DeviceEntry",
    "DeviceTable",
    "device_entry",
    "device_places",
    "device_table",
    "device_tables",
    "robots",
]

JOINT_LISTS = ("device", "device2", "device3")
TRACK_LISTS = ("motor", "device")
"""`device` was called `motor` before V8.2."""


def device_tables(world: World) -> list[DeviceTable]:
    """Return the device tables of all robots of a loaded world, in scene-tree order."""
    lookup = _WorldInfo(world)
    return [_table(robot, lookup) for robot in robots(world.nodes)]


def device_table(robot: Node, world: World, places: list[Place] | None = None) -> DeviceTable:
    """Return the device table of one robot (its built-in node).

    Args:
        robot: the robot.
        world: its world.
        places: its devices, if `device_places` has found them already.
    """
    return _table(robot, _WorldInfo(world), places)


def device_entry(place: Place, world: World) -> DeviceEntry:
    """Return the row of one device, from its current fields."""
    return _device(place, _WorldInfo(world))


def robots(nodes: list[Node]) -> Iterator[Node]:
    """Iterate over the built-in nodes of all robots, in scene-tree order; robots inside robots follow
    theirs."""
    return (
        node for node in walk(nodes) if node.use_of is None and node.body is None and node.spec.is_a("Robot")
    )


def device_places(robot: Node) -> list[Place]:
    """Return the devices of a robot (its built-in node) in the order of their tags, which are set."""
    found: list[Place] = []
    stack: list[Node | Place] = [*reversed(_nodes(robot, "children"))]
    while stack:
        top = stack.pop()
        if isinstance(top, Place):
            found.append(top)
        else:
            stack.extend(reversed([*_parts(top.root)]))
    if robot.is_a("DifferentialWheels"):
        found += wheel_places(robot)
    for tag, place in enumerate(found, 1):
        place.tag, place.robot = tag, found
    return found


def _parts(node: Node) -> Iterator[Node | Place]:
    """Iterate over the devices of a node and the nodes below it that may have further ones, in order."""
    if node.is_a("Robot"):
        return
    for base, parts in _PARTS.items():
        if node.is_a(base):
            yield from parts(node)
            return


def _of_group(group: Node) -> Iterator[Node | Place]:
    if group.is_a("Servo"):
        yield from servo_places(group)
    elif group.is_a("Camera"):
        yield camera_place(group)
    elif group.is_a("Device"):
        yield Place(group)
    for name in TRACK_LISTS:
        yield from _listed(group, name)
    yield from _nodes(group, "children")


def _of_joint(joint: Node) -> Iterator[Node | Place]:
    for name in JOINT_LISTS:
        yield from _listed(joint, name)
    yield from _nodes(joint, "endPoint")


_PARTS: dict[str, Callable[[Node], Iterator[Node | Place]]] = {
    "Group": _of_group,
    "Joint": _of_joint,
    "Slot": lambda slot: iter(_nodes(slot, "endPoint")),
    "Propeller": lambda propeller: _listed(propeller, "device"),
    "Skin": lambda skin: iter([Place(skin)]),
}


def _listed(holder: Node, name: str) -> Iterator[Place]:
    """Iterate over a device list: at most one motor, position sensor and brake; others are skipped."""
    taken: dict[str, Place] = {}
    for node in _nodes(holder, name):
        kinds = [kind for kind in holder.spec.fields[name].allowed if node.root.is_a(kind)]
        if kinds and kinds[0] not in taken:
            taken[kinds[0]] = Place(node.root, holder)
    siblings = list(taken.values())
    for place in siblings:
        place.siblings = siblings
    yield from siblings


def _nodes(node: Node, name: str) -> list[Node]:
    """Return the nodes in a field; empty if the node has no such field."""
    value = node.get(name) if name in node.spec.fields else None
    if isinstance(value, Node):
        return [value]
    return [element for element in value if isinstance(element, Node)] if isinstance(value, list) else []


def _table(robot: Node, lookup: _WorldInfo, places: list[Place] | None = None) -> DeviceTable:
    places = device_places(robot) if places is None else places
    return DeviceTable(
        _device(Place(robot, robot=places), lookup),
        tuple(_device(place, lookup) for place in places),
    )


def _kind_of(place: Place) -> DeviceKind:
    found = kind(place.type)
    if found is None:
        raise KeyError(f"the device catalogue has no {place.type}")
    return found


def _device(place: Place, lookup: _WorldInfo) -> DeviceEntry:
    declared = _kind_of(place)
    constants = {constant.name: _constant(constant, place, lookup) for constant in declared.constants}
    model = place.get("model")
    return DeviceEntry(
        tag=place.tag,
        name=place.name,
        type=place.type,
        model=str(model) if model is not None else encoder_of(place),
        constants=constants,
        channels=tuple(
            Channel(
                channel.name, channel.direction, channel.type, channel.shape_for(constants), channel.enable
            )
            for channel in declared.channels
            if channel.exists_for(constants)
        ),
    )


def _constant(spec: ConstantSpec, place: Place, lookup: _WorldInfo) -> Constant:
    """Return the value of a constant from the first of its sources that has one."""
    for source in spec.source.split("|"):
        value = _sourced(source, place, lookup)
        if value is not None:
            return _CONVERT[spec.type](value)
    raise KeyError(f"no source of the constant {spec.name} ({spec.source}) has a value for {place.type}")


def _sourced(source: str, place: Place, lookup: _WorldInfo) -> Any:
    mark, rest = source[:1], source[1:]
    if mark == "=":
        return rest
    if mark == "@":
        return getattr(rules, rest)(place)
    if source.endswith("?"):
        return place.node.get(source[:-1]) is not None
    owner, _, name = source.rpartition(".")
    if owner == "WorldInfo":
        return lookup.get(name)
    if place.values is not None:
        return place.get(source)
    node = place.node.get(owner) if owner else place.node
    if not isinstance(node, Node) or name not in node.root.spec.fields:
        return None  # no node, or one of a wrong type, which the checks report
    return node.root.get(name)


class _WorldInfo:
    """Fields of the world's WorldInfo, or their defaults if it has none."""

    def __init__(self, world: World) -> None:
        found = (node.root for node in world.nodes if node.is_a("WorldInfo"))
        self._node = next(found, None)
        self._version = world.version

    def get(self, name: str) -> Any:
        if self._node is not None:
            return self._node.get(name)
        spec = schema(self._version).node("WorldInfo")
        return spec.fields[name].make_default() if spec is not None else None


def _truth(value: object) -> bool:
    return value == "true" if isinstance(value, str) else bool(value)


def _numbers(value: Any) -> list[float]:
    return [float(number) for number in value]


def _rows(value: Any) -> list[list[float]]:
    return [_numbers(row) for row in value]


_CONVERT: dict[str, Callable[[Any], Constant]] = {
    "bool": _truth,
    "i32": int,
    "f64": float,
    "text": str,
    "tag": int,
    "f64[]": _numbers,
    "i32[]": lambda value: [int(number) for number in value],
    "text[]": lambda value: [str(text) for text in value],
    "tag[]": lambda value: [int(tag) for tag in value],
    "table": _rows,
}
