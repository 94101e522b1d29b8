"""Open the recording of a run."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.running.writable import Output, check_output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbcore.recordings.recorder import Columns, Recorder
    from wbcore.simulation import Simulation

__all__ = ["check_record", "open_recorder", "problem_of"]

RECORDING = Output("record to", "a recording", (".csv", ".npz"))


def open_recorder(
    simulation: Simulation, path: Path | None, devices: bool, others: Sequence[Columns] = ()
) -> Recorder | nullcontext[None]:
    """Return a recorder of poses, `others` and, with `devices`, commands and readings; None if not requested.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return nullcontext()
    from wbcore.recordings.recorder import Recorder

    check_record(path)
    try:
        return Recorder(simulation, path, devices, others)
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None


def problem_of(recorder: Recorder | None) -> str:
    """Return why a closed recording is incomplete; "" if it is complete or there is none."""
    return recorder.file.problem if recorder is not None else ""


def check_record(path: Path | None) -> None:
    """Check that a recording can be written, before the run starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    check_output(path, RECORDING)
