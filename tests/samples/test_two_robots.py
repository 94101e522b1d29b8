"""One robot does what the other one tells it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation


def test_every_message_arrives_and_the_follower_drives_the_same_way():
    ways: dict[str, list[np.ndarray]] = {"LEADER": [], "FOLLOWER": []}

    def look(simulation: Simulation) -> None:
        for name, way in ways.items():
            way.append(simulation.node(name).translation)

    done = run("two_robots", 60, look)
    assert done.outcome.status == 0
    sent, heard = (line.split()[1] for line in done.lines)
    assert sent == heard
    assert int(sent) > 700
    leader, follower = (np.array(ways[name]) for name in ("LEADER", "FOLLOWER"))
    size = leader.max(axis=0) - leader.min(axis=0)
    assert size[:2] == pytest.approx([0.2, 0.2], abs=0.02)
    # The follower is one step behind.
    apart = (follower[1:] - follower[0]) - (leader[:-1] - leader[0])
    assert np.abs(apart).max() < 0.01
