"""In what two device tables differ, in words for people."""

from __future__ import annotations

import json
from itertools import zip_longest

from hal.table import Device, DeviceTable

__all__ = ["first_difference"]


def first_difference(own: DeviceTable, other: DeviceTable) -> str:
    """The first device in which a robot's table is another than the controller's; "" when there is none.

    Args:
        own: the controller's.
        other: the robot's.
    """
    for tag, (mine, its) in enumerate(zip_longest(own.all, other.all)):
        if mine != its:
            return _device(tag, mine, its)
    return ""


def _device(tag: int, mine: Device | None, its: Device | None) -> str:
    """Two devices in one place that are not the same."""
    if mine is None or its is None or (mine.name, mine.type) != (its.name, its.type):
        what = f"device {tag}" if tag else "the robot"
        return f"{what} is {_shown(mine)} here, and {_shown(its)} there"
    keys = {**mine.constants, **its.constants}
    for key in keys:
        if mine.constants.get(key) != its.constants.get(key):
            here, there = (_value(one, key) for one in (mine, its))
            return f"{key} of {_shown(mine)} is {here} here, and {there} there"
    names = [", ".join(one.name for one in device.channels) or "none" for device in (mine, its)]
    if names[0] != names[1]:
        return f"the channels of {_shown(mine)} are {names[0]} here, and {names[1]} there"
    return f"{_shown(mine)} has another model, or other types of channels"


def _shown(device: Device | None) -> str:
    return f'"{device.name}" ({device.type})' if device is not None else "absent"


def _value(device: Device, key: str) -> str:
    return json.dumps(device.constants[key]) if key in device.constants else "absent"
