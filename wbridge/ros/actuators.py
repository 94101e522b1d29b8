"""Actuators as topics and services: what each kind obeys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Act = Callable[[Any, Any], None]
"""Called with a device of the class that a table names, and with the data of a message."""

FLOAT, INT, TEXT = "std_msgs/msg/Float64", "std_msgs/msg/Int32", "std_msgs/msg/String"


class Command(NamedTuple):
    """A topic that an actuator listens to: DEVICE/NAME."""

    name: str
    type: str
    act: Act


COMMANDS: dict[str, tuple[Command, ...]] = {
    "Brake": (Command("set_damping", FLOAT, lambda device, data: device.setDampingConstant(data)),),
    "Emitter": (Command("send", TEXT, lambda device, data: device.send(data)),),
    "LED": (Command("set", INT, lambda device, data: device.set(data)),),
    "Motor": (
        Command("set_position", FLOAT, lambda device, data: device.setPosition(data)),
        Command("set_velocity", FLOAT, lambda device, data: device.setVelocity(data)),
        Command("set_force", FLOAT, lambda device, data: device.setForce(data)),
    ),
    "Speaker": (Command("speak", TEXT, lambda device, data: device.speak(data, 1.0)),),
}
"""Topics by the name of the device's class."""
SWITCHES: dict[str, tuple[str, Act]] = {
    "Connector": ("lock", lambda device, on: device.lock() if on else device.unlock()),
    "Pen": ("write", lambda device, on: device.write(on)),
    "VacuumGripper": ("turn_on", lambda device, on: device.turnOn() if on else device.turnOff()),
}
"""Services std_srvs/SetBool, DEVICE/NAME, by the name of the device's class."""
