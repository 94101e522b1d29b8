"""The state of a robot on a wire for windows: its commands and readings."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple

from wbridge.hal import table
from wbridge.hal.catalogue import actuators, kind
from wbridge.hal.protocol.received_picture import received_pixels
from wbridge.wbcore.windows.simulated_view import command_value

Told = Iterable[tuple[int, str, Any]]
MOTORS = tuple(name for name, how in actuators().items() if how == "motor")
MOST_ELEMENTS = 512
"""Maximum length of the lists that are shown."""
BLACK = (0.0, 0.0, 0.0)


Picture = tuple[int, int, bytes]
_SIZES = {"Lidar": ("horizontalResolution", "numberOfLayers")}


def unknown_robot() -> table.DeviceTable:
    """Return the table of a robot of which nothing is known."""
    return table.DeviceTable(table.DeviceEntry(0, "board", "Robot", "", {"basicTimeStep": 32.0}, ()), ())


class RemoteStep(NamedTuple):
    """One step of the robot."""

    elapsed: float
    """Duration in ms of real time."""
    periods: Told = ()
    """Sampling periods that the controller sets: tag, enabling function, ms."""
    commands: Told = ()
    """Tags, channels, values."""
    readings: Told = ()
    is_silent: bool = False
    """True if the robot does not answer."""
    fault: str = ""
    """Why the robot keeps its motors off; "" if it does not."""


class RemoteView:
    """The state of a robot on a wire, as shown in windows."""

    def __init__(self, of: table.DeviceTable) -> None:
        self.table = of
        self.time = 0.0
        """Time since the start, in s."""
        self.steps = 0
        self.is_silent, self.fault = False, ""
        self.own: dict[tuple[int, str], int] = {}
        """Sampling periods (ms) set by windows, by tag and function."""
        self._values: dict[int, dict[str, object]] = {}
        self._pictures: dict[int, Picture] = {}
        """Pictures not yet shown, by tag."""
        self._periods: dict[tuple[int, str], int] = {}
        """Sampling periods (ms) set by the controller."""
        self._acts: dict[int, dict[str, object]] = {
            device.tag: _motor_at_rest(device) if device.type in MOTORS else _lamp(device, 0)
            for device in of.devices
            if device.type in MOTORS or device.type == "LED"
        }
        self._encoders = {
            device.tag: int(device.constants.get("motor", 0))
            for device in of.devices
            if device.type == "PositionSensor"
        }

    def take(self, step: RemoteStep) -> None:
        """Take over a step."""
        self.time = round(1000 * self.time + step.elapsed) / 1000
        self.steps += 1
        self.is_silent, self.fault = step.is_silent, step.fault
        for tag, function, period in step.periods:
            self._periods[tag, function] = int(period)
        for tag, channel, value in step.commands:
            self._command(tag, channel, value)
        for tag, channel, value in step.readings:
            self._read(tag, channel, value)

    def _command(self, tag: int, channel: str, value: Any) -> None:
        device, state = self.table.device(tag), self._acts.get(tag)
        if device is None or state is None:
            return
        if device.type == "LED":
            self._acts[tag] = _lamp(device, int(value))
        elif channel == "force":
            state["force"] = float(value)
        elif channel in ("position", "velocity"):
            state["force"] = None
            state[channel] = float(value) if isfinite(value) else None
        elif channel in state:
            state[channel] = float(value)

    def _read(self, tag: int, channel: str, value: object) -> None:
        device = self.table.device(tag)
        if device is not None and channel in ("image", "rangeImage"):
            self._pictures[tag] = _picture(device, value)
            return
        if isinstance(value, (bytes, bytearray)) or isinstance(value, list) and len(value) > MOST_ELEMENTS:
            return
        self._values.setdefault(tag, {})[channel] = value
        motor = self._acts.get(self._encoders.get(tag, 0))
        if motor is not None:
            motor["at"] = value

    def values(self) -> dict[str, Any]:
        """Return the latest state like `SimulatedView.values`, without the driver; each picture once."""
        pictures, self._pictures = self._pictures, {}
        periods: dict[int, int] = {}
        for (tag, _), period in [*self.own.items(), *self._periods.items()]:
            if period > 0:
                periods[tag] = period
        used = {tag for (tag, _), period in self._periods.items() if period > 0}
        for encoder, motor in self._encoders.items():
            if encoder not in periods and motor in self._acts:
                self._acts[motor]["at"] = None  # unknown from now on
        return {
            "values": {tag: value for tag, value in self._values.items() if tag in periods},
            "acts": self._acts,
            "pictures": pictures,
            "periods": periods,
            "own": sorted({tag for tag, _ in self.own} - used),
            "battery": self._values.get(0, {}).get("battery"),
        }

    def enable(self, tag: int, channel: str, period: int) -> tuple[str, int] | None:
        """Record that a window samples a sensor every `period` ms; 0 disables it.

        Returns:
            The enabling function and the period to send to the robot, or None.

        Raises:
            ValueError: the sensor does not exist.
        """
        row = self._known(tag).channel(channel)
        if row is None or row.direction != "sense" or not row.period:
            raise ValueError(f'"{self._known(tag).name}" has no "{channel}" that can be enabled')
        key = tag, row.period
        former = self.own.pop(key, None)
        if period:
            if former is None and not self._periods.get(key):
                self._values.pop(tag, None)  # it may be outdated
            self.own[key] = period
        elif former is None:
            return None
        return None if self._periods.get(key) else (row.period, period)

    def command_value(self, tag: int, channel: str, value: bool | float | None) -> object:
        """Convert a window's value to a command value.

        Raises:
            ValueError: the actuator does not exist, or the value exceeds its limits.
        """
        return wanted_value(self._known(tag), channel, value)

    def _known(self, tag: int) -> table.DeviceEntry:
        device = self.table.device(tag) if tag else None
        if device is None:
            raise ValueError(f"no device {tag}; the robot has {len(self.table.devices)}")
        return device


def wanted_value(device: table.DeviceEntry, channel: str, value: bool | float | None) -> object:
    """Return the command value for an actuator of a real robot, checked against its limits.

    Raises:
        ValueError: the actuator does not exist, or the value exceeds its limits.
    """
    given = command_value(device, channel, value)
    if device.type not in MOTORS or value is None:
        return given
    limits = _range(device, channel)
    if limits is None:
        return given
    low, high = limits
    if channel == "position":
        if not low <= given <= high:
            raise ValueError(
                f'"{device.name}": position {given:g} is out of range; allowed: {low:g} to {high:g}'
            )
    elif abs(given) > high:
        raise ValueError(f'"{device.name}": {channel} {given:g} is out of range; allowed: at most {high:g}')
    return given


def _range(device: table.DeviceEntry, channel: str) -> tuple[float, float] | None:
    known = kind(device.type)
    spec = known.channel(channel) if known is not None else None
    return spec.range_for(device.constants) if spec is not None else None


def _picture(device: table.DeviceEntry, value: Any) -> Picture:
    """Return columns, rows, and pixels of 4 bytes: blue, green, red, unused."""
    c = device.constants
    width, height = (int(c[name]) for name in _SIZES.get(device.type, ("width", "height")))
    if isinstance(value, (bytes, bytearray)):
        try:
            return width, height, received_pixels(bytes(value), width, height)
        except ValueError:
            return 0, 0, b""  # the controller says why
    far = float(c.get("maxRange") or 1.0)
    grays = (
        round(255 * max(0.0, min(distance / far, 1.0))) if isfinite(distance) else 255 for distance in value
    )
    return width, height, b"".join(bytes((gray, gray, gray, 255)) for gray in grays)


def _motor_at_rest(device: table.DeviceEntry) -> dict[str, object]:
    limits = _range(device, "availableForce")
    return {
        "position": None,
        "velocity": 0.0,
        "availableForce": limits[1] if limits is not None else 0.0,
        "force": None,
        "at": None,
    }


def _lamp(device: table.DeviceEntry, value: int) -> dict[str, object]:
    """Return the state of an LED; the color is computed as in `wbridge.wbcore.devices.led`."""
    colors = device.constants.get("color") or []
    if not device.constants.get("gradual"):
        color = colors[value - 1] if 1 <= value <= len(colors) else BLACK
    elif colors:
        share = max(0, min(value, 255)) / 255
        color = [channel * share for channel in colors[0]]
    else:
        color = [(value >> shift & 255) / 255 for shift in (16, 8, 0)]
    return {"value": value, "color": list(color)}
