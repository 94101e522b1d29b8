"""Open the recording of a run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.options import RunChoices
from wbridge.running.page_recording import PAGE, open_page
from wbridge.running.writable import Output, check_output
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_table

if TYPE_CHECKING:
    from wbridge.wbcore.recordings.columns import Columns
    from wbridge.wbcore.recordings.observed_steps import ObservedSteps
    from wbridge.wbcore.recordings.page_recorder import PageRecorder
    from wbridge.wbcore.recordings.recorder import Recorder
    from wbridge.wbcore.remote.trace_receiver import StepRecord
    from wbridge.wbcore.simulation import Simulation

__all__ = ["check_record", "check_run_record", "check_step_record", "open_recorder", "open_run_recorder"]
__all__ += ["open_step_record", "problem_of"]

RECORDING = Output("record to", "a recording", (".csv", ".npz"))
LOG = ".mcap"
STEPS = Output("record to", "a recording", (LOG, ".csv", ".npz"))
RUN = Output("record to", "a recording", (".html", LOG, ".csv", ".npz"))


def open_recorder(
    simulation: Simulation, path: Path | None, devices: bool, others: Sequence[Columns] = ()
) -> Recorder | nullcontext[None]:
    """Return a recorder of poses, `others` and, with `devices`, commands and readings; None if not requested.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return nullcontext()
    from wbridge.wbcore.recordings.recorder import Recorder

    check_record(path)
    try:
        return Recorder(simulation, path, devices, others)
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def open_run_recorder(
    simulation: Simulation, chosen: RunChoices, devices: bool, others: Sequence[Columns] = ()
) -> Recorder | PageRecorder | ObservedSteps | nullcontext[None]:
    """Return the recorder that `chosen.record` requests: of a page, a log, or numbers (`open_recorder`).

    Raises:
        InputError: the file cannot be written, or `chosen.plot` names no value.
    """
    if chosen.record is not None and chosen.record.suffix == LOG:
        return _open_log(simulation, chosen.record)
    if chosen.record is not None and chosen.record.suffix == PAGE:
        return open_page(simulation, chosen.record, chosen.plot, devices, others)
    return open_recorder(simulation, chosen.record, devices, others)


def _open_log(simulation: Simulation, path: Path) -> ObservedSteps:
    from wbridge.wbcore.recordings.device_log import McapMissing
    from wbridge.wbcore.recordings.observed_steps import ObservedSteps

    try:
        return ObservedSteps(simulation, path)
    except McapMissing as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def open_step_record(path: Path, world: World, node: Node, has_model: bool) -> StepRecord:
    """Return the recording of a robot that its controller drives, and of its model.

    Raises:
        InputError: the file cannot be written.
    """
    from wbridge.hal.link.numbering import Numbering
    from wbridge.wbcore.recordings.device_log import LogOfRobot, McapMissing
    from wbridge.wbcore.remote.gap_record import GapRecord

    table = device_table(node, world)
    try:
        if path.suffix == LOG:
            return LogOfRobot(path, world, table, has_model)
        return GapRecord(path, Numbering(table), has_model)
    except McapMissing as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def problem_of(recorder: Recorder | PageRecorder | ObservedSteps | None) -> str:
    """Return why a closed recording is incomplete; "" if it is complete or there is none."""
    return recorder.file.problem if recorder is not None else ""


def check_record(path: Path | None) -> None:
    """Check that a recording can be written, before the run starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    check_output(path, RECORDING)


def check_step_record(path: Path | None) -> None:
    """Check that the recording of a robot can be written, before it starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    check_output(path, STEPS)


def check_run_record(chosen: RunChoices) -> None:
    """Check that the recording of a run can be written, before it starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    path = chosen.record
    check_output(path, RUN)
    if path is not None and path.suffix == LOG and chosen.no_controllers:
        raise InputError(f"{path}: without controllers no device does anything; record to a .csv file")
    is_page = path is not None and path.suffix == PAGE
    if chosen.plot and not is_page:
        raise InputError("--plot chooses values for a page; add --record FILE.html")
    if is_page and path == chosen.animation:
        raise InputError(f"--record and --animation name the same file, {path}; rename one of them")
