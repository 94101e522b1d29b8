"""Record runs as a CSV table or a NumPy archive: poses of moving solids, commands and readings of each
step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wbridge.hal.closing import Closing
from wbridge.wbcore.recordings.columns import Columns, JoinedColumns
from wbridge.wbcore.recordings.device_columns import DeviceColumns
from wbridge.wbcore.recordings.law_column import law_columns
from wbridge.wbcore.recordings.pose_columns import PARTS, PoseColumns
from wbridge.wbcore.recordings.row_files import SUFFIXES, ArchiveFile, CsvFile
from wbridge.wbcore.simulation import Simulation

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Recorder(Closing):
    """Writes one row per call of `take`.

    CSV: `time`, then for each body seven columns "NAME.x" to "NAME.qz" (see `PoseColumns`). With devices, a
    column follows for each command and each reading (see `DeviceColumns`), in the units of the API; empty
    until first sent. Other columns come next, and one for the law of contact (see `law_columns`).
    NPZ: `time` (n,), `contacts` (the law of contact), `names` (bodies,), `positions` (n, bodies, 3),
    `quaternions` (n, bodies, 4; w, x, y, z); with devices `columns` (m,) and `values` (n, m), NaN until first
    sent.

    Columns of bodies and devices that a supervisor adds during the run come last, in the order of their
    appearance. Cells are empty (NPZ: NaN) before a body or device is added and after it was removed; a new
    one with the same name continues the columns.
    """

    def __init__(
        self, simulation: Simulation, path: Path, devices: bool = False, others: Sequence[Columns] = ()
    ) -> None:
        """Open a recording.

        Args:
            simulation: the simulation to record.
            path: path of the file.
            devices: also record commands and readings.
            others: further columns to record.

        Raises:
            ValueError: the suffix is neither .csv nor .npz.
            OSError: the file cannot be written.
        """
        if path.suffix not in SUFFIXES:
            raise ValueError(f"{path}: a recording is a .csv or .npz file")
        self._simulation = simulation
        self._poses = PoseColumns(simulation.physics)
        self._device_columns = DeviceColumns(simulation.robots) if devices else None
        of_devices = [self._device_columns] if self._device_columns is not None else []
        is_table = path.suffix == ".csv"
        self._law = simulation.physics.plan.settings.contact_law
        sources: list[Columns] = [self._poses, *of_devices, *others, *law_columns(self._law)]
        self._joined = JoinedColumns(sources if is_table else [*of_devices, *others])
        self._times: list[float] = []
        self._said: list[list[float]] = []
        self._taken: list[NDArray[np.float64]] = []
        self._table = CsvFile(path, ["time", *self._joined.columns]) if is_table else None
        self.file = self._table or ArchiveFile(path, self._arrays)

    def take(self) -> None:
        """Record the current poses and the latest device values."""
        known = len(self._joined.columns)
        said = self._joined.values
        if self._table is not None:
            self._table.add_columns(self._joined.columns[known:])
            texts = ("" if math.isnan(number) else repr(number) for number in said)
            self._table.add([repr(self._simulation.time), *texts])
            return
        self._said.append(said)
        self._times.append(self._simulation.time)
        self._taken.append(self._poses.take())
        self.file.add(())

    def take_of(self, simulation: Simulation) -> None:
        """Record the current poses of a run, unless it has switched to another world."""
        if simulation is self._simulation:
            self.take()

    def _arrays(self) -> dict[str, object]:
        """Return what was recorded so far, for an archive."""
        names, width = self._poses.names, len(PARTS)
        rows = _padded([values.ravel() for values in self._taken], len(names) * width)
        poses = rows.reshape(len(self._taken), len(names), width)
        arrays: dict[str, object] = {
            "time": np.array(self._times),
            "contacts": np.array(self._law),
            "names": np.array(names, str),
            "positions": poses[:, :, :3],
            "quaternions": poses[:, :, 3:],
        }
        if self._joined.sources:
            arrays["columns"] = np.array(self._joined.columns, str)
            arrays["values"] = _padded(self._said, len(self._joined.columns))
        return arrays

    def close(self) -> None:
        """Complete the file with what was recorded so far."""
        if self._device_columns is not None:
            self._device_columns.close()
        self.file.close()


def _padded(rows: Sequence[Sequence[float] | NDArray[np.float64]], width: int) -> NDArray[np.float64]:
    """Return rows as an array; NaN follows rows that are shorter because columns were added after them."""
    padded = np.full((len(rows), width), np.nan)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded
