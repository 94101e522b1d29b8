"""The options that note and repeat what users change in the 3D view."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.options import RunChoices
from wbridge.robot_windows.addresses import is_loopback

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.runner import Runner
    from wbridge.wbcore.windows.simulation_handler import SimulationHandler

_LOG = logging.getLogger("wbridge")
MOST_TOLD = 3
"""Problems of a replay that are printed."""


def check_interventions(chosen: RunChoices) -> None:
    """Check the options before the world is loaded.

    Raises:
        InputError: a folder or a file cannot be used.
    """
    if chosen.save_worlds is not None and not chosen.save_worlds.is_dir():
        raise InputError(f"--save-worlds: {chosen.save_worlds} is not a folder")
    if chosen.edit_controllers and not is_loopback(chosen.host_windows):
        raise InputError(
            f"--edit-controllers lets pages run programs here, so other machines may not open them: leave "
            f"out --host-windows {chosen.host_windows}"
        )
    if chosen.interventions is not None and not chosen.interventions.absolute().parent.is_dir():
        raise InputError(f"--interventions: there is no folder {chosen.interventions.parent}")
    if chosen.replay is not None and not chosen.replay.is_file():
        raise InputError(
            f"--replay: there is no file {chosen.replay}; --interventions {chosen.replay} writes one"
        )
    if chosen.replay is not None and chosen.no_controllers and not chosen.windows:
        raise InputError("--replay does not work with --no-controllers")


@contextmanager
def noted_interventions(handler: SimulationHandler, chosen: RunChoices) -> Iterator[None]:
    """Write what users change within the block, if requested.

    Raises:
        InputError: the file cannot be written.
    """
    if chosen.interventions is None or handler.scene_handler is None:
        yield
        return
    from wbridge.wbcore.windows.interventions import InterventionFile

    try:
        file = InterventionFile(chosen.interventions)
    except OSError as problem:
        raise InputError(f"--interventions: {chosen.interventions}: {problem.strerror}") from None
    handler.simulation.nodes.count_all()  # at the start, so that a replay has the same numbers
    handler.scene_handler.interventions.noted.append(file.note)
    handler.scene_handler.interventions.rewinds.append(file.go_back)
    try:
        yield
    finally:
        file.close()


@contextmanager
def replayed_interventions(runner: Runner, chosen: RunChoices) -> Iterator[None]:
    """Repeat interventions within the block, if requested; tell which were not possible.

    Raises:
        InputError: the file cannot be read.
    """
    if chosen.replay is None:
        yield
        return
    from wbridge.wbcore.windows.interventions import BadFile, Replay, read_interventions

    try:
        replay = Replay(runner, read_interventions(chosen.replay))
    except OSError as problem:
        raise InputError(f"--replay: {chosen.replay}: {problem.strerror}") from None
    except BadFile as problem:
        raise InputError(f"--replay: {problem}") from None
    runner.actors.append(replay)
    yield
    for text in replay.problems[:MOST_TOLD]:
        _LOG.warning("warning: not repeated: %s", text)
    if len(replay.problems) > MOST_TOLD:
        _LOG.warning("warning: %d more were not repeated", len(replay.problems) - MOST_TOLD)
