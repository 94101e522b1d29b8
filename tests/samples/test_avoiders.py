"""The avoiders explore their arenas and touch nothing."""

from __future__ import annotations

import math

import pytest

from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation


class Explorer:
    """Notes the squares of the floor where a robot has been, and what it touched beside the floor."""

    FLOORS = ("floor", "rectangle arena")

    def __init__(self, def_name: str, square: float) -> None:
        self.def_name, self.square = def_name, square
        self.squares: set[tuple[int, int]] = set()
        self.touched: set[str] = set()

    def __call__(self, simulation: Simulation) -> None:
        x, y, _ = simulation.node(self.def_name).translation
        self.squares.add((math.floor(x / self.square), math.floor(y / self.square)))
        known = simulation.physics.handles.geoms
        for pair in simulation.physics.engine.contacts().geoms.tolist():
            solids = [known[one][0] for one in pair]
            for one, other in (solids, solids[::-1]):
                if one.robot is not None and other.robot is None:
                    self.touched.add(str(other.node.get("name")))

    @property
    def obstacles(self) -> set[str]:
        """What it touched and should not."""
        return {one for one in self.touched if not one.startswith(self.FLOORS)}


@pytest.mark.parametrize(
    ("world", "robot", "square", "visited", "seed"),
    [
        ("epuck_arena", "E_PUCK", 0.2, 14, 0),
        ("epuck_arena", "E_PUCK", 0.2, 14, 1),
        ("four_wheel_robot", "ROBOT", 0.4, 14, 0),
    ],
)
def test_it_explores_and_touches_nothing(world: str, robot: str, square: float, visited: int, seed: int):
    explorer = Explorer(robot, square)
    done = run(world, 70, explorer, seed=seed)
    assert done.outcome.reason == "reached the requested time"
    assert explorer.touched, "it stands on the floor"
    assert explorer.obstacles == set()
    assert len(explorer.squares) >= visited
