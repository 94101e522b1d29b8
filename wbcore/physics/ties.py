"""Solids held together while a world runs: by connectors, grippers, or fixed to the world.

A tie is a fixed joint between the bodies of two solids. Ties belong to the state of a world. They survive a
rebuild of their parts and end when one of their solids is removed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Protocol

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.build import Handles, as_pose
from wbridge.wbcore.physics.errors import StateError
from wbridge.wbcore.physics.plan import BodyPlan, SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose, Vec3
from wbridge.wbcore.scene.node import Node

_RECORD, _COUNT = struct.Struct("<iiI14d"), struct.Struct("<I")
_WORLD = -1
_MOST_FREE = 4096
"""Maximum number of free joint slots to try when restoring a state."""


_Plans = tuple[BodyPlan, BodyPlan | None]
_Poses = tuple[Pose, Pose]


class Tie:
    """Fixes the body of a solid to another body or to the world."""

    def __init__(
        self, child: Node, parent: Node | None, joint: _engine.Joint, poses: _Poses, sign: float
    ) -> None:
        self.child = child
        self.parent = parent
        self.joint = joint
        self.poses = poses
        """Poses of both bodies (identity for the world) at which the tie is at rest."""
        self._sign = sign

    @property
    def force(self) -> Vec3:
        """Force of the tie on the child in the last step (N, world axes)."""
        # The engine reports the force on its own child; exchanged ends reverse it.
        x, y, z = self.joint.force_on_child
        return (x * self._sign, y * self._sign, z * self._sign)


class Physics(Protocol):
    """The interface of a world's physics that this module uses."""

    @property
    def engine(self) -> _engine.World:
        """The current engine; rebuilding the world replaces it."""

    @property
    def handles(self) -> Handles:
        """Engine objects by node."""

    def solid(self, node: Node) -> SolidPlan:
        """Return the plan of the solid that contains a node."""

    def solids(self) -> Iterator[SolidPlan]:
        """Iterate over all solids, in the order of the tree."""

    def body_pose(self, body: BodyPlan) -> Pose:
        """Return the current pose of a body's frame in the world."""


