"""The car of the sample changes the lane and stops."""

from __future__ import annotations

import pytest

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation

LANE = 3.5
"""Width of a lane, in m."""


def test_the_car_changes_the_lane_and_stops():
    places: list[tuple[float, float]] = []

    def note(simulation: Simulation) -> None:
        x, y, _ = simulation.node("CAR").translation
        places.append((x, y))

    done = run("car", 20, note)
    assert done.outcome.reason == "all controllers have ended"
    assert done.lines[-1].startswith("the car stopped after")
    assert max(abs(y) for x, y in places if x < 50) < 0.3, "first it stays in its lane"
    x, y = places[-1]
    assert y == pytest.approx(LANE, abs=0.8)
    assert 100 < x < 160
