"""Small worlds for the tests of the physics."""

from __future__ import annotations

from wbridge.wbcore.physics.plan import Part, WorldPlan
from wbridge.wbcore.physics.planner import make_plan
from wbridge.wbcore.scene.load import World, load_text
from wbridge.wbcore.simulation import Simulation

NEW = "#VRML_SIM R2023b utf8\n"
OLD = "#VRML_SIM R2020a utf8\n"
"""The last release with y up by default."""
OLDEST = "#VRML_SIM V8.3.1 utf8\n"
G = 9.81
PURE = "physicsDisableTime 0"
"""Bodies never sleep: closed forms know no sleep."""


def world(body: str, header: str = NEW, path: str = "test.wbt") -> World:
    """A loaded world without errors."""
    loaded = load_text(header + body, path)
    assert loaded.report.errors == [], [str(one) for one in loaded.report.errors]
    return loaded


def plan(body: str, header: str = NEW) -> WorldPlan:
    """The plan of a world's text."""
    return make_plan(world(body, header))


def part(body: str, header: str = NEW) -> Part:
    """The only part of a world's plan, which has no findings."""
    made = plan(body, header)
    assert list(made.report) == [], [str(one) for one in made.report]
    (only,) = made.parts
    return only


def simulation(
    body: str,
    header: str = NEW,
    info: str = "",
    step_ms: float = 1,
    seed: int | None = None,
    solver: str | None = None,
) -> Simulation:
    """A simulation of a world's text whose bodies never sleep, and which says nothing against it."""
    settings = f"WorldInfo {{ basicTimeStep {step_ms} {PURE} {info} }}\n"
    made = Simulation(world(settings + body, header), seed, solver=solver)
    assert made.findings == [], [str(one) for one in made.findings]
    return made


def box(name: str = "BOX", fields: str = "", size: str = "1 1 1", physics: str = "") -> str:
    """A box with physics."""
    return (
        f'DEF {name} Solid {{ {fields} name "{name.lower()}" boundingObject Box {{ size {size} }} '
        f"physics Physics {{ {physics} }} }}\n"
    )


FLOOR = 'DEF FLOOR Solid { name "floor" boundingObject Plane { } }\n'
