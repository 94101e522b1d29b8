"""Store the start of a simulation and return to it, also after solids were added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbridge.wbcore.physics.pose import IDENTITY
from wbridge.wbcore.physics.sync import position_field
from wbridge.wbcore.scene.node import Field
from wbridge.wbcore.scene.values import copied

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld

ALTERED = -1
"""In place of the physics' structure: the stored bytes do not fit any more."""
_SOLID_FIELDS = ("translation", "rotation", "linearVelocity", "angularVelocity")


class InitialState:
    """The state at the start. While no solid is added or removed, its bytes are enough to go back."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._fields = dict(self._kept())
        self._tops = set(physics.world.nodes)
        self._take()

    def _take(self) -> None:
        self._state = self._physics.save()
        self._structure = self._physics.structure

    def _kept(self) -> list[tuple[Field, object]]:
        """Return the fields that stepping changes in the tree, with their values."""
        fields = [
            solid.node.field(name)
            for solid in self._physics.solids()
            for name in _SOLID_FIELDS
            if name in solid.node.spec.fields
        ]
        for part in self._physics.plan.parts:
            for joint in part.joints:
                for index, axis in enumerate(joint.axes):
                    place = position_field(joint, axis, index)
                    if place is not None:
                        fields.append(place[0].field(place[1]))
        return [(field, copied(field.value)) for field in fields]

    def holds(self, field: Field) -> bool:
        """Return True for a field of the tree that is reset with the physics."""
        return field in self._fields

    def value(self, field: Field) -> Any:
        """Return the value of such a field at the start."""
        return copied(self._fields[field])

    def take_over(self, changed: Field | None = None) -> None:
        """Let the start include a change that was made before the first step.

        Args:
            changed: the field that has another value; None: nodes were added or removed.
        """
        for field, value in self._kept():
            if field is changed or field not in self._fields:
                self._fields[field] = value
        if changed is None:
            self._tops = set(self._physics.world.nodes)
        self._structure = ALTERED

    def bring_back(self) -> None:
        """Reset the physics, and the fields of the tree that follow it, to the start."""
        for field, value in self._fields.items():
            field.value = copied(value)
        physics = self._physics
        if physics.structure != self._structure:
            self._remove_added()
            physics.build_again()
            self._take()
        physics.restore(self._state)

    def _remove_added(self) -> None:
        """Remove top-level nodes added after the start, and plan the rest."""
        physics = self._physics
        nodes = physics.world.nodes
        nodes[:] = [node for node in nodes if node in self._tops]
        physics.plan.parts[:] = [part for node in nodes for part in physics.planner.parts(node, IDENTITY)]
