"""Connectors: docking, locking and their links (manual, chapter Connector).

A connector needs no robot: those of plain solids dock passively. Two of them are in position when the
distance of their origins, the angle between their outward axes (which face each other) and that between
their second axes are within the tolerances of the connector that looks for a partner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.pose import (
    Pose,
    Vec3,
    angle_between,
    axis_angle,
    cross,
    dot,
    length,
    multiply,
    rotate,
    rotation_between,
    scaled,
    sub,
)
from wbridge.wbcore.physics.ties import Tie
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.dialect import dialect
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.version import NEWEST

UNLIMITED = -1.0
STRENGTHS = ("tensileStrength", "shearStrength")


class Dock:
    """One connector in the world."""

    def __init__(self, docks: Docks, node: Node) -> None:
        self._docks = docks
        self.node = node
        conventions = node.source.dialect if node.source is not None else dialect(NEWEST)
        self.outward: Vec3 = conventions.link_axis
        self.second: Vec3 = (0.0, 0.0, 1.0) if conventions.z_up else (0.0, 1.0, 0.0)
        self.first = self.is_locked
        """Whether it was locked at the start."""
        self._begins = True
        """Whether the lock of the file is applied in the first step."""
        self._has_lost = False
        """Whether automatic locking is suspended, in the step after its partner was lost."""

    @property
    def kind(self) -> str:
        """The type: symmetric, active or passive."""
        return str(self.node.get("type"))

    @property
    def is_passive(self) -> bool:
        """True for a passive connector, which neither locks nor detects presence."""
        return self.kind == "passive"

    @property
    def is_locked(self) -> bool:
        """The state of the lock, docked or not."""
        return bool(self.node.get("isLocked"))

    @is_locked.setter
    def is_locked(self, locked: bool) -> None:
        """Set the lock without docking."""
        if locked != self.is_locked:
            self._docks.physics.world.set(self.node, "isLocked", locked)

    # Presence.

    @property
    def tie(self) -> Tie | None:
        """The tie to its partner; None when undocked."""
        return self._docks.ties().get(self.node)

    @property
    def partner(self) -> Dock | None:
        """The connector that it is docked to; None when undocked."""
        tie = self.tie
        other = None if tie is None else tie.parent if tie.child is self.node else tie.child
        return self._docks.of(other) if other is not None else None

    @property
    def presence(self) -> int:
        """1: docked, or in position to dock; 0: not; -1: a passive connector does not detect it."""
        if self.is_passive:
            return -1
        return int(self.tie is not None or self.nearest() is not None)

    def fits(self, other: Dock) -> bool:
        """True if types and models are compatible."""
        kinds = {self.kind, other.kind}
        return kinds in ({"symmetric"}, {"active", "passive"}) and self.node.get("model") == other.node.get(
            "model"
        )

    def nearest(self) -> Dock | None:
        """The nearest compatible connector in position, or None."""
        place = self._docks.pose(self.node)
        found = [
            (distance, i)
            for i, other in enumerate(self._docks.list)
            if other is not self
            and (distance := length(sub(self._docks.pose(other.node).position, place.position)))
            <= number(self.node, "distanceTolerance")
            and self.fits(other)
            and self._is_aligned(other)
        ]
        return self._docks.list[min(found)[1]] if found else None

    def _is_aligned(self, other: Dock) -> bool:
        mine, its = self._docks.pose(self.node), self._docks.pose(other.node)
        facing = angle_between(mine.direction(self.outward), its.direction(other.outward))
        if facing <= math.pi - number(self.node, "axisTolerance"):
            return False
        count = int(self.node.get("numberOfRotations"))
        if count == 0:
            return True
        turned = angle_between(mine.direction(self.second), its.direction(other.second))
        step = 2 * math.pi / count
        return any(
            abs(turned - k * step) < number(self.node, "rotationTolerance") for k in range(count // 2 + 1)
        )

    # Locking.

    def lock(self) -> None:
        """Lock, and dock to a connector in position."""
        if self.is_passive:
            return
        self.is_locked = True
        self.try_to_dock()

    def unlock(self) -> None:
        """Unlock; release the partner, unless both have to be unlocked and it is locked."""
        if self.is_passive:
            return
        self.is_locked = False
        tie, partner = self.tie, self.partner
        if tie is None:
            return
        if partner is None or self.node.get("unilateralUnlock") or not partner.is_locked:
            self._docks.part(tie)

    def try_to_dock(self) -> None:
        """Dock to the nearest connector in position, if both are free and their locks allow it."""
        if self.tie is not None:
            return
        other = self.nearest()
        if other is None or other.tie is not None:
            return
        if not self.node.get("unilateralLock") and not other.is_locked:
            return
        physics = self._docks.physics
        poses = self._snapped(other) if self.node.get("snap") else None
        if physics.ties.tie(self.node, other.node, poses) is None:
            self._docks.warn(self, other)

    def _snapped(self, other: Dock) -> tuple[Pose, Pose]:
        """Return poses of both bodies in which the connectors face each other at the nearest allowed angle.

        Only the other body is moved here, since only the relative pose matters.
        """
        physics = self._docks.physics
        mine, its = self._docks.pose(self.node), self._docks.pose(other.node)
        out = mine.direction(self.outward)
        turn = rotation_between(its.direction(other.outward), scaled(out, -1.0))
        count = int(self.node.get("numberOfRotations"))
        if count > 0:
            my_second, its_second = mine.direction(self.second), rotate(turn, its.direction(other.second))
            angle = mathematics.atan2(dot(out, cross(my_second, its_second)), dot(my_second, its_second))
            step = 2 * math.pi / count
            turn = multiply(axis_angle(out, round(angle / step) * step - angle), turn)
        wanted = Pose(mine.position, multiply(turn, its.orientation))
        bodies = [physics.body_pose(physics.ties.body(dock.node)).rigid for dock in (self, other)]
        return bodies[0], wanted @ its.relative(bodies[1])

    # The phases of a simulation.

    def save(self) -> tuple[bool, bool, bool]:
        """Return the lock state, and the pending actions of the next step."""
        return self.is_locked, self._begins, self._has_lost

    def load(self, state: tuple[bool, bool, bool]) -> None:
        """See `save`; the physics restores the partner."""
        self.is_locked, self._begins, self._has_lost = state

    def before_step(self) -> None:
        """Break overloaded links; lock automatically."""
        tie = self.tie
        has_lost, self._has_lost = self._has_lost, False
        begins, self._begins = self._begins, False
        if tie is not None:
            if tie.child is self.node and self._breaks(tie):
                self._docks.part(tie)
        elif (
            self.is_locked and not self.is_passive and (begins or self.node.get("autoLock")) and not has_lost
        ):
            self.try_to_dock()

    def _breaks(self, tie: Tie) -> bool:
        partner = self.partner
        if partner is None:
            return False
        tensile, shear = (_strength(self, partner, name) for name in STRENGTHS)
        if tensile == shear == math.inf:
            return False
        out = self._docks.pose(self.node).direction(self.outward)
        pull = dot(tie.force, out)
        return pull > tensile or length(sub(tie.force, scaled(out, pull))) > shear

    def lose(self) -> None:
        """React to the loss of the partner."""
        self._has_lost = True

    def begin(self, locked: bool) -> None:
        """Undock, and set the lock; a locked one docks in the next step to a connector in position."""
        if self.tie is not None:
            self._docks.physics.ties.release(self.tie)
        self.is_locked = locked
        self._begins, self._has_lost = True, False

    def reset(self) -> None:
        """Restore the initial lock."""
        self.is_locked = self.first
        self._begins, self._has_lost = True, False


class Docks:
    """All connectors of a world."""

    def __init__(self, physics: PhysicsWorld, report: Callable[[Node, str], None]) -> None:
        """
        Args:
            physics: holds connectors together.
            report: called with a connector and a warning about it.
        """
        self.physics, self._report = physics, report
        self._docks: dict[Node, Dock] = {}
        self._structure = -1
        self._poses: dict[Node, Pose] = {}
        self._posed_at = -1
        self._ties: dict[Node, Tie] = {}
        self._ties_version = -1
        self.refresh()

    @property
    def list(self) -> list[Dock]:
        """The connectors in tree order."""
        return [*self._docks.values()]

    @property
    def are_there(self) -> bool:
        """True if the world has connectors."""
        self.refresh()
        return bool(self._docks)

    def of(self, node: Node) -> Dock | None:
        """Return the dock of a connector node."""
        return self._docks.get(node.root)

    def ties(self) -> dict[Node, Tie]:
        """Return the ties of docked connectors."""
        ties = self.physics.ties
        if self._ties_version != ties.version:
            self._ties_version = ties.version
            made = [tie for tie in ties if tie.child in self._docks and tie.parent in self._docks]
            self._ties = {node: tie for tie in made for node in (tie.child, tie.parent) if node is not None}
        return self._ties

    def refresh(self) -> None:
        """Search for connectors again if solids came or went."""
        physics = self.physics
        if self._structure != physics.structure:
            self._structure = physics.structure
            nodes = [solid for solid in physics.handles.solids if solid.is_a("Connector")]
            known = self._docks
            self._docks = {node: known.get(node) or Dock(self, node) for node in nodes}
            self._poses.clear()
            self._ties_version = -1

    def pose(self, node: Node) -> Pose:
        """Return the pose of a connector, without scale."""
        steps = self.physics.builder.engine.steps
        if steps != self._posed_at:
            self._poses.clear()
            self._posed_at = steps
        found = self._poses.get(node)
        if found is None:
            found = self._poses[node] = self.physics.pose(node).rigid
        return found

    def part(self, tie: Tie) -> None:
        """Separate two docked connectors."""
        for node in (tie.child, tie.parent):
            dock = self.of(node) if node is not None else None
            if dock is not None:
                dock.lose()
        self.physics.ties.release(tie)

    def warn(self, dock: Dock, other: Dock) -> None:
        """Warn that two connectors cannot be linked."""
        self._report(
            dock.node,
            f'connector "{dock.node.get("name")}" cannot dock to "{other.node.get("name")}": '
            "one of their solids must have a Physics node",
        )

    def before_step(self) -> None:
        """Run all connectors for one step."""
        if self._structure != self.physics.structure:
            self.refresh()
        if self._docks:
            self._poses.clear()
            for dock in self._docks.values():
                dock.before_step()

    def save(self) -> Sequence[tuple[bool, bool, bool]]:
        """Return the state of all connectors."""
        self.refresh()
        return [dock.save() for dock in self._docks.values()]

    def load(self, state: Sequence[tuple[bool, bool, bool]]) -> None:
        """See `save`."""
        self.refresh()
        self._poses.clear()
        for dock, kept in zip(self._docks.values(), state, strict=True):
            dock.load(kept)

    def reset(self) -> None:
        """The simulation was reset."""
        self._poses.clear()
        for dock in self._docks.values():
            dock.reset()


def _strength(dock: Dock, other: Dock, name: str) -> float:
    """The force that both sides withstand (N): unlocked ones none, infinite ones any.

    Without a finite strength a link never breaks, locked or not: Webots then measures no force.
    """
    sides = (dock, other)
    if all(number(side.node, any_name, UNLIMITED) == UNLIMITED for side in sides for any_name in STRENGTHS):
        return math.inf
    values = [number(side.node, name, UNLIMITED) for side in sides if side.is_locked]
    return math.inf if UNLIMITED in values else sum(values)
