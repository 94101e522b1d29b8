"""The supervisor measures, and its verdict is the status of the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.samples.runs import run

WORLD = (CHECKOUT / "worlds" / "ball_on_a_ramp.wbt").read_text(encoding="utf-8")


def changed(folder: Path, old: str, new: str) -> Path:
    """The world with a change, in a project of its own with the sample controllers."""
    (folder / "worlds").mkdir()
    for name in ("controllers", "protos"):
        (folder / name).symlink_to(CHECKOUT / name)
    assert old in WORLD
    path = folder / "worlds" / "changed.wbt"
    path.write_text(WORLD.replace(old, new), encoding="utf-8")
    return path


def test_the_ball_rolls_as_the_formula_says():
    done = run("ball_on_a_ramp", 20)
    assert done.outcome.status == 0
    result = json.loads(done.lines[0])
    assert result["agrees"] is True
    assert result["distance_m"] == pytest.approx(1.5, abs=0.02)
    assert result["speed_m_s"] == pytest.approx(2.04, abs=0.03)
    assert result["time_s"] == pytest.approx(2 * result["distance_m"] / result["speed_m_s"], rel=0.02)


def test_on_the_moon_it_rolls_slowly(tmp_path: Path):
    done = run(changed(tmp_path, "DEF WORLD WorldInfo {", "DEF WORLD WorldInfo {\n  gravity 1.62"), 20)
    assert done.outcome.status == 0
    assert json.loads(done.lines[0])["speed_m_s"] == pytest.approx(2.04 * (1.62 / 9.81) ** 0.5, abs=0.02)


def test_a_ball_that_slides_does_not_agree(tmp_path: Path):
    slippery = "DEF WORLD WorldInfo {\n  contactProperties [\n    ContactProperties {\n"
    slippery += "      coulombFriction [\n        0\n      ]\n    }\n  ]"
    done = run(changed(tmp_path, "DEF WORLD WorldInfo {", slippery), 20)
    assert done.outcome.status == 1
    assert json.loads(done.lines[0])["agrees"] is False
