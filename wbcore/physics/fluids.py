"""Which bodies meet which fluids: connects ImmersionProperties with the fluids that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbcore.engine import _engine

from .plan import BodyPlan, Immersion
from .tree import node_path

if TYPE_CHECKING:
    from .world import PhysicsWorld

_AREAS = {
    "immersed area": "immersed area",
    "xyz-projected area": "xyz-projection",
    "xyz-projection": "xyz-projection",
}


def connect(physics: PhysicsWorld) -> None:
    """Make the engine's immersions anew from all parts of the plan.

    Properties hold for a body: of several for one fluid, in one or several merged solids, the last counts.
    """
    for old in physics.builder.immersions:
        if old.valid:
            old.remove()
    physics.builder.immersions = []
    handles = physics.handles
    fluids = {plan.name: made for plan, made in handles.fluids.items()}
    for part in physics.plan.parts if fluids else ():
        for body in part.bodies:
            if body.is_dynamic:
                for immersion in _properties(body):
                    _immerse(physics, body, immersion, fluids.get(immersion.fluid_name, []))


def _properties(body: BodyPlan) -> list[Immersion]:
    found = {one.fluid_name: one for solid in body.solids for one in solid.immersions}
    return list(found.values())


def _immerse(
    physics: PhysicsWorld,
    body: BodyPlan,
    plan: Immersion,
    fluids: list[tuple[_engine.Fluid, _engine.Geom]],
) -> None:
    builder = physics.builder
    for fluid, _ in fluids:
        try:
            made = builder.engine.add_immersion(
                builder.body(body),
                fluid,
                _AREAS.get(plan.reference_area, "immersed area"),
                plan.drag_force,
                plan.drag_torque,
                plan.viscous_force,
                plan.viscous_torque,
            )
        except ValueError as refusal:
            text = f"{node_path(plan.node)}: {refusal}"
            builder.report.error("immersion", text, plan.node.source, plan.node.offset)
            continue
        builder.immersions.append(made)
