"""Adapts bundled models to worlds from before R2022a, so that a model's z axis points along the world's y.

Old worlds had y up, x north and z east, and their robots looked along -z; since R2022a x is east, y north
and z up, and robots look along x. In an old world the contents of such a model are therefore rotated inside
its root node, which keeps the pose that the world defines. Nodes that the world itself puts into the model
(slots) are rotated back. Cars looked along z, and the contents of their sensor slots along -z, like a
separate robot; so did sensors and other parts of robots.

A few robots had z up and looked along x at all times. In old worlds a default rotation, about the world's x
axis, stood them up; neither they nor their slots are rotated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wbridge.wbcore.scene.node import Field, Node, adopt
from wbridge.wbcore.scene.proto import ProtoDefinition
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.scene.version import Version

Vector = tuple[float, ...]
_THIRD, _HALF = 1 / math.sqrt(3), 1 / math.sqrt(2)


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation that maps axes to axes: `rows` is its matrix, `rotation` the same as axis and angle."""

    rows: tuple[Vector, Vector, Vector]
    rotation: Vector

    @property
    def back(self) -> Vector:
        """The inverse rotation."""
        return (*self.rotation[:3], -self.rotation[3])

    def apply(self, vector: Vector) -> Vector:
        """Return the rotated vector."""
        return tuple(sum(m * v for m, v in zip(row, vector, strict=True)) for row in self.rows)


OBJECT = Turn(((0, 1, 0), (0, 0, 1), (1, 0, 0)), (-_THIRD, -_THIRD, -_THIRD, 2 * math.pi / 3))
ROBOT = Turn(((0, -1, 0), (0, 0, 1), (-1, 0, 0)), (-_THIRD, _THIRD, _THIRD, 2 * math.pi / 3))
RAY = Turn(((1, 0, 0), (0, 0, 1), (0, -1, 0)), (1, 0, 0, -math.pi / 2))
"""Of what looks along x in all releases: distance and light sensors, and robots that had z up."""
_FIRST = Version.parse("V0.0.0")
_Z_UP = {
    **dict.fromkeys("Atlas Kinova_Gen3_7DOF Tiago TiagoBase TiagoIron TiagoLite TiagoSteel".split(), _FIRST),
    **dict.fromkeys("Pr2 UR10e UR3e UR5e Youbot".split(), _FIRST),
    "Nao": Version.parse("V7.0.0"),
}
"""Robots that had z up in worlds with y up, and since which release: by the defaults in Webots' guide, and by
rotations in public worlds."""
_SIDEWAYS = {"E-puckGroundSensors": Turn(((-1, 0, 0), (0, 0, 1), (0, 1, 0)), (0, _HALF, _HALF, math.pi))}
"""Models whose default rotation since R2022a is about z; before, they had the same place without one."""
_PARTS = ("robots", "sensors")
"""Folders of models that robots carry."""


def is_turned(instance: Node, definition: ProtoDefinition, bundled: str) -> bool:
    """True for an instance of a bundled model in a file whose worlds have y up."""
    source = instance.source
    if source is None or source.dialect.z_up or not definition.source.dialect.z_up:
        return False
    return bool(bundled) and definition.source.path.startswith(bundled)


def had_z_up(instance: Node, definition: ProtoDefinition) -> bool:
    """True for an instance, in a file whose worlds have y up, of a model that had z up nevertheless."""
    since = _Z_UP.get(definition.name)
    return since is not None and instance.source is not None and instance.source.dialect.version >= since


def is_part(definition: ProtoDefinition) -> bool:
    """True for a bundled model that is a robot or that robots carry."""
    return any(folder in _PARTS for folder in Path(definition.source.path).parts[-4:-1])


_SIZES = ("size", "floorSize", "tileSize", "floorTileSize", "stepSize", "landingSize", "increment")
_PATHS = ("wayPoints", "shape", "path")


def own_parameters(instance: Node, has_z_up: bool = False) -> dict[str, Field]:
    """Return the instance's fields in the model's convention: sizes and paths in the order of its own axes.

    If the world gives no position or rotation, it is the default in the axes of old worlds.

    Args:
        instance: an instance of a bundled model.
        has_z_up: the model had z up before R2022a (`had_z_up`), and its default rotation stood it up.
    """
    fields = dict(instance.fields)
    for name in _SIZES:
        size = fields.get(name)
        if size is not None and size.given and size.spec.type in ("SFVec2f", "SFVec3f"):
            # (x, y, z) was (north, up, east) and is (east, north, up).
            fields[name] = Field(size.spec, (size.value[-1], *size.value[:-1]), size.source, size.offset)
    for name in _PATHS:
        path = fields.get(name)
        if path is not None and path.given and path.spec.type == "MFVec3f":
            points = VecArray(3, [(point[-1], *point[:-1]) for point in path.value])
            fields[name] = Field(path.spec, points, path.source, path.offset)
    translation = fields.get("translation")
    if translation is not None and translation.value == instance.spec.fields["translation"].default:
        _set_default(translation, OBJECT.apply(translation.value))
    rotation = fields.get("rotation")
    if rotation is not None and has_z_up:
        _set_default(rotation, RAY.rotation)
    elif rotation is not None and instance.type in _SIDEWAYS:
        _set_default(rotation, (0.0, 1.0, 0.0, 0.0))
    return fields


def _set_default(field: Field, value: Vector) -> None:
    """Give a field the default of old worlds, unless the file gives a value; saved files do not name it."""
    if not field.given:
        field.spec, field.value = replace(field.spec, default=value), value


