"""Record commands and readings of a real robot together with its model's readings, to plot the reality
gap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.wbcore.recordings.row_files import SUFFIXES, ArchiveFile, CsvFile, RowFile
from wbridge.wbcore.remote.real_step import RealStep

TYPES = {"bool": 1, "i32": 1, "f64": 1, "f32": 1, "vec3": 3, "quaternion": 4}
"""Numbers of one element; other types are not recorded."""
AXES = ("x", "y", "z", "w")
MOST = 16
"""Maximum numbers of one channel."""
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")


def names_of(channel: LinkChannel) -> list[str]:
    """Return names for the numbers of a channel; empty if it is not recorded."""
    size = (channel.elements or 0) * TYPES.get(channel.type, 0)
    if not 0 < size <= MOST:
        return []
    parts: Sequence[str] = AXES if channel.type in ("vec3", "quaternion") else list(map(str, range(size)))
    return [channel.label] if size == 1 else [f"{channel.label}.{part}" for part in parts[:size]]


def numbers_of(value: Any) -> list[float]:
    """Return a number as a list, or the numbers of a list."""
    return [float(number) for number in value] if isinstance(value, (list, tuple)) else [float(value)]


class GapRecord:
    """Writes one row per step.

    CSV: `time` (s), then "command DEVICE.CHANNEL", "real DEVICE.CHANNEL" and, with a model, "model
    DEVICE.CHANNEL" and "model pose.x" to "model pose.qz" (m, unit quaternion, world); with ".x", ".y", ".z",
    ".w" or ".0", ".1" ... appended for channels with several numbers. Empty until first sent.
    NPZ: `columns` (m,) and `values` (n, m); NaN until first sent.
    """

    def __init__(self, path: Path, numbering: Numbering, has_model: bool) -> None:
        """
        Raises:
            ValueError: the suffix is neither .csv nor .npz.
            OSError: the file cannot be written.
        """
        if path.suffix not in SUFFIXES:
            raise ValueError(f"{path}: a recording is a .csv or .npz file")
        self.columns = ["time"]
        self._numbering = numbering
        self._places: dict[tuple[str, int], tuple[int, int]] = {}
        """First column and number of columns, by side and channel."""
        for side, direction in (("command", "act"), ("real", "sense"), ("model", "sense")):
            if side != "model" or has_model:
                for channel in numbering.channels:
                    if channel.direction == direction and channel.tag:
                        self._enter(side, channel)
        self._pose = len(self.columns)
        self.columns += [f"model pose.{column}" for column in POSE] if has_model else []
        self._row = [math.nan] * len(self.columns)
        self._rows: list[list[float]] | None = [] if path.suffix == ".npz" else None
        self.file: RowFile = (
            CsvFile(path, self.columns) if self._rows is None else ArchiveFile(path, self._arrays)
        )

    def _enter(self, side: str, channel: LinkChannel) -> None:
        names = names_of(channel)
        if names:
            self._places[side, channel.number] = len(self.columns), len(names)
            self.columns += [f"{side} {name}" for name in names]

    def note(self, side: str, channel: LinkChannel | None, value: object) -> None:
        """Record a value of the side "command", "real" or "model"; ignore one of another length."""
        place = self._places.get((side, channel.number)) if channel is not None else None
        if place is None:
            return
        at, size = place
        numbers = numbers_of(value)
        if len(numbers) == size:
            self._row[at : at + size] = numbers

    def add_step(
        self, time: float, step: RealStep, read: Iterable[tuple[LinkChannel, object]], pose: Iterable[float]
    ) -> None:
        """Record a step: what was commanded and read, and the readings and pose of the model."""
        for side, said in (("command", step.commands), ("real", step.readings)):
            for tag, name, value in said:
                self.note(side, self._numbering.channel(tag, name), value)
        for channel, value in read:
            self.note("model", channel, value)
        self.take(time, pose)

    def take(self, time: float, pose: Iterable[float] = ()) -> None:
        """Write a row: the time in s, the latest values, the model's pose."""
        self._row[0] = time
        if pose:
            self._row[self._pose :] = pose
        if self._rows is None:
            self.file.add(["" if math.isnan(number) else repr(number) for number in self._row])
        else:
            self._rows.append(self._row.copy())
            self.file.add(())

    def _arrays(self) -> dict[str, object]:
        """Return what was recorded so far, for an archive."""
        rows = self._rows or []
        values = np.array(rows, float).reshape(len(rows), len(self.columns))
        return {"columns": np.array(self.columns, str), "values": values}

    @property
    def problem(self) -> str:
        """Why the file is incomplete; "" if it is complete."""
        return self.file.problem

    def close(self) -> None:
        """Finish the file."""
        self.file.close()
