"""Logs of simulated robots: what their controllers command and read, step by step."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hal.catalogue import kinds, period_of
from hal.catalogue.commands import Setting, settings
from wbcore.bridge.channel_commands import sample_values
from wbcore.recordings.device_log import DeviceLog
from wbcore.remote.real_step import RealStep

if TYPE_CHECKING:
    from wbcore.devices import Device
    from wbcore.robots.robot import Robot
    from wbcore.simulation import Simulation

__all__ = ["ObservedSteps"]


class ObservedSteps:
    """A log of all robots of a simulation."""

    def __init__(self, simulation: Simulation, path: Path) -> None:
        """
        Raises:
            McapMissing: the package is not installed.
            OSError: the file cannot be written.
        """
        self._simulation = simulation
        self._robots = _with_different_names(simulation.robots.list)
        world = Path(simulation.world.path)
        step_ms = simulation.step_s * 1000
        self.file = DeviceLog(path, world, step_ms, [one.table for one in self._robots])
        self._time = simulation.time
        self._said = [RealStep(0.0, [], [], []) for _ in self._robots]
        for number, robot in enumerate(self._robots):
            robot.observer = partial(self._hear, number)

    def _hear(self, number: int, tag: int, name: str, values: tuple[Any, ...]) -> None:
        device, said = self._robots[number].devices[tag - 1], self._said[number]
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
        for number, robot in enumerate(self._robots):
            said = self._said[number]
            elapsed = round((now - self._time) * 1e6) / 1e3
            self.file.add_step(robot.name, now, said._replace(elapsed=elapsed, readings=_numeric(said)))
            self._said[number] = RealStep(0.0, [], [], [])
        self._time = now

    def close(self) -> None:
        """Finish the file."""
        for robot in self._robots:
            robot.observer = None
        self.file.close()

    def __enter__(self) -> ObservedSteps:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _with_different_names(robots: list[Robot]) -> list[Robot]:
    """Return the first robot of each name."""
    return list({one.name: one for one in reversed(robots)}.values())[::-1]


@cache
def _settings(kind: str) -> dict[str, Setting]:
    found = kinds().get(kind)
    return settings(found) if found is not None else {}


def _periods(device: Device) -> dict[str, str]:
    """Return the functions that set sampling periods of a device, by command."""
    return {period_of(one.period).command: one.period for one in device.entry.channels if one.period}


def _numeric(step: RealStep) -> list[tuple[int, str, Any]]:
    return [one for one in step.readings if _is_number(one[2])]


def _is_number(value: Any) -> bool:
    numbers = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(one, bool | int | float) for one in numbers)