_CARS = "AckermannVehicle"
"""The base model of all cars."""
_ROBOT_SLOTS = "sensorsSlot"
"""Prefixes of fields whose nodes look along -z in any model."""

Given = dict[Node, Turn | None]
"""Nodes that the world's file puts into a model: the rotation to undo, if different from the others'."""


def given_nodes(instance: Node) -> Given:
    """Return the nodes that the file puts into an instance of a model."""
    given: Given = dict.fromkeys(instance.child_nodes())
    for name, field in instance.fields.items():
        if name.startswith(_ROBOT_SLOTS) and isinstance(field.value, list):
            given.update(dict.fromkeys(field.value, ROBOT))
    return given


def turn(body: Node, given: Given, definition: ProtoDefinition, instance: Node) -> None:
    """Rotate the contents of an expanded body.

    Args:
        body: the node that a PROTO expands to.
        given: the nodes that the world's file puts into it.
        definition: the PROTO.
        instance: its instance, which for the base of a derived PROTO is the body of another instance.
    """
    if body.spec.is_a("Light"):
        _turn_light(body)
    if not body.spec.is_a("Pose"):
        return
    how = _how(body, definition)
    if body.spec.is_a("Device"):
        body.source = _outermost(instance).source  # looks along the axis of that file's release
    for holder in [body, *_inner(body, given)]:
        _turn_back(holder, given, how)
    for name in ("children", "boundingObject"):
        _wrap(body, name, how.rotation)
    if body.spec.is_a("Solid"):
        _turn_physics(body, given, how)


def _how(body: Node, definition: ProtoDefinition) -> Turn:
    if definition.name in _SIDEWAYS:
        return _SIDEWAYS[definition.name]
    if body.spec.is_a("DistanceSensor") or body.spec.is_a("LightSensor"):
        return RAY
    is_robot = body.spec.is_a("Robot") and definition.name != _CARS
    return ROBOT if is_robot or is_part(definition) else OBJECT


def _outermost(instance: Node) -> Node:
    """Return the instance in the file of the user whose body, or whose body's body, is this one's."""
    outer = instance
    while outer.parent is not None and outer.parent.body is outer:
        outer = outer.parent
    return outer


def _turn_light(light: Node) -> None:
    """Rotate the place and direction of a light; what the world's file says of them is in its axes."""
    for name in ("direction", "location"):
        field = light.fields.get(name)
        if field is not None and field.source is not None and field.source.dialect.z_up:
            light.fields[name] = Field(field.spec, OBJECT.apply(field.value), field.source, field.offset)


def _inner(body: Node, given: Given) -> list[Node]:
    """Return the nodes of the body itself, without those from the world's file."""
    found: list[Node] = []
    stack = list(body.child_nodes())
    while stack:
        node = stack.pop()
        if node not in given and node.use_of is None:
            found.append(node)
            stack.extend(node.child_nodes())
    return found


def _turn_back(holder: Node, given: Given, how: Turn) -> None:
    """Wrap nodes from the world's file among a holder's children into the inverse rotation."""
    field = holder.fields.get("children")
    if field is not None and field.value and field.value[0] in given:
        back = (given[field.value[0]] or how).back
        holder.fields["children"] = Field(field.spec, [_turned(holder, back, field)])
        adopt(holder, holder.fields["children"].value)


def _wrap(body: Node, name: str, rotation: Vector) -> None:
    field = body.fields.get(name)
    if field is None or not field.value:
        return
    many = field.spec.type == "MFNode"
    inner = field if many else Field(field.spec, [field.value])
    wrapped = _turned(body, rotation, inner)
    body.fields[name] = Field(field.spec, [wrapped] if many else wrapped)
    adopt(body, body.fields[name].value)


def _turned(parent: Node, rotation: Vector, children: Field) -> Node:
    """Return a Pose with this rotation and these children."""
    spec = schema().node("Pose")
    assert spec is not None, "the newest schema has Pose"
    made = Node(spec, parent.source, parent.offset)
    made.fields["rotation"] = Field(spec.fields["rotation"], rotation)
    made.fields["children"] = children
    adopt(made, children.value)
    return made


def _turn_physics(body: Node, given: Given, how: Turn) -> None:
    physics = body.get("physics")
    if physics is None or physics in given:
        return
    physics = physics.root
    center = physics.fields.get("centerOfMass")
    if center is not None:
        physics.fields["centerOfMass"] = Field(center.spec, _turned_vectors(center.value, how))
    inertia = physics.fields.get("inertiaMatrix")
    if inertia is not None and len(inertia.value) == 2:
        physics.fields["inertiaMatrix"] = Field(inertia.spec, _turned_inertia(inertia.value, how))


def _turned_vectors(value: Any, how: Turn) -> Any:
    if isinstance(value, VecArray):
        return VecArray(3, [how.apply(vector) for vector in value])
    return how.apply(value)


def _turned_inertia(value: VecArray, how: Turn) -> VecArray:
    """Return R I R^T for the matrix given by its diagonal and its products."""
    (xx, yy, zz), (xy, xz, yz) = value
    matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    half = [how.apply(column) for column in matrix]
    rows = [how.apply(column) for column in zip(*half, strict=True)]
    return VecArray(3, [(rows[0][0], rows[1][1], rows[2][2]), (rows[0][1], rows[0][2], rows[1][2])])
