"""A run continues in copies of its process, with the programs of inline controllers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.fleet.worlds import write, write_controller
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.branches import BranchError, branch

COUNTER = """\
from controller import Robot
robot = Robot()
count = 0
while robot.step(10) != -1:
    count += 1
    robot.setCustomData(str(count))
"""
BEGIN, END = 20, 50
HEIGHTS = (1.0, 2.0, 3.0)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write_controller(tmp_path, "counter", COUNTER)
    return write(tmp_path)


def started(world: Path) -> Runner:
    runner = Runner(load_world(world), RunOptions(inline=True, controllers={"": "counter"}))
    runner.limit = END
    return runner


def lift(z: float, simulation: Simulation) -> None:
    simulation.set_field(simulation.node("BALL").node, "translation", (0.0, 0.0, z))


def seen(runner: Runner) -> list[str]:
    """What is left of a run: the state of the physics, and what the program has counted."""
    return [runner.simulation.hash(), str(runner.simulation.node("ROBOT").node.get("customData"))]


def test_branches_do_what_whole_runs_do(world: Path) -> None:
    with started(world) as runner:
        found = branch(runner, BEGIN, [partial(lift, one) for one in HEIGHTS], seen, jobs=2)
    expected = []
    for z in HEIGHTS:
        with started(world) as runner:

            def change(simulation: Simulation, z: float = z) -> None:
                if simulation.steps == BEGIN:
                    lift(z, simulation)

            runner.on_step = change
            runner.run()
            expected.append(seen(runner))
    assert found == expected
    assert len({one[0] for one in found}) == 3 and {one[1] for one in found} == {str(END - 1)}


def test_failures_of_branches_are_told(world: Path) -> None:
    def fail(_: Simulation) -> None:
        raise OSError("no more")

    with started(world) as runner, pytest.raises(BranchError, match="OSError: no more"):
        branch(runner, BEGIN, [fail], seen)
    with Runner(load_world(world), RunOptions()) as runner, pytest.raises(ValueError, match="inline=True"):
        branch(runner, BEGIN, [partial(lift, 1.0)], seen)
