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

    Properties hold for the geometries of their own solid: each of merged solids has its own. Of several of
    one solid for one fluid the last counts.
    """
    for old in physics.builder.immersions:
        if old.valid:
            old.remove()
    physics.builder.immersions = []
    handles = physics.handles
    fluids = {plan.name: made for plan, made in handles.fluids.items()}
    for part in physics.plan.parts if fluids else ():
        for body in part.bodies:
            for number, solid in enumerate(body.solids if body.is_dynamic else ()):
                for name, immersion in {one.fluid_name: one for one in solid.immersions}.items():
                    _immerse(physics, body, number, immersion, fluids.get(name, []))


def _immerse(
    physics: PhysicsWorld,
    body: BodyPlan,
    number: int,
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
                number,
            )
        except ValueError as refusal:
            text = f"{node_path(plan.node)}: {refusal}"
            builder.report.error("immersion", text, plan.node.source, plan.node.offset)
            continue
        builder.immersions.append(made)
