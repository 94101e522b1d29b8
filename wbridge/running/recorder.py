"""Opens the recording that a run was asked for."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbcore.recording import Columns, Recorder
    from wbcore.simulation import Simulation

__all__ = ["open_recorder"]


def open_recorder(
    simulation: Simulation, path: Path | None, devices: bool, others: Sequence[Columns] = ()
) -> Recorder | nullcontext[None]:
    """A recorder of poses, of `others`, and with `devices` of what controllers and devices say; or None.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return nullcontext()
    from wbcore.recording import Recorder

    try:
        return Recorder(simulation, path, devices, others)
    except (OSError, ValueError) as problem:
        raise InputError(f"cannot record: {problem}") from None
