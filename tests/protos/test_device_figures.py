"""Figures of devices, joints and parts of bundled models are those of Webots' own, release by release.

Ranges, resolutions, tables and noise of sensors, limits of motors, friction and stops of joints, and masses.
The facts are taken by `scripts.device_figures` from PROTOs of Webots in public projects that keep them
unchanged.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.device_figures import of_model
from tests.protos.models import FILES

FACTS = json.loads(Path(__file__).with_name("device_figures.json").read_text())
"""Figures by model, release, device and field; what is a node's default is not listed."""
CASES = [(model, release) for model, releases in FACTS.items() for release in releases]


@pytest.mark.parametrize(("model", "release"), CASES)
def test_figures_are_those_of_webots(model: str, release: str):
    mine = of_model(model, FILES[model], release)
    different = {
        (name, field): (mine.get(name, {}).get(field), value)
        for name, figures in FACTS[model][release].items()
        for field, value in figures.items()
        if not equal(mine.get(name, {}).get(field), value)
    }
    assert different == {}


def test_figures_of_many_devices_are_known():
    assert len(FACTS) >= 60
    assert sum(len(figures) for releases in FACTS.values() for figures in releases.values()) >= 600


def equal(mine: object, theirs: object) -> bool:
    """Whether two figures are equal within a thousandth, lists number by number."""
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(equal(a, b) for a, b in zip(mine, theirs, strict=True))
    return mine is not None and mine == pytest.approx(theirs, rel=1e-3)
