"""Forces, torques and moves by dragging solids in the 3D view.

Source: Webots' guide, chapter The 3D Window: the force is dragForceScale * mass * d^3 along the dragged
vector, from the point that was taken; the torque is dragTorqueScale * mass * d^3, from the center of mass. A
solid that is moved stands still until it is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import isfinite
from time import monotonic

from wbridge.wbcore.physics.changes import frame_above
from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import (
    ZERO,
    Pose,
    Vec3,
    add,
    axis_angle,
    length,
    multiply,
    scaled,
    sub,
    to_axis_angle,
)
from wbridge.wbcore.physics.settings import directions
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.building import title_of
from wbridge.wbcore.windows.history import History
from wbridge.wbcore.windows.interventions import Interventions

__all__ = ["FORCE", "MOVE", "TORQUE", "Drags"]

FORCE, TORQUE, MOVE = "force", "torque", "move"
FORCE_SCALE, TORQUE_SCALE = 30.0, 5.0
LONGEST = 10.0
"""Length (m) of a dragged vector at which force and torque grow no more."""
FARTHEST = 1e4
"""Maximum coordinate (m) to which a solid can be moved."""
RENEWAL_S = 1.0
"""Real time (s) after which a drag ends whose page does not renew it: the page may have vanished."""
MOST = 8
"""Maximum solids that are dragged at the same time."""


@dataclass
class _Drag:
    kind: str
    until: float
    point: Vec3
    """In the solid's frame (m)."""
    end: Vec3
    """Where the pointer is (m, world)."""
    start: Pose | None = None
    """Of moves: the solid's pose in the world at the beginning."""
    size: float = 0.0
    """The force (N) or torque (N m)."""
    gesture: object = None
    """Of moves: what they have in common for undo."""


class Drags:
    """The solids that pages drag, by their numbers."""

    def __init__(self, interventions: Interventions, history: History) -> None:
        self._does, self._history = interventions, history
        interventions.each_step.append(self._act)
        self._dragged: dict[int, _Drag] = {}
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
        self._begin(number, _Drag(kind, monotonic() + RENEWAL_S, inner, end))

    def move(self, simulation: Simulation, number: int, begins: bool, way: Vec3, angle: float) -> None:
        """Begin or continue a move of a solid.

        Args:
            simulation: that of the solid.
            number: of the solid.
            begins: the move begins here; a move that has ended is not continued.
            way: from the pose at the beginning (m, world axes).
            angle: the same, about the world's vertical axis (rad).

        Raises:
            ValueError: the solid cannot be moved.
        """
        _check(*way, angle)
        node = self._does.user.node(number)
        solid = _solid(simulation, node)
        known = self._dragged.get(number)
        if begins:
            start = simulation.physics.solid_pose(solid).rigid
        elif known is not None and known.start is not None:
            start = known.start
        else:
            return
        turn = multiply(axis_angle(_up(simulation), angle), start.orientation)
        place = frame_above(node.root).rigid.relative(Pose(add(start.position, way), turn))
        _check(*place.position)
        drag = _Drag(MOVE, monotonic() + RENEWAL_S, ZERO, ZERO, start)
        drag.gesture = known.gesture if known is not None and not begins else object()
        self._set(node, number, drag, "translation", place.position)
        if angle:
            self._set(node, number, drag, "rotation", to_axis_angle(place.orientation))
        self._begin(number, drag)

    def _set(self, node: Node, number: int, drag: _Drag, field: str, value: object) -> None:
        act = partial(self._does.do, "set", number, field, -1, value)
        self._history.make(f"Move {title_of(node)}", act, gesture=drag.gesture)

    def _begin(self, number: int, drag: _Drag) -> None:
        if number not in self._dragged and len(self._dragged) >= MOST:
            raise ValueError(f"{MOST} solids are dragged already")
        self._dragged[number] = drag

    def drop(self, number: int) -> None:
        """End a drag."""
        self._dragged.pop(number, None)
        self._refused.discard(number)

    def clear(self) -> None:
        """End all drags."""
        self._dragged.clear()
        self._refused.clear()

    def shown(self) -> list[dict[str, object]]:
        """Return the forces and torques, for pages: node, kind, size (N or N m)."""
        drags = self._dragged.items()
        return [
            {"node": n, "kind": handle.kind, "size": round(handle.size, 4)}
            for n, handle in drags
            if handle.kind != MOVE
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

    def _apply(self, number: int, drag: _Drag) -> None:
        if drag.kind == MOVE:
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


def _cubed(way: Vec3) -> Vec3:
    """Return a vector of the cube of a vector's length, in its direction."""
    far = length(way)
    return scaled(way, min(far, LONGEST) ** 3 / far) if far > 0 else way


def _up(simulation: Simulation) -> Vec3:
    info = simulation.world.first("WorldInfo")
    return directions(str(info.get("coordinateSystem")) if info is not None else "ENU")[1]


def _scale(simulation: Simulation, name: str, default: float) -> float:
    info = simulation.world.first("WorldInfo")
    return float(info.get(name)) if info is not None and name in info.spec.fields else default
