"""Forces, torques and moves by dragging solids in the 3D view.

Source: Webots' guide, chapter The 3D Window: the force is dragForceScale * mass * d^3 along the dragged
vector, from the point that was taken; the torque is dragTorqueScale * mass * d^3, from the center of mass. A
solid that is moved stands still until it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from time import monotonic
from typing import NamedTuple

from wbridge.wbcore.physics.changes import frame_above
from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import (
    Pose,
    Vec3,
    add,
    axis_angle,
    length,
    multiply,
    rotate,
    scaled,
    sub,
    to_axis_angle,
)
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.building import title_of
from wbridge.wbcore.windows.history import History
from wbridge.wbcore.windows.interventions import Interventions
from wbridge.wbcore.windows.joint_axes import JointAxis, joint_axis

FORCE, TORQUE = "force", "torque"
FORCE_SCALE, TORQUE_SCALE = 30.0, 5.0
LONGEST = 10.0
"""Length (m) of a dragged vector at which force and torque grow no more."""
FARTHEST = 1e4
"""Maximum coordinate (m) to which a solid can be moved."""
RENEWAL_S = 1.0
"""Real time (s) after which a drag ends whose page does not renew it: the page may have vanished."""
MOST_FACTOR = 100.0
"""Largest factor by which one drag scales."""
MOST = 64
"""Maximum solids that are dragged at the same time."""


@dataclass
class _Pull:
    """A force or a torque."""

    kind: str
    until: float
    point: Vec3
    """In the solid's frame (m)."""
    end: Vec3
    """Where the pointer is (m, world)."""
    size: float = 0.0
    """N or N m."""


@dataclass
class _Move:
    """A change of place; all solids that move together have the same gesture."""

    until: float
    gesture: object
    start: Pose
    """The solid's pose in the world at the beginning."""
    scale: Vec3 | None
    """At the beginning; None: it cannot be scaled."""
    axis: JointAxis | None
    """The joint along which the solid moves."""
    changed: set[str] = field(default_factory=set)
    """The fields that it has set."""


class PoseChange(NamedTuple):
    """What a move changes, from its beginning."""

    way: Vec3
    """m, in the axes of the world."""
    turn: Vec3
    """Axis in the world, as long as the angle (rad)."""
    factor: float = 1.0
    """Of the scale."""


