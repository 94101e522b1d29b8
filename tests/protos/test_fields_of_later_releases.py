"""The fields of bundled models are those of Webots' own of R2019b to R2025a.

The facts, types and defaults by model, release and field, are taken from Webots' own PROTOs and user guide by
`scripts.model_fields`. A default that is "" there is not compared: a node, or a file that wbridge lacks.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protos.test_fields_of_releases import fields_of
from wbridge.wbcore.scene.load import LoadOptions, load_proto
from wbridge.wbcore.scene.node import values_equal

FACTS = json.loads(Path(__file__).with_name("fields_of_releases.json").read_text())
"""Type and default of each field, by model and release."""
TURNED = {"translation", "rotation"}
"""Fields whose defaults in releases before R2022a are those of worlds with y up."""
OWN_DEFAULTS = {
    ("ControlledStreetLight", "controller"),
    ("CrossRoadsTrafficLight", "controller"),
    ("Darwin-op", "_description"),
    ("Darwin-opHinge2", "_description"),
    ("Darwin-opHinge2", "window"),
    ("Distributor", "controller"),
    ("Mir100", "controller"),
    ("Pedestrian", "controller"),
    ("SquarePathPioneer3dx", "controller"),
    ("Tiago++", "controller"),
    ("Tiagopp", "controller"),
    ("TiagoTitanium", "controller"),
}
"""Defaults that name a controller or a robot window that wbridge lacks, or who drew the shapes of Webots."""
STANDING = {
    ("Darwin-op", "translation"),
    ("Darwin-opHinge2", "translation"),
    ("RobotisOp2", "translation"),
}
"""Heights at which the bundled model stands on the floor; at those of Webots its feet were in the floor."""
LISTS = {
    ("controllerArgs", "SFString"): "MFString",
    ("rightArmSlot", "SFNode"): "MFNode",
    ("frontArmSlot", "SFNode"): "MFNode",
    ("leftArmSlot", "SFNode"): "MFNode",
    ("endEffectorSlot", "SFNode"): "MFNode",
    ("endEffectorLeftSlot", "SFNode"): "MFNode",
    ("endEffectorRightSlot", "SFNode"): "MFNode",
}
"""Texts that are lists since R2020b, and slots that are lists before R2022b; one value is read as a list."""
CHANGED = {
    ("TinkerbotsCubieTriangle", "R2019b", "name"),
    ("TinkerbotsLightSensor", "R2019b", "name"),
}
"""Defaults that differ because a later release, which counts, has another."""


@pytest.mark.parametrize("name", sorted(FACTS))
def test_fields_and_defaults_are_those_of_the_releases(name: str, tmp_path: Path):
    mine = fields_of(name)
    different = []
    for release, facts in FACTS[name].items():
        interface = "".join(
            f"  field {kind} {field} {default}\n" for field, (kind, default) in facts.items() if default
        )
        path = tmp_path / release / "Facts.proto"
        path.parent.mkdir()
        path.write_text(f"#VRML_SIM R2025a utf8\nPROTO Facts [\n{interface}]\n{{\n  Group {{\n  }}\n}}\n")
        theirs = load_proto(path, LoadOptions(expand=False)).nodes[0].spec.fields
        for field, (kind, default) in facts.items():
            if field not in mine or mine[field].type not in (kind, LISTS.get((field, kind))):
                different.append((release, field, kind))
            elif (
                default
                and mine[field].type == kind
                and not _is_own(name, release, field)
                and not values_equal(mine[field].default, theirs[field].default)
            ):
                different.append((release, field, default, mine[field].default))
    assert different == []


def test_facts_of_most_models_are_known():
    assert len(FACTS) >= 372
    assert sum(map(len, FACTS.values())) >= 499


def _is_own(name: str, release: str, field: str) -> bool:
    if (name, release, field) in CHANGED:
        return True
    return (name, field) in OWN_DEFAULTS | STANDING or (release < "R2022a" and field in TURNED)
