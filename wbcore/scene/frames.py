"""Bundled models in worlds from before R2022a: turned so that their z axis points along the world's y.

Old worlds had y up, x to the north and z to the east, and their robots looked along -z; since then
x is east, y north and z up, and robots look along x. In an old world the contents of such a model
are therefore turned inside of its root node, which keeps the pose that the world gives it; what the
world itself puts into the model (slots) is turned back. Cars looked along z, and what was put into
their slots for sensors looked along -z, like a robot of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .node import Field, Node, adopt
from .proto import ProtoDefinition
from .schema import schema
from .values import VecArray

Vector = tuple[float, ...]
_THIRD = 1 / math.sqrt(3)


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation that maps axes to axes. `rows` is its matrix; `rotation` the same as axis and angle."""

    rows: tuple[Vector, Vector, Vector]
    rotation: Vector

    @property
    def back(self) -> Vector:
        """The inverse rotation."""
        return (*self.rotation[:3], -self.rotation[3])

    def apply(self, vector: Vector) -> Vector:
        """The turned vector."""
        return tuple(sum(m * v for m, v in zip(row, vector, strict=True)) for row in self.rows)


OBJECT = Turn(((0, 1, 0), (0, 0, 1), (1, 0, 0)), (-_THIRD, -_THIRD, -_THIRD, 2 * math.pi / 3))
ROBOT = Turn(((0, -1, 0), (0, 0, 1), (-1, 0, 0)), (-_THIRD, _THIRD, _THIRD, 2 * math.pi / 3))


def is_turned(instance: Node, definition: ProtoDefinition, bundled: str) -> bool:
    """True for an instance of a bundled model in a file whose worlds have y up."""
    source = instance.source
    if source is None or source.dialect.z_up or not definition.source.dialect.z_up:
        return False
    return bool(bundled) and definition.source.path.startswith(bundled)


_SIZES = ("size", "floorSize", "tileSize", "floorTileSize", "stepSize")
_PATHS = ("wayPoints", "shape")


def own_parameters(instance: Node) -> dict[str, Field]:
    """The instance's fields as the model understands them: sizes and paths in the order of its own axes.

    The model's default position, when the world gives none, is turned into the world's axes.
    """
    fields = dict(instance.fields)
    for name in _SIZES:
        size = fields.get(name)
        if size is not None and size.given and size.spec.type in ("SFVec2f", "SFVec3f"):
            # (x, y, z) was (north, up, east), and is (east, north, up)
            fields[name] = Field(size.spec, (size.value[-1], *size.value[:-1]), size.source, size.offset)
    for name in _PATHS:
        path = fields.get(name)
        if path is not None and path.given and path.spec.type == "MFVec3f":
            points = VecArray(3, [(point[-1], *point[:-1]) for point in path.value])
            fields[name] = Field(path.spec, points, path.source, path.offset)
    translation = fields.get("translation")
    if translation is not None and not translation.given and translation.value == translation.spec.default:
        translation.value = OBJECT.apply(translation.value)
    return fields


_CARS = "AckermannVehicle"
"""The model that all cars are made of."""
_ROBOT_SLOTS = "sensorsSlot"
"""So begin the names of fields whose nodes look along -z in any model."""

Given = dict[Node, Turn | None]
"""Nodes that the world's own file puts into a model: how their axes are to be turned back, if not as all."""


def given_nodes(instance: Node) -> Given:
    """The nodes that an instance of a model is given."""
    given: Given = dict.fromkeys(instance.child_nodes())
    for name, field in instance.fields.items():
        if name.startswith(_ROBOT_SLOTS) and isinstance(field.value, list):
            given.update(dict.fromkeys(field.value, ROBOT))
    return given


def turn(body: Node, given: Given, model: str) -> None:
    """Turn the contents of an expanded body.

    Args:
        body: node that a PROTO is expanded to.
        given: what the world's own file put into it.
        model: the name of the PROTO.
    """
    if not body.spec.is_a("Solid") or body.spec.is_a("Device"):
        return
    how = ROBOT if body.spec.is_a("Robot") and model != _CARS else OBJECT
    for holder in [body, *_inner(body, given)]:
        _turn_back(holder, given, how)
    for name in ("children", "boundingObject"):
        _wrap(body, name, how.rotation)
    _turn_physics(body, given, how)


def _inner(body: Node, given: Given) -> list[Node]:
    """The nodes of the body itself, without those that the world's file put into it."""
    found: list[Node] = []
    stack = list(body.child_nodes())
    while stack:
        node = stack.pop()
        if node not in given and node.use_of is None:
            found.append(node)
            stack.extend(node.child_nodes())
    return found


def _turn_back(holder: Node, given: Given, how: Turn) -> None:
    """Wrap what the world's file put among a holder's children into the inverse rotation."""
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
    """A Pose with this rotation and these children."""
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
        return VecArray(3, [how.apply(one) for one in value])
    return how.apply(value)


def _turned_inertia(value: VecArray, how: Turn) -> VecArray:
    """R I R^T for the matrix given by its diagonal and its products."""
    (xx, yy, zz), (xy, xz, yz) = value
    matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    half = [how.apply(column) for column in matrix]
    rows = [how.apply(column) for column in zip(*half, strict=True)]
    return VecArray(3, [(rows[0][0], rows[1][1], rows[2][2]), (rows[0][1], rows[0][2], rows[1][2])])
