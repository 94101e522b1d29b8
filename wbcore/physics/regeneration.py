"""Replace the physics of regenerated PROTO instances; what moved continues from its current state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.physics import changes, sync
from wbridge.wbcore.physics.fields import change
from wbridge.wbcore.physics.part_state import PartState
from wbridge.wbcore.physics.plan import Part
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.places import instance_of

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


def changed(physics: PhysicsWorld, node: Node, field: str) -> None:
    """Apply a changed field: in place where the engine can, else by rebuilding the part."""
    if node.body is None:
        change(physics, node.root, field)
        return
    bound = bound_fields(node, field)
    for inner, name in bound:
        change(physics, inner, name)
    if not bound:
        regenerated(physics, node)


def regenerated(physics: PhysicsWorld, instance: Node) -> None:
    """Apply the new body of an instance.

    Poses, velocities and motor commands of the old solids, joints and motors are assigned to the new ones in
    tree order, if their number is unchanged.
    """
    inside = [part for part in physics.plan.parts if changes.is_inside(part.node, instance)]
    if not inside:
        holder = next((part for part in physics.plan.parts if _holds(part, instance)), None)
        if holder is not None:
            changes.rebuild(physics, holder)
        return
    new = physics.planner.parts(instance, changes.frame_above(instance))
    kept = inside if [len(part.solids) for part in inside] == [len(part.solids) for part in new] else []
    for old, made in zip(kept, new, strict=False):
        sync.write_part(physics, old)
        _hand_over(old, made)
    if kept:
        new = physics.planner.parts(instance, changes.frame_above(instance))
    states = [PartState(physics.handles, old) for old in kept]
    for old in inside:
        changes.remove_part(physics, old)
    for made in new:
        changes.add_part(physics, made)
    for state, made in zip(states, new, strict=False):
        state.give_to(physics.handles, made)
    changes.after_change(physics)


def _holds(part: Part, instance: Node) -> bool:
    return changes.is_inside(instance, instance_of(part.node)) or any(
        changes.is_inside(solid.node, instance) for solid in part.solids
    )


def _hand_over(old: Part, new: Part) -> None:
    """Copy the poses of moving solids and joint positions to the fields of the new nodes."""
    for before, after in zip(old.solids, new.solids, strict=True):
        if before.parent is not None and before.body.root is before:
            for name in ("translation", "rotation"):
                after.node.field(name).value = before.node.get(name)
    for first, second in zip(old.joints, new.joints, strict=False):
        for index, (a, b) in enumerate(zip(first.axes, second.axes, strict=False)):
            source, target = sync.position_field(first, a, index), sync.position_field(second, b, index)
            if source is not None and target is not None:
                target[0].field(target[1]).value = source[0].get(source[1])


def bound_fields(instance: Node, name: str) -> list[tuple[Node, str]]:
    """Return the fields of built-in nodes in an instance's body that are bound to one of its parameters."""
    parameter = instance.fields.get(name)
    if parameter is None or instance.body is None:
        return []
    return [
        (node, own)
        for node in walk(instance.body)
        if node.body is None and node.use_of is None
        for own, field in node.fields.items()
        if field is parameter
    ]
