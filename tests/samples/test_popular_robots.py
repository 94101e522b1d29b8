"""Samples of robots that public worlds name often: Pioneers, a UR5e and a BMW X5."""

from __future__ import annotations

import re

import numpy as np

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation


def test_pioneers_drive_between_barrels_by_their_sonars():
    ways: dict[str, list[np.ndarray]] = {"DX": [], "AT": []}

    def note(simulation: Simulation) -> None:
        for name, places in ways.items():
            places.append(np.array(simulation.node(name).translation))

    done = run("sonar_avoiders", 30, note)
    assert done.outcome.status == 0
    for places in ways.values():
        way = np.linalg.norm(np.diff(places, axis=0), axis=1)
        assert way.sum() > 8
        assert way[-500:].sum() > 1, "it has not stuck"
        assert np.abs(np.array(places)[:, :2]).max() < 4.4, "it stays within the walls"


def test_a_ur5e_reaches_the_corners_within_two_millimeters():
    done = run("ur5e", 10)
    assert done.outcome.reason == "all controllers have ended"
    errors = [float(found[1]) for line in done.lines if (found := re.search(r"error (\S+) mm", line))]
    assert len(errors) == 5
    assert max(errors) < 2


def test_a_bmw_x5_changes_the_lane_and_stops():
    done = run("bmw_x5", 20)
    assert done.outcome.reason == "all controllers have ended"
    assert done.lines[-1].startswith("the car stopped after")
    x, y, _ = done.simulation.node("CAR").translation
    assert abs(y - 3.5) < 0.8
    assert 100 < x < 160
