"""References by name: solids of SolidReferences, fluids of immersed solids."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, above, is_guarded, nearest
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.node import Node

_STATIC = "<static environment>"


def check_solid_references(checker: Checker) -> None:
    """Check that a SolidReference names a solid in the same top-level solid (manual, 3.64).

    Nothing is reported while models are missing, because they could hold the name.
    """
    names: dict[int, set[str]] = {}
    for reference in checker.all("SolidReference"):
        name = reference.get("solidName")
        if reference.use_of is not None or name == _STATIC or is_guarded(reference):
            continue
        top = _uppermost(reference)
        if top is None or checker.world.library.missing:
            continue
        if not names:
            names = _names_below_tops(checker)
        known = names.get(id(top), set())
        if not name:
            text = "SolidReference.solidName is empty; the joint holds nothing"
            checker.warn("unknown-solid", text, reference, "solidName")
        elif name not in known:
            text = f'SolidReference names the solid "{name}"; "{top.get("name")}" has no such solid in it; '
            text += f'allowed: a solid there, or "{_STATIC}"{did_you_mean(name, known)}'
            checker.warn("unknown-solid", text, reference, "solidName")


def _uppermost(node: Node) -> Node | None:
    top, found = None, nearest(node, "Solid")
    while found is not None:
        top, found = found, nearest(found, "Solid")
    return top


def _names_below_tops(checker: Checker) -> dict[int, set[str]]:
    names: dict[int, set[str]] = {}
    for solid in checker.all("Solid"):
        names.setdefault(id(_uppermost(solid) or solid), set()).add(solid.get("name"))
    return names


def check_fluids(checker: Checker) -> None:
    """Check that ImmersionProperties name a Fluid, and the solid has Physics and a boundingObject."""
    fluids = {fluid.get("name") for fluid in checker.all("Fluid")}
    for node in checker.all("ImmersionProperties"):
        name = node.get("fluidName")
        if not checker.is_model and name not in fluids and not checker.world.library.missing:
            text = f'ImmersionProperties name the fluid "{name}"; the world has no Fluid of this name'
            checker.warn("unknown-fluid", text + did_you_mean(name, fluids), node, "fluidName")
        solid = above(node)
        if solid is not None and solid.spec.is_a("Solid") and node.use_of is None:
            lacks = [f for f in ("physics", "boundingObject") if solid.get(f) is None]
            if lacks:
                text = f'"{solid.get("name")}" has ImmersionProperties but no {" and no ".join(lacks)}'
                checker.warn("immersion", f"{text}; fluids have no effect on it", node)


WORLD_RULES = (check_solid_references, check_fluids)
