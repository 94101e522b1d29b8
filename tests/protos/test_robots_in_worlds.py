"""Worlds of all releases load every bundled model without findings."""

from __future__ import annotations

import re

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import CARS, FILES, ROBOTS, SUPERVISORS, findings
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import World, load_text

WINDOWS = [
    window
    for name in SUPERVISORS
    for window in re.findall(r'SFString +window +"(\w+)"', FILES[name].read_text())
]
IN_PROJECT = re.compile(rf"the window '({'|'.join(WINDOWS)})' is not in")
HEADERS = ["V8.6", "R2025a", *(pytest.param(one, marks=pytest.mark.slow) for one in ("R2021b", "R2022a"))]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("name", [*ROBOTS, *CARS])
def test_a_robot_loads_without_findings(name: str, header: str):
    world = checked(name, header, f'{name} {{\n  controller "<none>"\n}}\n')
    assert complaints(world) == []
    assert world.nodes[-1].root.type == "Robot"


def checked(name: str, header: str, body: str) -> World:
    """A world of a release with a model in it, checked as `wbridge check` does."""
    text = f"#VRML_SIM {header} utf8\nWorldInfo {{\n}}\nViewpoint {{\n}}\n{body}"
    if header in ("R2022a", "R2025a"):
        text = text.replace("\n", f'\nEXTERNPROTO "{FILES[name].as_posix()}"\n', 1)
    world = load_text(text, str(CHECKOUT / "worlds" / "none.wbt"))
    check_world(world)
    return world


def complaints(world: World) -> list[str]:
    """Without those about files of the projects that a supervisor belongs to."""
    return [one for one in findings(world) if "controller" not in one and not IN_PROJECT.search(one)]


PLACES = (
    "{}",
    "Solid {{ children [ {} ] }}",
    "Shape {{ appearance {} }}",
    "Shape {{ geometry {} }}",
    'Robot {{ controller "<none>" children [ {} ] }}',
    "Solid {{ boundingObject {} }}",
)
"""Where models of all kinds belong."""


@pytest.mark.slow
@pytest.mark.parametrize("header", ["V8.6", "R2021b", "R2022a", "R2025a"])
def test_every_model_loads_without_findings_where_it_belongs(header: str):
    found = {
        name: min((complaints(checked(name, header, one.format(f"{name} {{ }}"))) for one in PLACES), key=len)
        for name, path in FILES.items()
        if path.parent.name != "abstract"
    }
    assert len(found) > 350
    assert {name: said for name, said in found.items() if said} == {}
