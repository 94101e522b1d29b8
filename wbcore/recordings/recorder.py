"""Record runs as a CSV table or a NumPy archive: poses of moving solids, commands and readings of each
step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from wbcore.physics.plan import BodyPlan, SolidPlan
from wbcore.recordings.device_columns import DeviceColumns
from wbcore.recordings.row_files import SUFFIXES, ArchiveFile, CsvFile, RowFile
from wbcore.scene.places import instance_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wbcore.simulation import Simulation

_COLUMNS = ("x", "y", "z", "qw", "qx", "qy", "qz")


class Columns(Protocol):
    """Named numbers that change."""

    columns: list[str]

    @property
    def values(self) -> list[float]:
        """Current values; NaN if not available yet."""


class Recorder:
    """Writes one row per call of `take`.

    CSV: `time`, then for each body seven columns "NAME.x" to "NAME.qz" (m, unit quaternion, world); the name
    is a path such as "robot/left wheel". With devices, a column follows for each command and each reading
    (see `DeviceColumns`), in the units of the API; empty until first sent.
    NPZ: `time` (n,), `names` (bodies,), `positions` (n, bodies, 3), `quaternions` (n, bodies, 4; w, x, y, z);
    with devices `columns` (m,) and `values` (n, m), NaN until first sent. Other columns come last. The
    recording contains the bodies with mass, the frames of joints, and the devices that exist when the
    recorder is created.
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
        bodies = [body for part in simulation.physics.plan.parts for body in part.bodies if _moves(body)]
        self.names = _distinct([_label(body.root) for body in bodies])
        self._rows = [simulation.physics.handles.bodies[body].id for body in bodies]
        self._device_columns = DeviceColumns(simulation.robots.list) if devices else None
        self._sources: list[Columns] = [
            *([self._device_columns] if self._device_columns is not None else []),
            *others,
        ]
        self._times: list[float] = []
        self._said: list[list[float]] = []
        self._taken: list[NDArray[np.float64]] = []
        self._columns = [column for one in self._sources for column in one.columns]
        self._is_table = path.suffix == ".csv"
        self.file: RowFile = (
            CsvFile(path, ["time", *self._names_of_poses(), *self._columns])
            if self._is_table
            else ArchiveFile(path, self._arrays)
        )

    def _names_of_poses(self) -> list[str]:
        return [f"{name}.{column}" for name in self.names for column in _COLUMNS]

    def take(self) -> None:
        """Record the current poses and the latest device values."""
        said = [value for one in self._sources for value in one.values]
        engine = self._simulation.physics.engine
        row = np.hstack([engine.positions[self._rows], engine.quaternions[self._rows]])
        if self._is_table:
            texts = ("" if math.isnan(one) else repr(one) for one in said)
            self.file.add([repr(self._simulation.time), *map(repr, row.ravel().tolist()), *texts])
            return
        self._said.append(said)
        self._times.append(self._simulation.time)
        self._taken.append(row)
        self.file.add(())

    def take_of(self, simulation: Simulation) -> None:
        """Record the current poses of a run, unless it has switched to another world."""
        if simulation is self._simulation:
            self.take()

    def _arrays(self) -> dict[str, Any]:
        """Return what was recorded so far, for an archive."""
        rows = np.array(self._taken).reshape(len(self._taken), len(self._rows), 7)
        found: dict[str, Any] = {
            "time": np.array(self._times),
            "names": np.array(self.names),
            "positions": rows[:, :, :3],
            "quaternions": rows[:, :, 3:],
        }
        if self._sources:
            found["columns"] = np.array(self._columns, str)
            found["values"] = np.array(self._said, float).reshape(len(self._said), len(self._columns))
        return found

    def close(self) -> None:
        """Complete the file with what was recorded so far."""
        if self._device_columns is not None:
            self._device_columns.close()
        self.file.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _label(solid: SolidPlan | None) -> str:
    """Return the names of the solids from the top down to this one; DEF or type replaces a default name."""
    parts: list[str] = []
    while solid is not None:
        node = instance_of(solid.node)
        name = str(solid.node.get("name"))
        parts.append(name if name not in ("", "solid") else node.def_name or node.type)
        solid = solid.parent
    return "/".join(reversed(parts))


def _moves(body: BodyPlan) -> bool:
    return body.is_dynamic or body.root.joint is not None or any(body.linear_velocity + body.angular_velocity)


def _distinct(names: list[str]) -> list[str]:
    """Number equal names 2, 3 ..."""
    seen: dict[str, int] = {}
    made: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return made
