"""The first program of a robot's controller, with its devices, for people who begin one in a page."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterable, Iterator

from wbridge.hal.table import DeviceEntry

MOST_DEVICES = 40
"""Devices that a program begins with; those of a humanoid would hide its loop."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")


def is_controller_name(name: str) -> bool:
    """True for a name that a folder and a program may have on every system."""
    return _NAME.fullmatch(name) is not None


def first_program(robot: str, devices: Iterable[DeviceEntry]) -> str:
    """Return a program in Python that takes the devices, enables the sensors, and steps.

    Args:
        robot: its name.
        devices: of its table.
    """
    lines = [line for device, name in _named(devices) for line in _taken(device, name)]
    title = re.sub(r'[\\"\0-\x1f]', "?", robot)
    return "\n".join(
        [
            f'"""The controller of {title}."""',
            "",
            "from controller import Robot",
            "",
            "robot = Robot()",
            "step = int(robot.getBasicTimeStep())",
            *lines,
            "",
            "while robot.step(step) != -1:",
            "    pass",
            "",
        ]
    )


def _named(devices: Iterable[DeviceEntry]) -> Iterator[tuple[DeviceEntry, str]]:
    """Iterate over the first devices, each with the name of a variable of its own."""
    taken = {"robot", "step"}
    for number, device in enumerate(devices):
        if number == MOST_DEVICES:
            return
        name = re.sub(r"\W+", "_", device.name, flags=re.ASCII).strip("_").lower()
        if not name or name[0].isdigit() or keyword.iskeyword(name):
            name = f"device_{name}".rstrip("_")
        variable, others = name, 1
        while variable in taken:
            others += 1
            variable = f"{name}_{others}"
        taken.add(variable)
        yield device, variable


def _taken(device: DeviceEntry, name: str) -> Iterator[str]:
    yield f"{name} = robot.getDevice({json.dumps(device.name, ensure_ascii=False)})"
    channels = device.channels
    if any(channel.direction == "sense" and channel.period.endswith("_enable") for channel in channels):
        yield f"{name}.enable(step)"
    constants = device.constants
    if "maxVelocity" in constants and constants.get("minPosition") == constants.get("maxPosition") == 0:
        # It turns without end: its speed is what programs set.
        yield f'{name}.setPosition(float("inf"))'
        yield f"{name}.setVelocity(0.0)"
