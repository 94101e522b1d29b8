"""Simulated twins of the robots in a run whose controllers may drive real ones."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.tables.device_tables import robots

if TYPE_CHECKING:
    from wbridge.wbcore.remote.simulated_twin import SimulatedTwin
    from wbridge.wbcore.simulation import Simulation

NONE = ("", "void", "<none>", "none")


@contextmanager
def open_twins(world: World, shadow: str | None) -> Iterator[list[SimulatedTwin]]:
    """Create one twin per robot with a remote control; none if `shadow` (of `--shadow`) is None."""
    nodes = [robot for robot in robots(world.nodes) if str(robot.get("remoteControl")) not in NONE]
    if shadow is None or world.report.errors:
        yield []
        return
    if not nodes:
        raise InputError(
            'no robot in this world has remote control: name a plugin in its field "remoteControl", '
            'for example "wblink"'
        )

    from wbridge.wbcore.remote.simulated_twin import SimulatedTwin

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wbridge-")))
        made = []
        for number, node in enumerate(nodes):
            made.append(SimulatedTwin(world, node, folder / str(number), shadow == "mirror"))
            stack.callback(made[-1].receiver.close)
        yield made


def join(runner: Runner, twins: list[SimulatedTwin]) -> None:
    """Add the twins to a run."""
    for twin in twins:
        twin.join(lambda: runner.simulation)
        twin.receiver.watch(runner.server)


def look(runner: Runner, twins: list[SimulatedTwin]) -> None:
    """Process the step traces before each step is observed."""
    if not twins:
        return
    then = runner.on_step

    def look_first(simulation: Simulation) -> None:
        for twin in twins:
            twin.receiver.look()
        then(simulation)

    runner.on_step = look_first
