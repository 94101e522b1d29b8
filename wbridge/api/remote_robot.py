"""A real robot, driven from a script with the calls of a simulated one: motors, sensors, steps."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.api.names import unknown
from wbridge.failures import CommandError, RunError
from wbridge.hal.closing import Closing
from wbridge.hal.manual_robot import Unable
from wbridge.running.manual import AnyManualRobot, manual_robot
from wbridge.running.world import choose_robot
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.scene.tables.device_tables import Channel, DeviceEntry

__all__ = ["RemoteMotor", "RemoteRobot", "RemoteSensor", "connect"]

_LOG = logging.getLogger(__name__)
NUMERIC = ("f64", "f32", "i32", "bool", "vec3", "quat")
"""Types of channels whose values are numbers of a fixed count."""
WIDTHS = {"vec3": 3, "quat": 4}
"""Numbers of a channel of a type; of others one."""
MOTORS = ("RotationalMotor", "LinearMotor")


def connect(
    url: str, world: str | Path | None = None, *, robot: str | None = None, plugin: str | None = None
) -> RemoteRobot:
    """Connect to a real robot, whose motors are stopped first.

    Args:
        url: its address: "tcp://192.168.1.7:8080", "serial:///dev/ttyACM0?baud=115200"; `wbridge ports` lists
            candidates.
        world: a world that describes it; None: robots of the robot link may report their devices themselves.
        robot: its name in the world; None: the only robot.
        plugin: a remote control; None: the field remoteControl of the world's robot, or the robot link.

    Raises:
        WorldError: the world has errors.
        ValueError: the address, robot or plugin is not possible; the message says what is.
        ConnectionError: the robot does not answer.
    """
    loaded = None if world is None else load_checked(world, LoadOptions())
    if loaded is not None and loaded.report.errors:
        raise WorldError(loaded.path, loaded.report.errors)
    try:
        node = None if loaded is None else choose_robot(loaded, robot)
        remote = manual_robot(url, plugin, loaded, node)
    except RunError as problem:
        raise ConnectionError(str(problem)) from None
    except CommandError as problem:
        raise ValueError(str(problem).replace("--world WORLD [--robot NAME]", "world=, robot=")) from None
    if not remote.start(url):
        remote.close()
        raise ConnectionError(f"{url}: the robot cannot be reached; see the message above")
    return RemoteRobot(remote)


class RemoteMotor:
    """A motor of a real robot. What was set last decides how it works; it acts from the next step on."""

    def __init__(self, remote: AnyManualRobot, entry: DeviceEntry) -> None:
        self._remote, self._entry = remote, entry
        self._velocity = self._position = self._effort = math.nan
        self._speed = self.max_velocity

    def __repr__(self) -> str:
        return f'<RemoteMotor "{self.name}">'

    @property
    def name(self) -> str:
        """Its field `name`."""
        return self._entry.name

    @property
    def max_velocity(self) -> float:
        """Its greatest velocity (rad/s or m/s)."""
        return float(self._entry.constants["maxVelocity"])

    @property
    def limits(self) -> tuple[float, float]:
        """Least and greatest position (rad or m); infinite without limits."""
        low, high = (float(self._entry.constants[name]) for name in ("minPosition", "maxPosition"))
        return (low, high) if low < high else (-math.inf, math.inf)

    @property
    def velocity(self) -> float:
        """The velocity with which it turns without end (rad/s or m/s); NaN if something else was set."""
        return self._velocity

    @velocity.setter
    def velocity(self, value: float) -> None:
        """Turn without end."""
        target = self._cut(value, -self.max_velocity, self.max_velocity)
        self._put("position", math.inf)
        self._put("velocity", target)
        self._velocity, self._position, self._effort = target, math.nan, math.nan

    @property
    def position(self) -> float:
        """The position to which it moves, at `speed` (rad or m); NaN if something else was set."""
        return self._position

    @position.setter
    def position(self, value: float) -> None:
        """Move to a position."""
        target = self._cut(value, *self.limits)
        self._put("velocity", self._speed)
        self._put("position", target)
        self._velocity, self._position, self._effort = math.nan, target, math.nan

    @property
    def speed(self) -> float:
        """The speed of movements to a position (rad/s or m/s); at first `max_velocity`."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        """Set the speed of movements to a position."""
        self._speed = self._cut(value, 0.0, self.max_velocity)
        if not math.isnan(self._position):
            self._put("velocity", self._speed)

    @property
    def effort(self) -> float:
        """The torque (N m) or force (N) that acts; NaN if something else was set."""
        return self._effort

    @effort.setter
    def effort(self, value: float) -> None:
        """Act with a torque or force."""
        target = self._cut(value, -math.inf, math.inf)
        self._put("force", target)
        self._velocity, self._position, self._effort = math.nan, math.nan, target

    torque = force = effort

    def _cut(self, value: float, low: float, high: float) -> float:
        """Return a target within limits, with a warning if it was not.

        Raises:
            ValueError: it is not a number.
        """
        if math.isnan(value) or math.isinf(value):
            raise ValueError(f'motor "{self.name}": expected a finite number, not {value}')
        target = min(max(float(value), low), high)
        if target != value:
            _LOG.warning('motor "%s": %g is beyond the limits: cut to %g', self.name, value, target)
        return target

    def _put(self, channel: str, value: float) -> None:
        _put(self._remote, self._entry, channel, value)


class RemoteSensor:
    """A sensor of a real robot."""

    def __init__(self, entry: DeviceEntry, channels: tuple[Channel, ...]) -> None:
        self._entry = entry
        self._parts = {channel.name: np.full(WIDTHS.get(channel.type, 1), np.nan) for channel in channels}

    def __repr__(self) -> str:
        return f'<RemoteSensor "{self.name}">'

    @property
    def name(self) -> str:
        """Its field `name`."""
        return self._entry.name

    @property
    def value(self) -> float | NDArray[np.float64]:
        """The newest sample: a number, or an array if the device measures several; NaN at first."""
        parts = [*self._parts.values()]
        whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return float(whole[0]) if len(whole) == 1 else whole

    def take(self, channel: str, value: object) -> None:
        """Take a value that the robot has sent."""
        if channel in self._parts:
            self._parts[channel] = np.atleast_1d(np.asarray(value, np.float64)).ravel()


class RemoteRobot(Closing):
    """A real robot. Its time is that of the clock: a step waits until it is over. Make one with
    `wbridge.connect`, and close it, which stops the robot."""

    def __init__(self, remote: AnyManualRobot) -> None:
        """
        Args:
            remote: the robot, started.
        """
        self._remote = remote
        self._motors: dict[str, RemoteMotor] = {}
        self._sensors: dict[str, RemoteSensor] = {}
        self._by_tag: dict[int, RemoteSensor] = {}
        self._enabled: set[str] = set()
        self.time = 0.0
        """Seconds in steps since the connection."""
        self.is_silent = False
        """True if the robot does not answer; its motors are stopped then."""
        self.fault = ""
        """Why the robot keeps its motors off; "" if it does not."""

    def __repr__(self) -> str:
        return f'<RemoteRobot "{self.name}">'

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._remote.table.name

    @property
    def step_ms(self) -> float:
        """The basic time step of the world that describes it (ms)."""
        return float(self._remote.table.robot.constants["basicTimeStep"])

    def motor(self, name: str) -> RemoteMotor:
        """Return a motor by its name.

        Raises:
            UnknownNameError: there is none.
        """
        if name not in self._motors:
            self._motors[name] = RemoteMotor(self._remote, self._device(name, "motor", MOTORS))
        return self._motors[name]

    @property
    def motors(self) -> Mapping[str, RemoteMotor]:
        """All motors by name."""
        names = [entry.name for entry in self._remote.table.devices if entry.type in MOTORS]
        return {name: self.motor(name) for name in names}

    def sensor(self, name: str, period: int | None = None) -> RemoteSensor:
        """Return a sensor by its name; the first request enables it.

        Args:
            name: its name.
            period: time between samples (ms); None: the basic time step.

        Raises:
            UnknownNameError: there is none.
            ValueError: it measures no numbers, or the robot does not have it.
        """
        if name in self._enabled:
            return self._sensors[name]
        entry = self._device(name, "sensor", ())
        channels = _measured(entry)
        if not channels:
            raise ValueError(f'"{name}" is of type {entry.type}, which measures no numbers')
        try:
            self._remote.enable(entry.tag, channels[0].period, period or round(self.step_ms))
        except Unable as problem:
            raise ValueError(f'sensor "{name}": {problem}') from None
        self._enabled.add(name)
        return self._sensor(entry, channels)

    @property
    def sensors(self) -> Mapping[str, RemoteSensor]:
        """All sensors that measure numbers, by name. Looking one up does not enable it: it is NaN."""
        entries = [each for each in self._remote.table.devices if each.type not in MOTORS]
        return {each.name: self._sensor(each, channels) for each in entries if (channels := _measured(each))}

    def _sensor(self, entry: DeviceEntry, channels: tuple[Channel, ...]) -> RemoteSensor:
        if entry.name not in self._sensors:
            self._sensors[entry.name] = self._by_tag[entry.tag] = RemoteSensor(entry, channels)
        return self._sensors[entry.name]

    def set_led(self, name: str, value: int) -> None:
        """Set an LED: 0 is off, 1 the first color.

        Raises:
            UnknownNameError: there is none.
            ValueError: the robot does not have it.
        """
        _put(self._remote, self._device(name, "LED", ("LED",)), "value", int(value))

    def _device(self, name: str, what: str, kinds: tuple[str, ...]) -> DeviceEntry:
        entries = [entry for entry in self._remote.table.devices if not kinds or entry.type in kinds]
        entry = next((entry for entry in entries if entry.name == name), None)
        if entry is None:
            missing = f'robot "{self.name}" has no {what} "{name}"'
            raise unknown(missing, name, [entry.name for entry in entries], f"{what}s")
        return entry

    def step(self, ms: float | None = None) -> None:
        """Wait one basic time step, or some milliseconds, and take what the robot has measured.

        Raises:
            ConnectionError: the connection is lost.
        """
        step = self._remote.step(round(self.step_ms if ms is None else ms))
        self.time += step.elapsed / 1000
        self.is_silent, self.fault = step.is_silent, step.fault
        for tag, channel, value in step.readings:
            if tag in self._by_tag:
                self._by_tag[tag].take(channel, value)
        if step.has_failed:
            raise ConnectionError(f'the connection to the robot "{self.name}" is lost')

    def run(self, seconds: float) -> None:
        """Make steps for some time (s).

        Raises:
            ConnectionError: the connection is lost.
        """
        end = self.time + seconds
        while self.time < end:
            self.step()

    def stop(self) -> None:
        """Stop every motor."""
        self._remote.stop()

    def close(self) -> None:
        """Stop the robot, and disconnect."""
        self._remote.close()

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all devices."""
        return iter([entry.name for entry in self._remote.table.devices])


def _measured(entry: DeviceEntry) -> tuple[Channel, ...]:
    """Return the channels of a device that are sampled as numbers."""
    return tuple(
        channel
        for channel in entry.channels
        if channel.direction == "sense" and channel.type in NUMERIC and channel.period
    )


def _put(remote: AnyManualRobot, entry: DeviceEntry, channel: str, value: float | int) -> None:
    """Set a channel.

    Raises:
        ValueError: the robot does not have it, or does not answer.
    """
    try:
        remote.set(entry.tag, channel, value)
    except Unable as problem:
        raise ValueError(f'"{entry.name}": {problem}') from None
