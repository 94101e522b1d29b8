"""The commands and readings of devices as columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

from wbridge.hal.protocol.codec import CONSTANTS, Message
from wbridge.hal.protocol.layout import Numbers, Vector
from wbridge.wbcore.devices import Device
from wbridge.wbcore.recordings.equal_names import EqualNames
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.robots import Robots

QUERIES = ("get_", "enable")
"""Prefixes of commands that change nothing in the world."""
ANSWERS = ("sibling",)
AXES = "xyz"
_Key: TypeAlias = tuple[str, int, str, int, str, str]
"""Robot and device, each with its number among those of the same name; type of the device; message."""


class DeviceColumns:
    """The latest number of each command and reading of the robots' devices.

    Columns are named "ROBOT/DEVICE.COMMAND" and "ROBOT/DEVICE.VALUE", with ".x", ".y", ".z" or ".0", ".1" ...
    appended for values with several numbers. Values not sent yet, and those of removed devices, are NaN.
    Strings, pictures and lists of varying length have no column. Devices that are added later come last,
    unless they have the names of removed ones, whose columns they continue.
    """

    def __init__(self, robots: Robots) -> None:
        """Record messages of robots from now on, also of those added later."""
        self.columns: list[str] = []
        self.values: list[float] = []
        self._first: dict[_Key, int] = {}
        """The first column of each message."""
        self._robots = robots
        self._numbers = EqualNames()
        self._heard: dict[Robot, _Heard] = {}
        robots.watchers.append(self._follow)
        self._follow()

    def _follow(self) -> None:
        """Hear the robots and devices that exist now, and no others."""
        present = self._robots.list
        gone = [name for name in self._heard if name not in present]
        for robot in gone:
            robot.observer = None
            self._forget(self._heard.pop(robot).places.values())
        self._numbers.renew({robot: robot.name for robot in present})
        for robot in present:
            heard = self._heard.setdefault(robot, _Heard())
            if heard.table is not robot.table:
                self._hear_devices(robot, heard)

    def _hear_devices(self, robot: Robot, heard: _Heard) -> None:
        before = set(heard.places.values())
        devices = [device for device in robot.devices if device.tag not in robot.removed_tags]
        heard.table = robot.table
        heard.numbers.renew({device: device.name for device in devices})
        heard.places.clear()
        for device in devices:
            key = *self._numbers[robot], *heard.numbers[device], device.entry.type
            for message, is_command in _said(device):
                prefix = f"{robot.name}/{device.name}"
                names = [f"{prefix}.{column}" for column in _columns(message, is_command)]
                heard.places[device.tag, message.name] = self._enter((*key, message.name), names), len(names)
        self._forget(before - set(heard.places.values()))
        robot.observer = partial(self._hear, heard)

    def _enter(self, key: _Key, names: list[str]) -> int:
        """Return the first column of a message, which is new unless a device of the same names was here."""
        if key not in self._first:
            self._first[key] = len(self.columns)
            self.columns += names
            self.values += [math.nan] * len(names)
        return self._first[key]

    def _forget(self, places: Iterable[tuple[int, int]]) -> None:
        for first, count in places:
            self.values[first : first + count] = [math.nan] * count

    def _hear(self, heard: _Heard, tag: int, name: str, values: tuple[object, ...]) -> None:
        place = heard.places.get((tag, name))
        if place is not None:
            numbers = [float(number) for number in _flat(values)]
            self.values[place[0] : place[0] + len(numbers)] = numbers

    def close(self) -> None:
        """Listen no more."""
        self._robots.watchers.remove(self._follow)
        for robot in self._heard:
            robot.observer = None


class _Heard:
    """The columns of one robot."""

    def __init__(self) -> None:
        self.table: object = None
        """The device table that the columns are those of."""
        self.numbers = EqualNames()
        self.places: dict[tuple[int, str], tuple[int, int]] = {}
        """First column and number of columns, by tag and message."""


def _said(device: Device) -> Iterator[tuple[Message, bool]]:
    """Iterate over commands (True) and messages of a device that consist of numbers."""
    if device.codec is None:
        return
    for command in device.codec.commands.values():
        if not command.name.startswith(QUERIES) and _is_numeric(command):
            yield command, True
    for message in device.codec.messages.values():
        if message.code != CONSTANTS and message.name not in ANSWERS and _is_numeric(message):
            yield message, False


def _is_numeric(message: Message) -> bool:
    parts = message.layout.parts
    return bool(parts) and all(isinstance(part, (Numbers, Vector)) for part in parts)


def _columns(message: Message, is_command: bool) -> Iterator[str]:
    """Return the names of the columns of a message."""
    names = message.layout.names
    for name, length in zip(names, _lengths(message), strict=True):
        if is_command:
            name = message.name if len(names) == 1 else f"{message.name}.{name}"
        if length is None:
            yield name
        else:
            yield from (f"{name}.{AXES[i] if length == len(AXES) else i}" for i in range(length))


def _lengths(message: Message) -> Iterator[int | None]:
    """Return the vector length of each value of a message, None for a single number."""
    for part in message.layout.parts:
        if isinstance(part, Vector):
            yield len(part.format)
        else:
            yield from [None] * part.count


def _flat(values: tuple[Any, ...]) -> Iterator[float]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from value
        else:
            yield value
