"""What the user has selected: by a click, by its place in the tree; and what a page shows about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, unit
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import inside_of, instance_of
from wbridge.wbcore.simulation import Simulation

__all__ = ["described", "pick"]

FAR = 1e4
"""Length (m) of the ray of a click."""
DIGITS = 6


def pick(simulation: Simulation, origin: Vec3, toward: Vec3, part: bool) -> Node | None:
    """Return the solid that a ray from the eye meets first, or None.

    A click selects the topmost solid; another click on the selected object, or one with Alt (`part`), the
    part of it that was hit. Source: Webots' guide, chapter The 3D Window.
    """
    direction = unit(toward)
    if direction is None or not all(map(isfinite, (*origin, *toward))):
        return None
    scene = simulation.visual
    scene.refresh()
    scene.forget_step()
    rays = scene.rays(None, Pose(origin), [direction], FAR)
    rays.cast()
    instance = int(rays.instances[0])
    if instance < 0:
        return None
    shape, _ = scene.placed(instance)
    try:
        solid = simulation.physics.solid(shape)
    except SimulationError:
        return None
    top = _top(solid)
    selected = simulation.selected
    if part or (selected is not None and inside_of(selected.root, top.node)):
        return instance_of(solid.node)
    return instance_of(top.node)


def _top(solid: SolidPlan) -> SolidPlan:
    while solid.parent is not None:
        solid = solid.parent
    return solid


def described(simulation: Simulation, node: Node) -> Mapping[str, object]:
    """Return what a page shows about a node: names, and of a solid its mass and motion.

    Returns:
        node: its number; path, type, def_name, name; of solids also `body` (number, or null), position (m),
        velocity (m/s) and angular velocity (rad/s) in the world, mass (kg, null without Physics), mass_below
        (kg, with all that hangs on it), is_dynamic (whether forces move it), asleep.
    """
    root = node.root
    found: dict[str, Any] = {
        "node": simulation.nodes.number(node),
        "path": node_path(node),
        "type": node.type,
        "def_name": node.def_name or "",
        "name": str(root.get("name")) if "name" in root.spec.fields else "",
    }
    solid = simulation.physics.handles.solids.get(root)
    return found | _motion(simulation, solid) if solid is not None else found


def _motion(simulation: Simulation, solid: SolidPlan) -> dict[str, object]:
    physics = simulation.physics
    velocity, spin = physics.velocity(solid.node)
    body = physics.handles.bodies.get(solid.body)
    masses = [plan.mass.mass for plan in _below(simulation, solid) if plan.mass is not None]
    return {
        "body": int(body.id) if body is not None else None,
        "position": _rounded(physics.solid_pose(solid).position),
        "velocity": _rounded(velocity),
        "spin": _rounded(spin),
        "mass": solid.mass.mass if solid.mass is not None else None,
        "mass_below": sum(masses) if masses else None,
        "is_dynamic": solid.body.is_dynamic,
        "asleep": body is not None and solid.body.is_dynamic and not body.awake,
    }


def _below(simulation: Simulation, top: SolidPlan) -> list[SolidPlan]:
    """Return a solid and those below it."""
    part = next(part for part in simulation.physics.plan.parts if top in part.solids)
    below, found = {id(top)}, [top]
    for solid in part.solids:
        if solid.parent is not None and id(solid.parent) in below:
            below.add(id(solid))
            found.append(solid)
    return found


def _rounded(values: Sequence[float]) -> list[float | None]:
    """Round for JSON; what is not finite becomes null."""
    return [round(value, DIGITS) if isfinite(value) else None for value in values]
