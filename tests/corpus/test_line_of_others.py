"""The line follower on the course of another project."""

from __future__ import annotations

import pytest

from scripts.inputs import inputs_directory
from tests.conftest import CHECKOUT
from tests.samples.runs import run
from tests.samples.test_line_follower import Watch


def test_it_follows_the_line_of_another_project():
    folder = inputs_directory()
    if folder is None:
        pytest.skip("the worlds of other people are absent; name their folder in WBRIDGE_INPUTS")
    (world,) = (folder / "epuck-line-following").rglob("*.wbt")
    watch = Watch()
    done = run(world, 45, watch, controllers={"": str(CHECKOUT / "controllers" / "line_follower")})
    assert done.outcome.steps * done.simulation.step_s == pytest.approx(45, abs=0.05)
    assert watch.laps > 0.9
    assert watch.farthest < 0.02
