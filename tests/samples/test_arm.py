"""The arm touches its points."""

from __future__ import annotations

import re

import numpy as np

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation


def test_the_arm_touches_all_points_within_two_millimeters():
    done = run("arm", 30)
    assert done.outcome.status == 0
    assert done.outcome.reason == "all controllers have ended"
    errors = [float(one) for line in done.lines for one in re.findall(r"([\d.]+) mm", line)]
    assert len(errors) == 5
    assert max(errors) < 2


def test_the_tip_is_where_the_controller_says():
    places: list[np.ndarray] = []

    def look(simulation: Simulation) -> None:
        tip = simulation.robots.list[0].device("tip")
        assert tip is not None
        places.append(np.array(simulation.physics.pose(tip.node).position))

    done = run("arm", 30, look)
    for point in re.findall(r"\(([^)]*)\)", "\n".join(done.lines)):
        target = np.array([float(one) for one in point.split(",")])
        assert min(np.linalg.norm(place - target) for place in places) < 0.002
