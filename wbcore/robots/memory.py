"""Saves and restores the state of robots and devices, as a part of the simulation's state."""

from __future__ import annotations

from typing import Any

from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.errors import StateError
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.robots import Robots


def save(robots: Robots) -> dict[str, object]:
    """Return the state of robots, chargers and connectors."""
    return {
        "robots": [_of_robot(robot) for robot in robots.list],
        "chargers": robots.chargers.save(),
        "docks": robots.docks.save(),
    }


def check(robots: Robots, state: dict[str, Any]) -> None:
    """Check that a state matches these robots.

    Raises:
        StateError: it belongs to other robots.
    """
    for robot, kept in zip(robots.list, state["robots"], strict=False):
        if _kinds(robot) != kept["kinds"]:
            raise StateError(f'the state belongs to another robot "{kept["name"]}", or its devices differ')
    if len(robots.list) != len(state["robots"]):
        raise StateError(f"the state has {len(state['robots'])} robots; this world has {len(robots.list)}")


def load(robots: Robots, state: dict[str, Any]) -> None:
    """Restore a state returned by `save`."""
    robots.radio.clear()
    for robot, kept in zip(robots.list, state["robots"], strict=True):
        _give_to_robot(robot, kept)
    robots.chargers.load(state["chargers"])
    robots.docks.load(state["docks"])


# Robots.


def _kinds(robot: Robot) -> list[tuple[str, str, bool]]:
    return [(device.entry.type, device.name, device.tag in robot.removed_tags) for device in robot.devices]


def _of_robot(robot: Robot) -> dict[str, object]:
    return {
        "name": robot.name,
        "kinds": _kinds(robot),
        "dialect": robot.dialect.name,
        "newest": robot.samples.kept(),
        "is_remote": robot.is_remote,
        "has_power": robot.has_power,
        "mail": robot.answer.own,
        "devices": [_of_device(device) for device in robot.devices],
        "parts": [part.save() for part in robot.parts],
    }


def _give_to_robot(robot: Robot, state: dict[str, Any]) -> None:
    robot.samples.drop()
    robot.is_remote, robot.has_power = state["is_remote"], state["has_power"]
    for device, kept in zip(robot.devices, state["devices"], strict=True):
        if device.tag not in robot.removed_tags:
            _give_to_device(device, kept)
    for part, kept in zip(robot.parts, state["parts"], strict=True):
        part.load(kept)
    robot.pictures.waiting = []
    is_same = state["dialect"] == robot.dialect.name
    robot.samples.restore(state["newest"] if is_same else {})
    robot.answer.own = list(state["mail"]) if is_same else []
    robot.answer.tags = {device.tag for device in robot.devices if device.outbox}
    robot.answer.sent_time = -1.0  # send the new time to the controller


# Devices.


def _attributes(device: Device) -> list[str]:
    """Return the names of the attributes in `KEPT` of a device class and its bases."""
    return [name for base in type(device).__mro__ for name in vars(base).get("KEPT", ())]


def _of_device(device: Device) -> dict[str, object]:
    state = {
        "works": device.works,
        "mail": device.outbox,
        "kept": {name: _copied(getattr(device, name)) for name in _attributes(device)},
        "fields": {name: device.node.get(name) for name in device.kept_fields()},
        "more": device.save_more(),
    }
    if isinstance(device, Sensor):
        state["sampling"] = device.sampling.period, device.sampling.last
    return state


def _give_to_device(device: Device, state: dict[str, Any]) -> None:
    for name, value in state["fields"].items():
        device.set_own_field(name, value)
    if isinstance(device, Sensor):
        period, last = state["sampling"]
        if device.sampling.period != period:
            device.on_enable(period)  # after the fields, on which its preparation may depend
        device.sampling.last = last
    for name, value in state["kept"].items():
        setattr(device, name, _copied(value))
    device.load_more(state["more"])
    device.outbox = list(state["mail"])
    device.set_active(state["works"])


def _copied(value: Any) -> Any:
    """Return a copy of lists and dicts, which devices change in place."""
    return value.copy() if isinstance(value, list | dict) else value
