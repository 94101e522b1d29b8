"""Replays the commands of a robot's controller in a simulation, and collects the readings of the model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.hal.link.numbering import LinkChannel
from wbridge.wbcore.bridge.simulated_robot import SimulatedRobot
from wbridge.wbcore.devices.sensor import SLACK_MS
from wbridge.wbcore.recordings.device_log_reader import LogError, RobotLog, read_log
from wbridge.wbcore.scene import contact_law
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.simulation import PluginOptions, Simulation
from wbridge.wbfleet.fitting.delayed_commands import DelayedCommands

TURN = 2 * math.pi
LEAST_SHARE = 1e-6
"""Of a basic time step; smaller parts of a delay do not count."""
NUMBERS = {"bool": 1, "i32": 1, "f32": 1, "f64": 1, "vec3": 3, "quaternion": 4}
"""Numbers of a value by type; readings of other types are not compared."""
Values = NDArray[np.float64]


class Replay(NamedTuple):
    """What to replay, as plain data that any process or machine can carry out."""

    log: str
    """Path of a log (see `wbridge.wbcore.recordings.device_log`)."""
    robot: str
    """Name of the robot; "": the only one."""
    world: str
    """Path of the world with the model; "": the one that the log names."""
    fields: Mapping[str, str]
    """Values by place (see `wbridge.wbcore.scene.overrides`)."""
    command_delay_s: float = 0.0
    """Time from a command to its effect."""
    reading_delay_s: float = 0.0
    """Age of a reading when the controller gets it."""
    allow_missing: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data (see `wbridge.wbfleet.sweeps.work`)."""
        return {"kind": "replay", **self._asdict()}


class Pair(NamedTuple):
    """The readings of a sensor, of the robot and of its model."""

    name: str
    """DEVICE.CHANNEL."""
    times: Values
    """s, shape (n,)."""
    steps: NDArray[np.int64]
    """Numbers of the steps of the controller, shape (n,)."""
    real: Values
    """Shape (n, numbers of a reading)."""
    model: Values
    """Shape (n, numbers of a reading); NaN where the model has no reading."""


def log_of(path: Path, robot: str) -> RobotLog:
    """Return the log of a robot in a file; reading it again costs nothing.

    Raises:
        McapMissing, LogError: as for `read_log`, or it has no such robot.
    """
    return _chosen(str(path.absolute()), path.stat().st_mtime_ns if path.exists() else 0, robot)


@lru_cache(maxsize=4)
def _chosen(path: str, changed_ns: int, robot: str) -> RobotLog:
    logs = read_log(Path(path))
    if robot in logs:
        return logs[robot]
    listed = ", ".join(f'"{log}"' for log in logs)
    if not robot and len(logs) == 1:
        return next(iter(logs.values()))
    if not robot:
        raise LogError(f"{path}: several robots; choose one with --robot: {listed}")
    raise LogError(f'{path}: no robot "{robot}"{did_you_mean(robot, list(logs))}; it has: {listed}')


def replayed(replay: Replay) -> list[Pair]:
    """Simulate the model with the commands of a log.

    A command acts from a basic time step on. For delays between two numbers of steps, the result is the mean
    of two simulations, weighted by time, so that it changes smoothly with the delay.

    Raises:
        McapMissing, LogError: as for `log_of`, or the world does not describe the robot of the log.
        WorldError: the world has errors.
        SimulationError: a body is in an invalid state.
    """
    log = log_of(Path(replay.log), replay.robot)
    simulation = _simulation(replay, log)
    delay = replay.command_delay_s / simulation.step_s
    share = delay - math.floor(delay)
    early = _Replayer(simulation, log, math.floor(delay), replay.reading_delay_s).run()
    if share < LEAST_SHARE:
        return early
    late = _Replayer(_simulation(replay, log), log, math.ceil(delay), replay.reading_delay_s).run()
    return [
        first._replace(model=(1 - share) * first.model + share * other.model)
        for first, other in zip(early, late, strict=True)
    ]


