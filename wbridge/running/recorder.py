"""Open the recording of a run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

from wbridge.failures import InputError
from wbridge.options import RunChoices
from wbridge.running.printed import Printed
from wbridge.running.writable import Output, check_output
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.recordings.columns import Columns
    from wbridge.wbcore.recordings.observed_steps import ObservedSteps
    from wbridge.wbcore.recordings.page_recorder import PageRecorder
    from wbridge.wbcore.recordings.recorder import Recorder
    from wbridge.wbcore.remote.trace_receiver import StepRecord
    from wbridge.wbcore.simulation import Simulation

    AnyRecorder = Recorder | PageRecorder | ObservedSteps

RECORDING = Output("record to", "a recording", (".csv", ".npz"))
LOG, PAGE = ".mcap", ".html"
STEPS = Output("record to", "a recording", (LOG, ".csv", ".npz"))
RUN = Output("record to", "a recording", (".html", LOG, ".csv", ".npz"))


def is_page(path: Path | None) -> bool:
    """Return True for a file that is recorded as a page."""
    return path is not None and path.suffix == PAGE


def open_recorder(
    simulation: Simulation, path: Path | None, devices: bool, others: Sequence[Columns] = ()
) -> Recorder | nullcontext[None]:
    """Return a recorder of poses, `others` and, with `devices`, commands and readings; None if not requested.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return nullcontext()
    check_record(path)
    from wbridge.running.recorders import open_numbers  # start-up: 0.1 s, few runs are recorded

    return open_numbers(simulation, path, devices, others)


def open_run_recorder(
    simulation: Simulation, chosen: RunChoices, devices: bool, others: Sequence[Columns] = ()
) -> AnyRecorder | nullcontext[None]:
    """Return the recorder that `chosen.record` requests: of a page, a log, or numbers (`open_recorder`).

    Raises:
        InputError: the file cannot be written, or `chosen.plot` names no value.
    """
    path = chosen.record
    if path is None or path.suffix not in (LOG, PAGE):
        return open_recorder(simulation, path, devices, others)
    from wbridge.running.recorders import open_log, open_page  # start-up: as in open_recorder

    if path.suffix == LOG:
        return open_log(simulation, path)
    return open_page(simulation, path, chosen.plot, devices, others)


def record_output(
    recorder: AnyRecorder | None, path: Path | None, printed: Printed
) -> AbstractContextManager[None]:
    """Record what controllers print and the simulator reports in the block, if `path` is a page."""
    if not is_page(path):
        return nullcontext()
    from wbridge.running.recorders import record_lines  # start-up: as in open_recorder

    return record_lines(cast("PageRecorder", recorder), printed)


def end_page(
    recorder: AnyRecorder | None,
    path: Path | None,
    simulation: Simulation,
    steps: int,
    status: int,
    reason: str,
) -> None:
    """Record how the run has ended, if `path` is a page."""
    if is_page(path):
        cast("PageRecorder", recorder).finish(
            {
                "reason": reason or "the run has ended",
                "status": status,
                "seconds": steps * simulation.step_s,
                "hash": simulation.hash(),
            }
        )


def open_step_record(path: Path, world: World, node: Node, has_model: bool) -> StepRecord:
    """Return the recording of a robot that its controller drives, and of its model.

    Raises:
        InputError: the file cannot be written.
    """
    from wbridge.running.recorders import open_robot  # start-up: as in open_recorder

    return open_robot(path, world, node, has_model, path.suffix == LOG)


def problem_of(recorder: AnyRecorder | None) -> str:
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
    if chosen.plot and not is_page(path):
        raise InputError("--plot chooses values for a page; add --record FILE.html")
    if is_page(path) and path == chosen.animation:
        raise InputError(f"--record and --animation name the same file, {path}; rename one of them")
