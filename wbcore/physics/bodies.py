"""Compute masses and damping: the rules for one solid, and the sum over merged solids."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.physics.exact_sums import plain_sum
from wbridge.wbcore.physics.mass import UNIT, Mass, is_physical, of_geometry, rows, total, volume_of
from wbridge.wbcore.physics.plan import BodyPlan, Settings, SolidPlan
from wbridge.wbcore.physics.pose import ZERO, Vec3, scaled, times
from wbridge.wbcore.physics.settings import damping_of
from wbridge.wbcore.physics.tree import node_in, node_path, number, vectors
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.planner import Planner

UNKNOWN_KG = 1.0


def reference_mass(solid: SolidPlan) -> Mass | None:
    """Return the mass of a solid's bounding object at 1000 kg/m^3, or None if it has no volume."""
    found = (of_geometry(geometry) for geometry in solid.geometries)
    return total(mass for mass in found if mass is not None)


def own_mass(planner: Planner, solid: SolidPlan) -> Mass:
    """Return the mass of a solid with Physics, in its own frame (manual, chapter 3.51).

    Without a usable bounding object, it is the given mass or 1 kg, with unit inertia.
    """
    physics = node_in(solid.node, "physics")
    assert physics is not None, "only solids with Physics have a mass"
    scale = solid.pose.scale
    mass, density = number(physics, "mass"), number(physics, "density")
    # At equal density, a scale s multiplies masses by s^3 and moments of inertia by s^5.
    mass *= power(scale[0], 3) if mass > 0 else 1.0
    center = next(iter(vectors(physics, "centerOfMass")), None)
    matrix = list(physics.get("inertiaMatrix"))
    if len(matrix) == 2:
        given = _given(planner, physics, mass, center, matrix, scale)
        if given is not None:
            return given
    _report_inverted_meshes(planner, solid)
    reference = reference_mass(solid)
    if reference is not None and reference.mass == 0:  # a point; `finish_body` reports a body of nothing else
        made = Mass(max(mass, 0.0), reference.center, reference.inertia)
    elif reference is None:
        made = Mass(mass if mass > 0 else UNKNOWN_KG, ZERO, UNIT)
    elif mass > 0:
        made = reference.times(mass / reference.mass)
    else:
        made = reference.times((density if density > 0 else 1000.0) / 1000.0)
    return made.centered(times(scale, center)) if center is not None else made


def _report_inverted_meshes(planner: Planner, solid: SolidPlan) -> None:
    """Warn of meshes whose faces look inwards: they enclose no volume, and their contacts push inwards."""
    for geometry in solid.geometries:
        if geometry.mesh is not None and volume_of(geometry.mesh) < 0:
            node = geometry.node
            remedy = f"set ccw {'FALSE' if node.get('ccw') else 'TRUE'}" if "ccw" in node.spec.fields else ""
            text = (
                "the mesh is inside out: seen from outside, the corners of its faces are in clockwise order; "
                f"it counts as 1 kg with unit inertia; {remedy or 'reverse the order of the corners'}"
            )
            planner.warn("mesh-volume", node, text)


def _given(
    planner: Planner, physics: Node, mass: float, center: Vec3 | None, matrix: list[Vec3], scale: Vec3
) -> Mass | None:
    """Return the mass with the given inertia matrix; report it and return None if it cannot be used."""
    (xx, yy, zz), (xy, xz, yz) = matrix
    larger = power(scale[0], 5)
    inertia = rows(scaled(row, larger) for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    if mass <= 0 or center is None:
        need = "mass above 0" if mass <= 0 else "one centerOfMass"
        planner.refuse(
            "inertia", physics, f"inertiaMatrix needs {need}; the bounding object's inertia is used"
        )
        return None
    if not is_physical(inertia):
        text = (
            f"inertiaMatrix [ {xx:g} {yy:g} {zz:g}, {xy:g} {xz:g} {yz:g} ] is not positive definite and "
            "cannot be used; the bounding object's inertia is used"
        )
        planner.refuse("inertia", physics, text)
        return None
    return Mass(mass, times(scale, center), inertia)


def finish_body(body: BodyPlan, settings: Settings, report: Report) -> None:
    """Set the mass and damping of a body from those of its solids."""
    if not body.is_dynamic:
        return
    body.mass = total(solid.mass.moved(solid.offset) for solid in body.solids if solid.mass is not None)
    body.damping = damping(body, settings)
    mass = body.mass
    if mass is not None and not (0 < mass.mass < math.inf and is_physical(mass.inertia)):
        node = body.root.node
        text = f"a body of {mass.mass:g} kg with this inertia cannot move: give it a mass and a size"
        text = f"{node_path(node)}: {text}"
        report.error("mass", text, node.source, node.offset)
        body.mass = Mass(UNKNOWN_KG, ZERO, UNIT)


def damping(body: BodyPlan, settings: Settings) -> tuple[float, float]:
    """Average the damping of merged solids, weighted by volume; use WorldInfo's if no solid has its own."""
    own = [(solid, _own_damping(solid)) for solid in body.solids if solid.has_physics]
    if not any(any(values) for _, values in own):
        return settings.damping
    references = [reference_mass(solid) for solid, _ in own]
    weights = [mass.mass if mass is not None else UNKNOWN_KG for mass in references]
    # Mean of the solids' damping, weighted by their reference masses, that is, by volume.
    whole = plain_sum(weights)
    linear = plain_sum(w * values[0] for w, (_, values) in zip(weights, own, strict=True))
    angular = plain_sum(w * values[1] for w, (_, values) in zip(weights, own, strict=True))
    return linear / whole, angular / whole


def _own_damping(solid: SolidPlan) -> tuple[float, float]:
    physics = node_in(solid.node, "physics")
    return (damping_of(node_in(physics, "damping")) if physics is not None else None) or (0.0, 0.0)
