"""Adds and removes devices of a running robot; the other devices keep their tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.devices import Device, device_class
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_places, device_table
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot


def move(robot: Robot, node: Node) -> None:
    """Attach a robot to its new node after its PROTO instance was regenerated."""
    robot.node = node
    refresh(robot)


def refresh(robot: Robot) -> None:
    """Update the robot's devices from its node.

    Devices keep their tags. One whose node is gone takes over a new node of its type and name, or does
    nothing from now on; the other new nodes get new devices, which are announced to the controller.
    """
    table = device_table(robot.node, robot.simulation.world)
    places = device_places(robot.node)
    known_ones = {
        device.place.key: device for device in robot.devices if device.tag not in robot.removed_tags
    }
    found = {place.key: known_ones[place.key] for place in places if place.key in known_ones}
    lost = [device for device in robot.devices if device.place.key not in found]
    for place, entry in zip(places, table.devices, strict=True):
        known = found.get(place.key)
        successor = _successor(lost, place) if known is None else None
        known = known or successor
        if known is None:
            kind = device_class(place.model_class or entry.type)
            made = kind(place, entry._replace(tag=len(robot.devices) + 1), robot)
            robot.devices.append(made)
            robot.answer.new_devices.append(made)
            made.use(robot.dialect)
            known = made
        known.place = place
        place.tag = known.tag
        if successor is not None:
            successor.renewed()
    robot.removed_tags = {device.tag for device in lost}
    for device in lost:
        _leave(robot, device)
    robot.table = table._replace(devices=tuple(device.entry for device in robot.devices))
    robot.update_step_calls()


def _successor(lost: list[Device], place: Place) -> Device | None:
    """Return the device without a node that continues with a new node of its type and name, or None."""
    for device in lost:
        if device.entry.type == place.type and device.name == place.name:
            lost.remove(device)
            device.removed()
            device.node = place.node
            device.robot.removed_tags.discard(device.tag)
            return device
    return None


def _leave(robot: Robot, device: Device) -> None:
    device.removed()
    device.outbox = []
    robot.answer.tags.discard(device.tag)
    if isinstance(device, Sensor):
        robot.listen(device, False)
