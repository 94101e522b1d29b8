"""Robots of a run whose controllers may drive real ones: who listens to what they tell."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError

if TYPE_CHECKING:
    from wbcore.controllers.runner import Runner
    from wbcore.remote.companion import Companion
    from wbcore.scene.load import World
    from wbcore.simulation import Simulation

__all__ = ["join", "look", "open_companions"]

NONE = ("", "void", "<none>", "none")


@contextmanager
def open_companions(world: World, shadow: str | None) -> Iterator[list[Companion]]:
    """One for each robot that has a remote control; none where `shadow` (of `--shadow`) is None."""
    from wbcore.tables.device_tables import robots

    nodes = [one for one in robots(world.nodes) if str(one.get("remoteControl")) not in NONE]
    if shadow is None or world.report.errors:
        yield []
        return
    if not nodes:
        raise InputError(
            'no robot in this world has remote control: name a plugin in its field "remoteControl", '
            'for example "wblink"'
        )
    from wbcore.remote.companion import Companion

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wbridge-")))
        made = []
        for number, node in enumerate(nodes):
            made.append(Companion(world, node, folder / str(number), shadow == "mirror"))
            stack.callback(made[-1].shadow.close)
        yield made


def join(runner: Runner, companions: list[Companion]) -> None:
    """Let them take part in a run."""
    for one in companions:
        one.join(lambda: runner.simulation)
        one.shadow.watch(runner.server)


def look(runner: Runner, companions: list[Companion]) -> None:
    """Let them hear what was told before each step is looked at."""
    if not companions:
        return
    then = runner.on_step

    def look_first(simulation: Simulation) -> None:
        for one in companions:
            one.shadow.look()
        then(simulation)

    runner.on_step = look_first
