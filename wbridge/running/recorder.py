"""Opens the recording that a run was asked for."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.failures import InputError

if TYPE_CHECKING:
    from wbcore.recording import Recorder
    from wbcore.simulation import Simulation

__all__ = ["open_recorder"]


def open_recorder(simulation: Simulation, path: Path | None, devices: bool) -> Recorder | nullcontext[None]:
    """A recorder of poses, and with `devices` of what controllers and devices say; or None.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        return nullcontext()
    from wbcore.recording import Recorder

    try:
        return Recorder(simulation, path, devices)
    except (OSError, ValueError) as problem:
        raise InputError(f"cannot record: {problem}") from None
