"""Logs of simulated robots: what their controllers command and read, step by step."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain, count
from pathlib import Path
from typing import Any

from wbridge.hal.catalogue import kinds, period_of
from wbridge.hal.catalogue.commands import Setting, settings
from wbridge.hal.closing import Closing
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.bridge.channel_commands import sample_values
from wbridge.wbcore.devices import Device
from wbridge.wbcore.recordings.device_log import DeviceLog
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.simulation import Simulation


class ObservedSteps(Closing):
    """A log of all robots of a simulation, also of those that a supervisor adds during the run.

    A robot with the name and the devices of a removed one continues its log; with other devices, it is logged
    as "NAME (2)". Of several robots with a name at the same time, only the first is logged.
    """

    def __init__(self, simulation: Simulation, path: Path) -> None:
        """
        Raises:
            McapMissing: the package is not installed.
            OSError: the file cannot be written.
        """
        self._simulation = simulation
        law = simulation.physics.plan.settings.contact_law
        self.file = DeviceLog(path, Path(simulation.world.path), simulation.step_s * 1000, [], law)
        self._time = simulation.time
        self._tables: dict[str, str] = {}
        """The device table of each name in the log."""
        self._names: dict[Robot, str] = {}
        """The robots that are logged, and their names in the log."""
        self._known: dict[Robot, DeviceTable] = {}
        self._said: dict[Robot, RealStep] = {}
        simulation.robots.watchers.append(self._follow)
        self._follow()

    def _follow(self) -> None:
        """Log the robots that exist now, and no others."""
        present = _with_different_names(self._simulation.robots.list)
        for robot in [name for name in self._names if name not in present]:
            robot.observer = None
            del self._names[robot], self._known[robot], self._said[robot]
        for robot in present:
            if self._known.get(robot) is not robot.table:
                self._known[robot] = robot.table
                self._names[robot] = self._name_of(robot)
                self._said.setdefault(robot, _nothing())
                robot.observer = partial(self._hear, robot)

    def _name_of(self, robot: Robot) -> str:
        """Return the name in the log for a robot's current devices."""
        data = robot.table.canonical()
        numbered = (f"{robot.name} ({number})" for number in count(2))
        name = next(name for name in chain([robot.name], numbered) if self._tables.get(name, data) == data)
        if name not in self._tables:
            self._tables[name] = data
            self.file.add_robot(robot.table, name)
        return name

    def _hear(self, robot: Robot, tag: int, name: str, values: tuple[Any, ...]) -> None:
        device, said = robot.devices[tag - 1], self._said[robot]
        function = _periods(device).get(name)
        if function is not None:
            said.periods.append((tag, function, int(values[0])))
        setting = _settings(device.entry.type).get(name)
        if setting is not None:
            said.commands.extend((tag, channel, value) for channel, value in setting.read(values))
        for channel, value in sample_values(device, name, values):
            if not isinstance(value, str | bytes):
                said.readings.append((tag, channel, value))

    def take_of(self, simulation: Simulation) -> None:
        """Write a step of a run, unless it has switched to another world."""
        if simulation is self._simulation:
            self.take()

    def take(self) -> None:
        """Write a step."""
        simulation = self._simulation
        now = simulation.time
        for robot, name in self._names.items():
            said = self._said[robot]
            elapsed = round((now - self._time) * 1e6) / 1e3
            self.file.add_step(name, now, said._replace(elapsed=elapsed, readings=_numeric(said)))
            self._said[robot] = _nothing()
        self._time = now

    def close(self) -> None:
        """Finish the file."""
        self._simulation.robots.watchers.remove(self._follow)
        for robot in self._names:
            robot.observer = None
        self.file.close()


def _nothing() -> RealStep:
    return RealStep(0.0, [], [], [])


def _with_different_names(robots: list[Robot]) -> list[Robot]:
    """Return the first robot of each name."""
    return list({robot.name: robot for robot in reversed(robots)}.values())[::-1]


@cache
def _settings(kind: str) -> dict[str, Setting]:
    found = kinds().get(kind)
    return settings(found) if found is not None else {}


def _periods(device: Device) -> dict[str, str]:
    """Return the functions that set sampling periods of a device, by command."""
    return {
        period_of(channel.period).command: channel.period
        for channel in device.entry.channels
        if channel.period
    }


def _numeric(step: RealStep) -> list[tuple[int, str, object]]:
    return [reading for reading in step.readings if _is_number(reading[2])]


def _is_number(value: object) -> bool:
    numbers = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(number, bool | int | float) for number in numbers)
