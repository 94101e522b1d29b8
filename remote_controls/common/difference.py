"""Describe the difference between two device tables."""

from __future__ import annotations

import json
from itertools import zip_longest

from wbridge.hal.table import DeviceEntry, DeviceTable


def first_difference(own: DeviceTable, other: DeviceTable) -> str:
    """Describe the first device in which a robot's table differs from the controller's; "" if equal.

    Args:
        own: the controller's table.
        other: the robot's table.
    """
    for tag, (mine, its) in enumerate(zip_longest(own.all, other.all)):
        if mine != its:
            return _device(tag, mine, its)
    return ""


def _device(tag: int, mine: DeviceEntry | None, its: DeviceEntry | None) -> str:
    """Describe the difference between two devices at one position."""
    if mine is None or its is None or (mine.name, mine.type) != (its.name, its.type):
        what = f"device {tag}" if tag else "the robot"
        return f"{what} is {_shown(mine)} in the controller, but {_shown(its)} in the robot"
    keys = {**mine.constants, **its.constants}
    for key in keys:
        if mine.constants.get(key) != its.constants.get(key):
            here, there = (_value(table, key) for table in (mine, its))
            return f"{key} of {_shown(mine)} is {here} in the controller, but {there} in the robot"
    names = [", ".join(channel.name for channel in device.channels) or "none" for device in (mine, its)]
    if names[0] != names[1]:
        return f"the channels of {_shown(mine)} are {names[0]} in the controller, but {names[1]} in the robot"
    return f"{_shown(mine)} has a different model or different channel types"


def _shown(device: DeviceEntry | None) -> str:
    return f'"{device.name}" ({device.type})' if device is not None else "absent"


def _value(device: DeviceEntry, key: str) -> str:
    return json.dumps(device.constants[key]) if key in device.constants else "absent"
