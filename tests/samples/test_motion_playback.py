"""The figure follows its motion file, forward and backward."""

from __future__ import annotations

import pytest

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation


def test_the_joints_follow_the_file():
    angles: list[list[float]] = []

    def look(simulation: Simulation) -> None:
        sensors = [simulation.robots.list[0].device(f"{name} sensor") for name in ("head", "right arm")]
        axes = simulation.physics.handles.axes
        angles.append([axes[one.node].position for one in sensors if one is not None])

    done = run("motion_playback", 30, look)
    assert done.outcome.status == 0
    assert done.lines[0] == "the motion lasts 3.3 s"
    step = done.simulation.step_s
    head, arm = angles[round(1.5 / step)]
    assert head == pytest.approx(0.4, abs=0.02)
    assert 2.2 < arm < 2.9
    arms = [one[1] for one in angles]
    # In the wave the arm goes down and up twice, each time after the first way up.
    turns = [
        t for t in range(1, len(arms) - 1) if arms[t] < arms[t - 1] and arms[t] <= arms[t + 1] and arms[t] > 2
    ]
    assert len(turns) == 4, "two forward, two backward"
    assert angles[-1] == pytest.approx([0, 0], abs=0.02)