class Ties:
    """All ties of a world."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self._ties: list[Tie] = []
        self.version = 0
        """Counts changes."""

    def __iter__(self) -> Iterator[Tie]:
        return iter(self._ties)

    def __len__(self) -> int:
        return len(self._ties)

    def made_by(self, node: Node) -> Tie | None:
        """Return the tie whose child is this solid, if any."""
        return next((tie for tie in self._ties if tie.child is node), None)

    def body(self, node: Node) -> BodyPlan:
        """Return the body that carries a solid; solids without Physics follow one."""
        body = self._physics.solid(node).body
        while not body.is_dynamic and body.carrier is not None:
            body = body.carrier
        return body

    def tie(self, child: Node, parent: Node | None = None, poses: _Poses | None = None) -> Tie | None:
        """Fix two solids to each other at their current poses.

        Args:
            child: a solid.
            parent: another solid, or None for the world.
            poses: poses of both bodies; the joint pulls the bodies there.

        Returns:
            The tie; None if neither body can move, or both solids are in the same body.
        """
        plans = (self.body(child), self.body(parent) if parent is not None else None)
        return self._add(child, parent, plans, poses)

    def _add(self, child: Node, parent: Node | None, plans: _Plans, poses: _Poses | None) -> Tie | None:
        movable = [body is not None and body.is_dynamic for body in plans]
        if plans[0] is plans[1] or not any(movable):
            return None
        poses = self._standing(plans, poses) if poses is not None else self._poses(plans)
        made = self._made(child, parent, plans, poses)
        self._ties.append(made)
        self.version += 1
        return made

    def _bodies(self, plans: _Plans) -> list[_engine.Body | None]:
        """Return the engine's bodies; None for the world and for static bodies without an engine object."""
        known = self._physics.handles.bodies
        return [known.get(body) if body is not None else None for body in plans]

    def _poses(self, plans: _Plans) -> _Poses:
        first, second = plans
        now = self._physics.body_pose
        return now(first).rigid, now(second).rigid if second is not None else IDENTITY

    def _standing(self, plans: _Plans, poses: _Poses) -> _Poses:
        """Keep the relative pose, but leave an end without mass where it is: no joint moves it."""
        (first, second), now = poses, self._poses(plans)
        child, parent = plans
        if parent is None or not parent.is_dynamic:
            return now[1] @ second.relative(first), now[1]
        return poses if child.is_dynamic else (now[0], now[0] @ first.relative(second))

    def _made(
        self, child: Node, parent: Node | None, plans: _Plans, poses: _Poses, slot: int | None = None
    ) -> Tie:
        """Create the tie. The engine requires a child with mass, so the ends may have to be exchanged."""
        ends: list[tuple[_engine.Body | None, Pose]]
        ends = list(zip(self._bodies(plans), poses, strict=True))
        sign = 1.0 if plans[0].is_dynamic else -1.0
        if sign < 0:
            ends.reverse()
        # ODE's fixed joint keeps the offset at creation: put the bodies at their rest poses for that moment.
        before = [(body, as_pose(body)) for body, _ in ends if body is not None]
        for body, place in ends:
            if body is not None:
                body.set_pose(place.position, place.orientation)
        first, second = ends[0][0], ends[1][0]
        assert first is not None, "only the second end can be the world"
        try:
            joint = self._joint(first, second, slot)
        finally:
            for body, place in before:
                body.set_pose(place.position, place.orientation)
        joint.feedback = True
        return Tie(child, parent, joint, poses, sign)

    def _joint(self, child: _engine.Body, parent: _engine.Body | None, slot: int | None) -> _engine.Joint:
        """Create a fixed joint, in a certain slot of the engine if one is given.

        The engine reuses free slots last in, first out: create joints until the slot matches.
        """
        made = [self._physics.engine.add_fixed(child, parent)]
        while slot is not None and made[-1].id != slot and len(made) < _MOST_FREE:
            made.append(self._physics.engine.add_fixed(child, parent))
        for pose in reversed(made[:-1]):
            pose.remove()
        return made[-1]

    def release(self, tie: Tie) -> None:
        """End a tie; this wakes both bodies."""
        if tie in self._ties:
            self._ties.remove(tie)
            self.version += 1
        if tie.joint.valid:
            tie.joint.remove()

    def clear(self) -> None:
        """End all ties."""
        for tie in sorted(self._ties, key=lambda tie: -tie.joint.id if tie.joint.valid else 0):
            self.release(tie)

    def forget(self) -> None:
        """Drop all ties: they were joints of an engine that no longer exists."""
        self._ties.clear()
        self.version += 1

    def renew(self) -> None:
        """Recreate ties of rebuilt solids; end ties of removed solids."""
        for tie in [tie for tie in self._ties if not tie.joint.valid]:
            self._ties.remove(tie)
            self.version += 1
            solids = self._physics.handles.solids
            if tie.child in solids and (tie.parent is None or tie.parent in solids):
                self.tie(tie.child, tie.parent)

    # The state of a world.

    def save(self) -> bytes:
        """Return all ties as bytes."""
        numbers = {solid.node: i for i, solid in enumerate(self._physics.solids())}
        records = [
            _RECORD.pack(
                numbers[tie.child],
                numbers[tie.parent] if tie.parent is not None else _WORLD,
                tie.joint.id,
                *(number for pose in tie.poses for part in pose[:2] for number in part),
            )
            for tie in self._ties
        ]
        return b"".join([*records, _COUNT.pack(len(records))])

    @staticmethod
    def size(state: bytes) -> int:
        """Return the number of bytes at the end of a state that belong to its ties."""
        if len(state) < _COUNT.size:
            raise StateError("the state is truncated")
        (count,) = _COUNT.unpack(state[-_COUNT.size :])
        size = _COUNT.size + int(count) * _RECORD.size
        if size > len(state):
            raise StateError("the state is truncated")
        return size

    def restore(self, state: bytes) -> None:
        """Replace the ties by those of a state, in the same engine slots, so that the engine's state matches.

        Raises:
            StateError: a solid is missing.
        """
        records = [_RECORD.unpack_from(state, at) for at in range(0, len(state) - _COUNT.size, _RECORD.size)]
        nodes = [solid.node for solid in self._physics.solids()]
        if any(not -1 <= index < len(nodes) for child, parent, *_ in records for index in (child, parent)):
            raise StateError("the state has a tie between solids that do not exist")
        self.clear()
        made: dict[int, Tie] = {}
        for record in sorted(records, key=lambda record: int(record[2])):
            made[int(record[2])] = self._again(record, nodes)
        self._ties = [made[int(record[2])] for record in records]
        self.version += 1

    def _again(self, record: tuple[float, ...], nodes: list[Node]) -> Tie:
        child, parent, slot = (int(number) for number in record[:3])
        first, second = nodes[child], nodes[parent] if parent != _WORLD else None
        plans = (self.body(first), self.body(second) if second is not None else None)
        try:
            return self._made(first, second, plans, (_pose(record[3:10]), _pose(record[10:])), slot)
        except (ValueError, AssertionError) as refusal:
            raise StateError(f"the state has an invalid tie: {refusal}") from None


def _pose(numbers: tuple[float, ...]) -> Pose:
    x, y, z, a, b, c, d = numbers
    return Pose((x, y, z), (a, b, c, d))
