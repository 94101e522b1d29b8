"""The law of contact of a world: how it is chosen, and where a run says so."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wbridge.main import main
from wbridge.wbcore import Simulation
from wbridge.wbcore.scene.load import LoadOptions

BOX = """#VRML_SIM R2023b utf8
WorldInfo { basicTimeStep 8 INFO
  contactProperties [ ContactProperties { coulombFriction [ 0.3 ] bounce 0 } ] }
Solid { boundingObject Plane { size 10 10 } name "floor" }
DEF BOX Solid {
  translation 0 0 0.05
  boundingObject Box { size 0.2 0.2 0.1 }
  physics Physics { mass 1 density -1 }
}
"""


def world_file(folder: Path, info: str = "") -> Path:
    path = folder / "box.wbt"
    path.write_text(BOX.replace("INFO", f'info [ "about a box" {info} ]'), encoding="utf-8")
    return path


def head_of(page: Path) -> dict[str, Any]:
    """The head of a recorded page."""
    part = re.search(r'data-part="head"[^>]*>([^<]*)', page.read_text(encoding="utf-8"))
    assert part is not None
    head: dict[str, Any] = json.loads(zlib.decompress(b64decode(part[1])))
    return head


def law_of(simulation: Simulation) -> str:
    return str(simulation.physics.engine.contact_law)


def test_the_law_is_chosen_by_the_world_the_options_or_the_program(tmp_path: Path) -> None:
    assert law_of(Simulation(world_file(tmp_path))) == "webots"
    assert law_of(Simulation(world_file(tmp_path), contacts="precise")) == "precise"
    options = LoadOptions(fields={"contacts": "precise"})
    assert law_of(Simulation(world_file(tmp_path), options=options)) == "precise"
    named = world_file(tmp_path, '"wbridge.contacts=precise"')
    assert law_of(Simulation(named)) == "precise"
    assert law_of(Simulation(named, contacts="webots")) == "webots"


def test_the_default_has_the_hash_that_it_has_without_a_choice(tmp_path: Path) -> None:
    hashes = []
    for law in (None, "webots", "precise"):
        with Simulation(world_file(tmp_path), contacts=law) as simulation:
            simulation.step(20)
            hashes.append(simulation.hash())
    assert hashes[0] == hashes[1] != hashes[2]


def test_an_unknown_law_is_refused_or_reported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'no law of contact "precis"; did you mean'):
        Simulation(world_file(tmp_path), contacts="precis")
    simulation = Simulation(world_file(tmp_path, '"wbridge.contacts=round"'))
    assert law_of(simulation) == "webots"
    assert any(
        'no law of contact "round"' in one.message and '"webots" is used' in one.message
        for one in simulation.findings
    )


def test_a_box_slides_as_coulomb_says_in_any_direction(tmp_path: Path) -> None:
    """v = v0 - mu g t at 45 degrees to the axes; the pyramid of Webots brakes 1.41 times as much."""
    for law, factor in (("precise", 1.0), ("webots", 2**0.5)):
        with Simulation(world_file(tmp_path), contacts=law) as simulation:
            simulation.step(50)
            box = simulation.node("BOX")
            box.set_velocity((2**0.5, 2**0.5, 0), (0, 0, 0))
            simulation.step(25)
            speed = sum(one * one for one in box.linear_velocity[:2]) ** 0.5
            tolerance = 1e-3 if law == "precise" else 0.1
            assert 2 - speed == pytest.approx(factor * 0.3 * 9.81 * 0.2, rel=tolerance)


def test_a_run_says_its_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = str(world_file(tmp_path))
    for arguments, said in (([], ""), (["--contacts", "precise"], ", contacts precise")):
        assert main(["run", world, "--steps", "2", "--no-controllers", *arguments]) == 0
        first = capsys.readouterr()
        assert f"seed 0{said}, no controllers" in first.out + first.err
    assert main(["run", world, "--steps", "2", "--no-controllers", "--contacts", "precise", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["contacts"] == "precise"


def recorded(folder: Path, name: str, *more: str) -> Path:
    """Record two steps of the box."""
    path = folder / name
    how = ["--steps", "2", "--no-controllers", "--record", str(path)]
    assert main(["run", str(world_file(folder)), *how, *more]) == 0
    return path


def test_tables_name_a_law_that_is_not_the_default(tmp_path: Path) -> None:
    """One more column, of numbers as all others; tables with the default law stay as they are."""
    header, *rows = recorded(tmp_path, "a.csv").read_text().splitlines()
    other_header, *other_rows = recorded(tmp_path, "b.csv", "--contacts", "precise").read_text().splitlines()
    assert other_header == f"{header},contacts.precise"
    assert all(row.endswith(",1.0") for row in other_rows)
    assert len(other_rows) == len(rows)


@pytest.mark.parametrize("law", ["webots", "precise"])
def test_archives_and_pages_name_the_law(tmp_path: Path, law: str) -> None:
    with np.load(recorded(tmp_path, "a.npz", "--contacts", law)) as archive:
        assert str(archive["contacts"]) == law
    assert head_of(recorded(tmp_path, "a.html", "--contacts", law))["contacts"] == law
