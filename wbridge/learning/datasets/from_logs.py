"""Turns recordings of robots, real or simulated, into episodes of a dataset."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.datasets.layout import DatasetError
from wbridge.learning.datasets.writer import DatasetWriter
from wbridge.wbcore.recordings.device_log_reader import RobotLog
from wbridge.words import counted

SLACK_S = 1e-6
Key = tuple[int, str]
"""Tag of a device, and a channel."""


class Signal(NamedTuple):
    """Numbers that a device got or measured."""

    name: str
    """DEVICE.CHANNEL."""
    tag: int
    channel: str
    size: int
    is_command: bool

    @property
    def names(self) -> list[str]:
        """Names of the numbers."""
        if self.size == 1:
            return [self.name]
        axes = "xyz" if self.size == len("xyz") else [str(place) for place in range(self.size)]
        return [f"{self.name}.{axis}" for axis in axes]


def rate_of(log: RobotLog) -> float:
    """Return frames per second: one for each step of the controller, by its median."""
    steps = sorted(step.said.elapsed for step in log.steps if step.said.elapsed > 0)
    if not steps:
        raise DatasetError("the recording has no steps")
    rate = 1000 / steps[len(steps) // 2]
    return round(rate) if abs(rate - round(rate)) < SLACK_S else round(rate, 3)


def signals_of(logs: Sequence[RobotLog]) -> list[Signal]:
    """Return what all recordings have: commands and readings that were numbers at least once.

    Raises:
        DatasetError: the recordings are of different robots.
    """
    sizes: dict[Key, int] = {}
    for log in logs:
        if log.table.canonical() != logs[0].table.canonical():
            raise DatasetError(f'robot "{log.table.name}" has other devices in another recording')
        for _, tag, name, numbers in _changes(log):
            sizes[tag, name] = max(sizes.get((tag, name), 0), len(numbers))
    signals = []
    for device in logs[0].table.devices:
        for channel in device.channels:
            size = sizes.get((device.tag, channel.name), 0)
            if size:
                label, is_command = f"{device.name}.{channel.name}", channel.direction == "act"
                signals.append(Signal(label, device.tag, channel.name, size, is_command))
    return signals


def _changes(log: RobotLog) -> Iterator[tuple[float, int, str, list[float]]]:
    """Yield the times (s), devices, channels and numbers of all commands and readings. Numbers that are not
    finite are left out: an infinite position means that a velocity counts."""
    for step in log.steps:
        begin = step.time - step.said.elapsed / 1000
        for time, values in ((begin, step.said.commands), (step.time, step.said.readings)):
            for tag, channel, value in values:
                numbers = _numbers(value)
                if numbers and all(map(math.isfinite, numbers)):
                    yield time, tag, channel, numbers


def _numbers(value: object) -> list[float]:
    values: Iterable[object] = value if isinstance(value, list | tuple) else [value]
    return [float(number) for number in values if isinstance(number, bool | int | float)]


def add_log(writer: DatasetWriter, log: RobotLog, signals: Sequence[Signal], fps: float, task: str) -> int:
    """Write a recording as an episode; return the number of frames.

    A frame has the newest readings at its time, and the commands that the controller gave then; a signal that
    began later has its first value until then.

    Args:
        writer: of a dataset whose state has the readings among the signals, and whose action the commands.
        log: of a robot.
        signals: of all recordings of the dataset.
        fps: frames per second.
        task: what the robot should do, in words.

    Raises:
        DatasetError: the recording lacks signals.
    """
    times: dict[Key, list[float]] = {}
    values: dict[Key, list[list[float]]] = {}
    for time, tag, channel, numbers in _changes(log):
        times.setdefault((tag, channel), []).append(time)
        values.setdefault((tag, channel), []).append(numbers)
    missing = [signal.name for signal in signals if (signal.tag, signal.channel) not in times]
    if missing:
        raise DatasetError(f"the recording lacks {counted(len(missing), 'signal')}: {', '.join(missing)}")
    begin = log.steps[0].time - log.steps[0].said.elapsed / 1000
    count = math.floor((log.steps[-1].time - begin) * fps + SLACK_S)
    sides: list[NDArray[np.float32]] = []
    for is_command in (False, True):
        rows = [
            _sampled(times[key], values[key], begin, count, fps)
            for signal in signals
            if signal.is_command == is_command
            for key in [(signal.tag, signal.channel)]
        ]
        sides.append(np.concatenate(rows, axis=1) if rows else np.zeros((count, 0), np.float32))
    for state, action in zip(*sides, strict=True):
        writer.add(state, action)
    writer.end_episode(task)
    return count


def _sampled(
    times: Sequence[float], values: Sequence[Sequence[float]], begin: float, count: int, fps: float
) -> NDArray[np.float32]:
    places = [max(0, bisect_right(times, begin + i / fps + SLACK_S) - 1) for i in range(count)]
    return np.array([values[place] for place in places], np.float32).reshape(count, -1)
