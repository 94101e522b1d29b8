"""The recorders of runs and of robots, with what they load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wbridge.failures import InputError
from wbridge.hal.link.numbering import Numbering
from wbridge.running.page_recording import open_page, record_lines
from wbridge.wbcore.recordings.columns import Columns
from wbridge.wbcore.recordings.device_log import LogOfRobot, McapMissing
from wbridge.wbcore.recordings.observed_steps import ObservedSteps
from wbridge.wbcore.recordings.recorder import Recorder
from wbridge.wbcore.remote.gap_record import GapRecord
from wbridge.wbcore.remote.trace_receiver import StepRecord
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_table
from wbridge.wbcore.simulation import Simulation

__all__ = ["open_log", "open_numbers", "open_page", "open_robot", "record_lines"]


def open_numbers(simulation: Simulation, path: Path, devices: bool, others: Sequence[Columns]) -> Recorder:
    """Return a recorder of poses, `others` and, with `devices`, commands and readings.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        return Recorder(simulation, path, devices, others)
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def open_log(simulation: Simulation, path: Path) -> ObservedSteps:
    """Return a recorder of what devices get and send, as a log.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        return ObservedSteps(simulation, path)
    except McapMissing as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def open_robot(path: Path, world: World, node: Node, has_model: bool, is_log: bool) -> StepRecord:
    """Return the recording of a robot that its controller drives, and of its model.

    Raises:
        InputError: the file cannot be written.
    """
    table = device_table(node, world)
    try:
        if is_log:
            return LogOfRobot(path, world, table, has_model)
        return GapRecord(path, Numbering(table), has_model)
    except McapMissing as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None