def fields_of(log: RobotLog, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields to replace in the world that replays a log: the law of contact is that of the log,
    unless `fields` name another."""
    return {**({contact_law.PLACE: log.contacts} if log.contacts else {}), **fields}


def _simulation(replay: Replay, log: RobotLog) -> Simulation:
    options = LoadOptions(replay.allow_missing, fields=fields_of(log, replay.fields))
    no_plugin = PluginOptions(is_wanted=False)
    return Simulation(replay.world or log.world, options=options, plugin=no_plugin)


class _Replayer:
    def __init__(self, simulation: Simulation, log: RobotLog, delay: int, reading_delay_s: float) -> None:
        robot = simulation.robots.find(log.table.name)
        if robot is None:
            raise LogError(f'{simulation.world.path}: no robot "{log.table.name}", which the log is about')
        for real, own in zip(log.table.devices, robot.table.devices, strict=False):
            if (real.name, real.type) != (own.name, own.type):
                raise LogError(
                    f'{simulation.world.path}: device {own.tag} is "{own.name}" ({own.type}), but '
                    f'"{real.name}" ({real.type}) in the log'
                )
        if len(log.table.devices) != len(robot.table.devices):
            raise LogError(f"{simulation.world.path}: the robot of the log has other devices")
        self._simulation, self._robot, self._log = simulation, robot, log
        self._side = SimulatedRobot(robot, waits=False)
        self._commands = DelayedCommands(self._side.set, delay)
        self._step_ms, self._reading_delay_s = simulation.step_s * 1000, reading_delay_s
        self._series = {
            (channel.tag, channel.name): _Series(channel)
            for channel in self._side.numbering.channels
            if channel.direction == "sense" and channel.tag and _size(channel)
        }

    def run(self) -> list[Pair]:
        left_ms = 0.0
        for number, (time, said) in enumerate(self._log.steps):
            for tag, function, period in said.periods:
                slot = self._side.numbering.slot(tag, function)
                if slot is not None:
                    self._side.set_period(slot, period)
            now = self._simulation.steps
            for tag, name, value in said.commands:
                channel = self._side.numbering.channel(tag, name)
                if channel is not None:
                    self._commands.give(now, channel, value)
            left_ms = self._simulate(left_ms + said.elapsed)
            for tag, name, value in said.readings:
                series = self._series.get((tag, name))
                if series is not None:
                    series.note(number, time, value)
        pairs = [series.pair(self._reading_delay_s) for series in self._series.values() if series.steps]
        return [_from_same_start(pair) if _is_encoder(pair, self._log) else pair for pair in pairs]

    def _simulate(self, left_ms: float) -> float:
        while left_ms >= self._step_ms - SLACK_MS:
            left_ms -= self._step_ms
            self._commands.apply(self._simulation.steps)
            self._simulation.step()
            now = self._simulation.time_ms
            self._robot.sample(now)
            for channel, value in self._side.events():
                series = self._series.get((channel.tag, channel.name))
                if series is not None:
                    series.take(now / 1000, value)
        return left_ms


class _Series:
    """The readings of a channel: of the robot when it reported them, of the model when it measured them."""

    def __init__(self, channel: LinkChannel) -> None:
        self._label, self._size = channel.label, _size(channel)
        self._times: list[float] = []
        self._values: list[list[float]] = []
        self.steps: list[int] = []
        self._real_times: list[float] = []
        self._real: list[list[float]] = []
        self._newest: list[int] = []
        """How many readings the model had at each reading of the robot."""

    def take(self, time: float, value: object) -> None:
        self._times.append(time)
        self._values.append(_numbers(value))

    def note(self, step: int, time: float, value: object) -> None:
        numbers = _numbers(value)
        if len(numbers) == self._size:
            self.steps.append(step)
            self._real_times.append(time)
            self._real.append(numbers)
            self._newest.append(len(self._times))

    def pair(self, delay_s: float) -> Pair:
        real = np.array(self._real, float).reshape(-1, self._size)
        model = np.full_like(real, np.nan)
        newest = np.array(self._newest)
        known = newest > 0
        if known.any():
            times, values = np.array(self._times), np.array(self._values, float)
            wanted = times[newest[known] - 1] - delay_s
            for part in range(self._size):
                model[known, part] = np.interp(wanted, times, values[:, part])
        return Pair(self._label, np.array(self._real_times), np.array(self.steps), real, model)


def _size(channel: LinkChannel) -> int:
    return (channel.elements or 0) * NUMBERS.get(channel.type, 0)


def _numbers(value: Any) -> list[float]:
    return [float(number) for number in value] if isinstance(value, list | tuple) else [float(value)]


def _is_encoder(pair: Pair, log: RobotLog) -> bool:
    device, _, channel = pair.name.rpartition(".")
    entry = log.table.find(device)
    return channel == "position" and entry is not None and entry.type == "PositionSensor"


def _from_same_start(pair: Pair) -> Pair:
    """Let an encoder that counts from elsewhere begin like that of the model."""
    both = np.flatnonzero(np.isfinite(pair.model[:, 0]))
    offset = float((pair.real - pair.model)[both[0], 0]) if len(both) else 0.0
    return pair if abs(offset) <= TURN / 2 else pair._replace(real=pair.real - offset)
