"""Connect bodies that have ImmersionProperties with the fluids they name."""

from __future__ import annotations

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.build import Builder
from wbridge.wbcore.physics.plan import BodyPlan, Immersion, WorldPlan
from wbridge.wbcore.physics.tree import node_path

_AREAS = {
    "immersed area": "immersed area",
    "xyz-projected area": "xyz-projection",
    "xyz-projection": "xyz-projection",
}


def connect(builder: Builder, plan: WorldPlan) -> None:
    """Recreate the engine's immersions from all parts of the plan.

    Properties apply to the geometries of their own solid only, also among merged solids. If a solid has
    several for one fluid, the last one is used.
    """
    for old in builder.immersions:
        if old.valid:
            old.remove()
    builder.immersions = []
    fluids = {fluid.name: made for fluid, made in builder.handles.fluids.items()}
    for part in plan.parts if fluids else ():
        for body in part.bodies:
            for number, solid in enumerate(body.solids if body.is_dynamic else ()):
                for name, immersion in {
                    immersion.fluid_name: immersion for immersion in solid.immersions
                }.items():
                    _immerse(builder, body, number, immersion, fluids.get(name, []))


def _immerse(
    builder: Builder,
    body: BodyPlan,
    number: int,
    plan: Immersion,
    fluids: list[tuple[_engine.Fluid, _engine.Geom]],
) -> None:
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
