"""The unique object of each device in the object API."""

from __future__ import annotations

from wbridge.hal.controller.by_hand.classes import class_named, is_class

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any, Protocol

    from wbridge.hal.client._native import Device

    class RobotWithDevices(Protocol):
        """The part of the robot that device objects use."""

        attached: dict[type, Any]

        def device(self, tag: int, /) -> Device | None:
            """The device with a tag, or None."""


MOTORS = ("RotationalMotor", "LinearMotor")


class DeviceObjects(dict):  # type: ignore[type-arg]
    """The objects of a robot's devices, by tag."""


def object_of(robot: RobotWithDevices, tag: int) -> Any:
    """The object of a device, the same for each call, or None."""
    objects = robot.attached.setdefault(DeviceObjects, DeviceObjects())
    device = robot.device(tag)
    if tag not in objects and device is not None:
        name = "Motor" if device.node_type in MOTORS else device.node_type
        objects[tag] = class_named(name)(tag) if is_class(name) else None
    return objects.get(tag)