class Drags:
    """The solids that pages drag, by their numbers."""

    def __init__(self, interventions: Interventions, history: History) -> None:
        self._does, self._history = interventions, history
        interventions.each_step.append(self._act)
        self._dragged: dict[int, _Pull | _Move] = {}
        self._refused: set[int] = set()
        """Solids that cannot be pulled and whose page knows it: it may renew the drag until it drops them."""

    def pull(self, simulation: Simulation, kind: str, number: int, point: Vec3, end: Vec3) -> None:
        """Begin or renew a force or torque.

        Args:
            simulation: that of the solid.
            kind: `FORCE` or `TORQUE`.
            number: of the solid.
            point: that was taken, in the frame of the solid's body (m).
            end: where the pointer is (m).

        Raises:
            ValueError: the solid cannot be pushed; once for each drag.
        """
        _check(*point, *end)
        solid = _solid(simulation, self._does.user.node(number))
        if not solid.body.is_dynamic:
            if number in self._refused:
                return
            self._refused.add(number)
            raise ValueError("this solid has no Physics: a force has no effect on it; hold Shift to move it")
        inner = solid.offset.rigid.relative(Pose(point)).position
        self._begin(number, _Pull(kind, monotonic() + RENEWAL_S, inner, end))

    def move(self, simulation: Simulation, nodes: Sequence[Node], begins: bool, change: PoseChange) -> None:
        """Begin or continue a move of solids.

        Args:
            simulation: that of the solids.
            nodes: the one that is dragged, then those that come with it as if they were fixed to it; the end
                points of joints move along these.
            begins: the move begins here; a move that has ended is not continued.
            change: from the pose at the beginning.

        Raises:
            ValueError: a solid cannot be moved or scaled so.
        """
        _check(*change.way, *change.turn, change.factor)
        if begins:
            self._begin_move(simulation, nodes)
        drag = self._dragged.get(simulation.nodes.number(nodes[0]))
        if not isinstance(drag, _Move):
            return
        for number, other in self._with(drag):
            other.until = monotonic() + RENEWAL_S
            self._place(number, other, drag.start.position, change)

    def _begin_move(self, simulation: Simulation, nodes: Sequence[Node]) -> None:
        gesture = object()
        for node in nodes:
            if node is not nodes[0] and node.root not in simulation.physics.handles.solids:
                continue  # a selected part without a place of its own
            solid = _solid(simulation, node)
            _check_lock(solid)
            start, axis = simulation.physics.solid_pose(solid).rigid, joint_axis(simulation, solid)
            scale = node.get("scale") if "scale" in node.spec.fields else None
            self._begin(simulation.nodes.number(node), _Move(0.0, gesture, start, scale, axis))

    def _with(self, drag: _Move) -> list[tuple[int, _Move]]:
        """Return the moves of a gesture, by their numbers."""
        moves = [(number, move) for number, move in self._dragged.items() if isinstance(move, _Move)]
        return [(number, move) for number, move in moves if move.gesture is drag.gesture]

    def _place(self, number: int, drag: _Move, pivot: Vec3, change: PoseChange) -> None:
        """Set the fields that a move changes; those that it has changed before go back with it.

        Args:
            number: of the solid.
            drag: of the solid.
            pivot: what is dragged turns and grows about it (m, world).
            change: since the beginning.
        """
        node, start = self._does.user.node(number), drag.start
        if drag.axis is not None:
            joint = self._does.simulation.nodes.number(drag.axis.parameters)
            self._set(joint, "position", drag.axis.moved(change.way, change.turn), node, drag)
            return
        turn = axis_angle(change.turn, length(change.turn))
        arm = rotate(turn, scaled(sub(start.position, pivot), change.factor))
        position = add(add(pivot, arm), change.way)
        place = frame_above(node.root).rigid.relative(Pose(position, multiply(turn, start.orientation)))
        _check(*place.position)
        values: dict[str, object] = {}
        if change.factor != 1.0 or "scale" in drag.changed:
            values["scale"] = _scaled(node, drag.scale, change.factor)
        if position != start.position or "translation" in drag.changed:
            values["translation"] = place.position
        if any(change.turn) or "rotation" in drag.changed:
            values["rotation"] = to_axis_angle(place.orientation)
        for name, value in values.items():
            self._set(number, name, value, node, drag)
        drag.changed |= values.keys()

    def _set(self, number: int, name: str, value: object, node: Node, drag: _Move) -> None:
        act = partial(self._does.do, "set", number, name, -1, value)
        self._history.make(f"Move {title_of(node)}", act, gesture=drag.gesture)

    def _begin(self, number: int, drag: _Pull | _Move) -> None:
        if number not in self._dragged and len(self._dragged) >= MOST:
            raise ValueError(f"{MOST} solids are dragged already")
        self._dragged[number] = drag

    def drop(self, number: int) -> None:
        """End a drag, with what came along."""
        drag = self._dragged.pop(number, None)
        self._refused.discard(number)
        if isinstance(drag, _Move):
            for other, _ in self._with(drag):
                del self._dragged[other]

    def clear(self) -> None:
        """End all drags."""
        self._dragged.clear()
        self._refused.clear()

    def shown(self) -> list[dict[str, object]]:
        """Return the forces and torques, for pages: node, kind, size (N or N m)."""
        return [
            {"node": number, "kind": pull.kind, "size": round(pull.size, 4)}
            for number, pull in self._dragged.items()
            if isinstance(pull, _Pull)
        ]

    def _act(self) -> None:
        """Push, turn and hold before a step."""
        if not self._dragged:
            return
        now = monotonic()
        for number, drag in list(self._dragged.items()):
            if now > drag.until:
                del self._dragged[number]
                continue
            try:
                self._apply(number, drag)
            except (ValueError, SimulationError):
                del self._dragged[number]  # it was removed, or lost its Physics

    def _apply(self, number: int, drag: _Pull | _Move) -> None:
        if isinstance(drag, _Move):
            self._does.do("hold", number)
            return
        simulation = self._does.simulation
        solid = _solid(simulation, self._does.user.node(number))
        mass = solid.mass.mass if solid.mass is not None else 0.0
        if drag.kind == FORCE:
            origin = simulation.physics.solid_pose(solid).rigid.point(drag.point)
            pull = scaled(
                _cubed(sub(drag.end, origin)), _scale(simulation, "dragForceScale", FORCE_SCALE) * mass
            )
            drag.size = length(pull)
            self._does.do("push", number, pull, drag.point)
            return
        body = simulation.physics.handles.bodies[solid.body]
        twist = _cubed(sub(drag.end, body.center_of_mass))
        twist = scaled(twist, _scale(simulation, "dragTorqueScale", TORQUE_SCALE) * mass)
        drag.size = length(twist)
        self._does.do("turn", number, twist)


def _check(*numbers: float) -> None:
    if not all(isfinite(number) and abs(number) <= FARTHEST for number in numbers):
        raise ValueError(f"places must be finite and within {FARTHEST:g} m")


def _solid(simulation: Simulation, node: Node) -> SolidPlan:
    solid = simulation.physics.handles.solids.get(node.root)
    if solid is None:
        raise ValueError("only solids can be dragged")
    return solid


def _check_lock(solid: SolidPlan) -> None:
    """Raise ValueError if a solid, or one that carries it, has the field `locked`. Source: manual, Fluid."""
    part: SolidPlan | None = solid
    while part is not None:
        if part.node.get("locked"):
            name = title_of(part.node)
            raise ValueError(f"{name} is locked: set its field locked to FALSE to move it")
        part = part.parent


def _cubed(way: Vec3) -> Vec3:
    """Return a vector of the cube of a vector's length, in its direction."""
    far = length(way)
    return scaled(way, min(far, LONGEST) ** 3 / far) if far > 0 else way


def _scaled(node: Node, scale: Vec3 | None, factor: float) -> Vec3:
    if scale is None:
        raise ValueError(f"{title_of(node)} has no scale: change the sizes of its geometry")
    if not 1 / MOST_FACTOR <= factor <= MOST_FACTOR:
        raise ValueError(f"a drag scales by {1 / MOST_FACTOR:g} to {MOST_FACTOR:g}")
    return scaled(scale, factor)


def _scale(simulation: Simulation, name: str, default: float) -> float:
    info = simulation.world.first("WorldInfo")
    return float(info.get(name)) if info is not None and name in info.spec.fields else default
