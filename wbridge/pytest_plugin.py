"""A fixture for pytest that runs worlds with their controllers (docs/grading.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.runner import Outcome
    from wbridge.wbcore.simulation import Simulation


class TestedRun(NamedTuple):
    """A run that has ended."""

    outcome: Outcome
    """Exit status, reason, steps, and controllers that ended by themselves."""
    simulation: Simulation
    """The world at the end of the run."""
    output: str
    """What the controllers have printed, standard error included."""

    @property
    def failed(self) -> list[str]:
        """The controllers that did not start or ended with an exit code other than 0."""
        return [controller.controller for controller in self.outcome.controllers if controller.is_error]


@pytest.fixture
def wbridge_world() -> Callable[..., TestedRun]:
    """Return a function that runs a world (see `run_world`)."""
    return run_world


def run_world(
    world: str | Path,
    duration: float,
    controllers: Mapping[str, str] | None = None,
    seed: int | None = None,
    fields: Mapping[str, str] | None = None,
    timeout: float = 60.0,
    on_step: Callable[[Simulation], object] | None = None,
) -> TestedRun:
    """Run a world with its controllers.

    Args:
        world: path of a world file.
        duration: maximum simulated time (s).
        controllers: controllers that replace those in the world, by robot name; "" is the only robot.
        seed: replaces that of the world.
        fields: values that replace those of fields, as for `wbridge run --set`.
        timeout: maximum real time (s) that a controller may compute without a step.
        on_step: called with the simulation before the first step and after each step.

    Raises:
        WorldError: the world has errors.
        SimulationError: a body is in an invalid state.
    """
    from wbridge.wbcore.controllers.output import Output  # start-up: other tests of a user need no simulator
    from wbridge.wbcore.controllers.runner import Runner, RunOptions  # start-up: as Output
    from wbridge.wbcore.scene.checks import load_checked  # start-up: as Output
    from wbridge.wbcore.scene.load import LoadOptions  # start-up: as Output

    printed: list[str] = []

    def hear(robot: str, text: str, is_error: bool) -> None:
        printed.append(text)

    load = LoadOptions(fields=dict(fields or {}))
    settings: dict[str, Any] = {"seed": seed, "timeout_s": timeout, "controllers": dict(controllers or {})}
    options = RunOptions(**settings, synchronous=True, load=load, output=Output(tap=hear))
    with Runner(load_checked(Path(world), load), options) as runner:
        runner.limit = round(duration / runner.simulation.step_s)
        if on_step is not None:
            runner.on_step = on_step
        outcome = runner.run()
        return TestedRun(outcome, runner.simulation, "".join(printed))
