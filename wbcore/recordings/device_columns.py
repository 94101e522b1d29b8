"""The commands and readings of devices as columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hal.protocol.codec import CONSTANTS, Message
from hal.protocol.layout import Numbers, Vector

if TYPE_CHECKING:
    from wbcore.devices import Device
    from wbcore.robots.robot import Robot

__all__ = ["DeviceColumns"]

QUERIES = ("get_", "enable")
"""Prefixes of commands that change nothing in the world."""
ANSWERS = ("sibling",)
AXES = "xyz"


class DeviceColumns:
    """The latest number of each command and reading of some robots' devices.

    Columns are named "ROBOT/DEVICE.COMMAND" and "ROBOT/DEVICE.VALUE", with ".x", ".y", ".z" or ".0", ".1" ...
    appended for values with several numbers. Values not sent yet are NaN. Strings, pictures and lists of
    varying length have no column.
    """

    def __init__(self, robots: Sequence[Robot]) -> None:
        """Record messages of robots from now on."""
        self.columns: list[str] = []
        self.values: list[float] = []
        self._places: dict[tuple[int, int, str], int] = {}
        self._robots = list(robots)
        for number, robot in enumerate(self._robots):
            for device in robot.devices:
                self._enter(number, device)
            robot.observer = partial(self._hear, number)
        self.values = [math.nan] * len(self.columns)

    def _enter(self, robot: int, device: Device) -> None:
        prefix = f"{device.robot.name}/{device.name}"
        for message, is_command in _said(device):
            self._places[robot, device.tag, message.name] = len(self.columns)
            self.columns += [f"{prefix}.{one}" for one in _columns(message, is_command)]

    def _hear(self, robot: int, tag: int, name: str, values: tuple[Any, ...]) -> None:
        at = self._places.get((robot, tag, name))
        if at is not None:
            numbers = [float(one) for one in _flat(values)]
            self.values[at : at + len(numbers)] = numbers

    def close(self) -> None:
        """Listen no more."""
        for robot in self._robots:
            robot.observer = None


def _said(device: Device) -> Iterator[tuple[Message, bool]]:
    """Iterate over commands (True) and messages of a device that consist of numbers."""
    if device.codec is None:
        return
    for one in device.codec.commands.values():
        if not one.name.startswith(QUERIES) and _is_numeric(one):
            yield one, True
    for one in device.codec.messages.values():
        if one.code != CONSTANTS and one.name not in ANSWERS and _is_numeric(one):
            yield one, False


def _is_numeric(message: Message) -> bool:
    parts = message.layout.parts
    return bool(parts) and all(isinstance(one, (Numbers, Vector)) for one in parts)


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
    for one in values:
        if isinstance(one, (tuple, list)):
            yield from one
        else:
            yield one
