"""Worlds of all releases load every bundled robot and car without findings."""

from __future__ import annotations

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import CARS, FILES, ROBOTS, findings
from wbcore.scene.checks import check_world
from wbcore.scene.load import load_text

HEADERS = ["V8.6", "R2025a", *(pytest.param(one, marks=pytest.mark.slow) for one in ("R2021b", "R2022a"))]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("name", [*ROBOTS, *CARS])
def test_a_robot_loads_without_findings(name: str, header: str):
    text = (
        f'#VRML_SIM {header} utf8\nWorldInfo {{\n}}\nViewpoint {{\n}}\n{name} {{\n  controller "<none>"\n}}\n'
    )
    if header in ("R2022a", "R2025a"):
        text = text.replace("\n", f'\nEXTERNPROTO "{FILES[name].as_posix()}"\n', 1)
    world = load_text(text, str(CHECKOUT / "worlds" / "none.wbt"))
    check_world(world)
    assert [one for one in findings(world) if "controller" not in one] == []
    assert world.nodes[-1].root.type == "Robot"
