"""Runs of sample worlds with their controllers, as `wbridge run --inline` makes them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tests.conftest import CHECKOUT
from wbridge.wbcore.controllers.runner import Outcome, Runner, RunOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation


class Run(NamedTuple):
    """What came of a run."""

    outcome: Outcome
    simulation: Simulation
    lines: list[str]
    """What all controllers printed."""


def run(
    name: str | Path,
    seconds: float,
    look: Callable[[Simulation], object] = lambda simulation: None,
    seed: int | None = None,
    controllers: Mapping[str, str] | None = None,
) -> Run:
    """Run a world with its controllers until these have ended or a time has passed.

    Args:
        name: of a sample world, or the path of another one.
        seconds: the longest simulated time.
        look: is called before the first step and after each one.
        seed: in the place of the world's.
        controllers: in the place of the world's, by robot.
    """
    path = CHECKOUT / "worlds" / f"{name}.wbt" if isinstance(name, str) else name
    world = load_world(path)
    assert list(world.report.errors) == []
    options = RunOptions(seed=seed, inline=True, fail_on_error=True, controllers=controllers or {})
    with redirect_stdout(io.StringIO()) as printed, Runner(world, options) as runner:
        runner.on_step = look
        runner.limit = round(seconds / runner.simulation.step_s)
        outcome = runner.run()
    return Run(outcome, runner.simulation, printed.getvalue().splitlines())
