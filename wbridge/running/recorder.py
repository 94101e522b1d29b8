"""Open the recording of a run."""

from __future__ import annotations

import os
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbcore.recordings.recorder import Columns, Recorder
    from wbcore.simulation import Simulation

__all__ = ["check_record", "open_recorder", "problem_of"]

SUFFIXES = (".csv", ".npz")


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
    if path is None:
        return
    try:
        why = _why_not(path)
    except OSError as problem:
        why = str(problem.strerror)
    if why:
        raise InputError(f"cannot record to {path}: {why}")


def _why_not(path: Path) -> str:
    """Return why a recording cannot be written there; "" if no problem is known."""
    folder = path.parent
    if path.suffix not in SUFFIXES:
        name = folder / f"{path.stem or 'trace'}.csv"
        return f"a recording must be a .csv or .npz file, for example {name}"
    if path.is_dir():
        return f"it is a folder; name a file in it, for example {path / 'trace.csv'}"
    if not folder.exists():
        nearest = next(one for one in folder.absolute().parents if one.is_dir())
        from wbcore.scene.diagnostics import did_you_mean

        wanted = folder.absolute().relative_to(nearest).parts[0]
        hint = did_you_mean(wanted, sorted(one.name for one in _folders(nearest)))
        make = f"mkdir -p {shlex.quote(str(folder))}"
        return f"folder {folder} does not exist ({nearest} is one{hint}); create it: {make}"
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(path if path.exists() else folder, os.W_OK):
        return f"{path if path.exists() else folder} is not writable by this user"
    return ""


def _folders(folder: Path) -> list[Path]:
    try:
        return [one for one in folder.iterdir() if one.is_dir()]
    except OSError:
        return []
