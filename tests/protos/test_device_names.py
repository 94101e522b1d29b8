"""Devices of bundled models have the names of Webots' own, release by release.

The facts, names by model, release and kind, are those of Webots' own PROTOs of R2018a to R2025a and of its
guide, or those that public controllers call where no PROTO of that release is at hand. Kinds that are not
listed are not known. `scripts.device_names` takes further ones from downloaded PROTOs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protos.models import FILES, parts
from wbridge.wbcore.scene.load import load_text

FACTS = json.loads(Path(__file__).with_name("device_names.json").read_text())
CASES = [(model, release) for model, releases in FACTS.items() for release in releases]


@pytest.mark.parametrize(("model", "release"), CASES)
def test_devices_are_named_as_in_the_release(model: str, release: str):
    declared = f'EXTERNPROTO "{FILES[model].as_posix()}"\n' if release >= "R2022b" else ""
    text = f"#VRML_SIM {release} utf8\n{declared}WorldInfo {{\n}}\n{model} {{\n}}\n"
    world = load_text(text)
    assert world.report.errors == []
    root = world.nodes[-1].root
    own = {kind: sorted(device.get("name") for device in parts(root, kind)) for kind in FACTS[model][release]}
    assert own == FACTS[model][release]
