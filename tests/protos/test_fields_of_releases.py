"""The fields of the bundled models are those of Webots' own, release by release.

The facts of R2018b, names, types and defaults of the fields of 218 models, are those of its user guide. Later
releases renamed few of them, so a world of any release finds its fields here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protos.models import FILES, load, parts
from wbridge.wbcore.scene.load import LoadOptions, load_proto, load_text
from wbridge.wbcore.scene.node import values_equal

FACTS = json.loads(Path(__file__).with_name("fields_r2018b.json").read_text())
"""Type and default of each field in R2018b, by model and name."""
CHANGED = {
    "AdvertisingBoard": "displayWidth displayHeight poleNumber baseRatio",
    "Car": "brakeCoefficient",
    "ControlledStreetLight": "cutOffAngle radius",
    "CurvedRoadSegment": "subdivision",
    "StreetLight": "cutOffAngle radius",
    "VehicleWheel": "subdivision edgeSubdivision",
}
"""Defaults that differ: changed by later releases, or not known to be the same there."""


def fields_of(name: str) -> dict[str, Any]:
    return dict(load_proto(FILES[name], LoadOptions(expand=False)).nodes[0].spec.fields)


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_field_of_r2018b_is_accepted(name: str):
    assert set(FACTS[name]) <= set(fields_of(name))


@pytest.mark.parametrize("name", sorted(FACTS))
def test_types_are_those_of_r2018b(name: str):
    mine = fields_of(name)
    changed = {
        field: (type_, mine[field].type)
        for field, (type_, _) in FACTS[name].items()
        if field in mine and mine[field].type != type_
    }
    # Lists since R2020b; one string is read as a list, too.
    assert changed in ({}, {"controllerArgs": ("SFString", "MFString")})


@pytest.mark.parametrize("name", sorted(FACTS))
def test_sizes_and_switches_have_the_defaults_of_r2018b(name: str, tmp_path: Path):
    mine = fields_of(name)
    path = tmp_path / "Facts.proto"
    different = set()
    for field, (type_, default) in FACTS[name].items():
        if type_ not in ("SFBool", "SFInt32", "SFFloat") or field not in mine:
            continue
        body = f"PROTO Facts [\n  field {type_} {field} {default}\n]\n{{\n  Group {{\n  }}\n}}\n"
        path.write_text(f"#VRML_SIM R2025a utf8\n{body}")
        theirs = load_proto(path, LoadOptions(expand=False)).nodes[0].spec.fields[field]
        if not values_equal(mine[field].default, theirs.default):
            different.add(field)
    assert different == set(CHANGED.get(name, "").split())


def test_uneven_terrain_has_z_rows_where_y_is_up():
    ground = "UnevenTerrain {\n  xDimension 20\n  zDimension 30\n}\n"
    world = load_text(f"#VRML_SIM R2020b utf8\nWorldInfo {{\n}}\n{ground}")
    assert "zDimension" not in "".join(map(str, world.report))
    grid = parts(world.nodes[-1].root, "ElevationGrid")[0]
    assert (grid.get("xDimension"), grid.get("yDimension")) == (20, 30)


def test_a_pipe_joint_is_scaled():
    small, large = (
        load(f"LJoint {{\n  scale {factor} {factor} {factor}\n}}\n").nodes[0].root for factor in (1, 2)
    )
    radii = [parts(one, "Cylinder")[0].get("radius") for one in (small, large)]
    assert radii == pytest.approx([0.04, 0.08])


def test_a_box_is_recognized_by_its_colors():
    box = load("SolidBox {\n  recognitionColors [ 1 0 0 ]\n}\n").nodes[0].root
    assert list(box.get("recognitionColors")) == [(1, 0, 0)]
