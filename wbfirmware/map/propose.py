"""Write the first hardware map of a robot: every device with the best driver, and pins."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.boards.board import FUNCTIONS, USB, Board, load_board
from wbridge.wbfirmware.boards.drivers import Driver, Parameter, drivers, drivers_for
from wbridge.wbfirmware.map.channels import least_message
from wbridge.wbfirmware.map.edges import COUNTS, most_counts
from wbridge.wbfirmware.map.hardware import BATTERY, NONE
from wbridge.wbfirmware.map.pin_allocation import Choice, DriverChoice, allot
from wbridge.wbfirmware.map.reading import FLAVORS, FORMAT, LEAST_MESSAGE, MOST_MESSAGE
from wbridge.wbfirmware.map.values import read_parameters
from wbridge.wbfirmware.problems import Source

KEY_WIDTH = 44
"""Column of comments."""
BATTERY_DRIVER = "battery_voltage"
QUARTER_TURN = 1.5708
POSITION_SENSOR, BUMPER = "PositionSensor", "bumper"
"""A type of devices, and a type of TouchSensors, whose value is 0 or 1."""
LARGEST = 1e6
"""Replaces infinity."""

Choices = Mapping[int, Choice | None]


def propose(table: DeviceTable, world: str, board_name: str, near: Path | None = None) -> str:
    """Return the text of a hardware map. It is valid as it is; devices that cannot be served have no driver.

    Args:
        table: the robot's device table.
        world: path of the world, relative to the hardware map.
        board_name: one of `wbridge.wbfirmware.template_folders.board_names(near)`.
        near: folder of the hardware map; boards beside it are also available.
    """
    board = load_board(board_name, near)
    board = board.with_wire(board.wires[0])
    devices = [device for device in table.devices if table.find(device.name) is device]
    chosen = allot([_request(device, board, table) for device in devices], board)
    lines = [
        f"# How the devices of the robot {_toml(table.name)} are wired to {board.title} ({board.processor}).",
        "# Pins are proposals: change them to those of your robot, then run: wbridge firmware build",
        f"format = {FORMAT}",
        f"world = {_toml(world)}",
        f"robot = {_toml(table.name)}",
        f"board = {_toml(board.name)}",
        f"flavor = {_toml(FLAVOR if board.python is None else 'standalone')}",
        "",
        "[link]",
        f"wire = {_toml(board.wires[0])}",
        *([] if board.wires[0] == USB else [f"baud = {board.baud.default if board.baud else 115200}"]),
        f"message = {_message(table, board, chosen)}",
        f"table = {_toml(board.table)}",
    ]
    for device in devices:
        lines += ["", *device_lines(table, board, device, chosen)]
    return "\n".join([*lines, "", *_battery(board, chosen), ""])


FLAVOR = "slave" if "slave" in FLAVORS else FLAVORS[0]
"""Flavor of a new map; it works with any controller."""


def _request(device: DeviceEntry, board: Board, table: DeviceTable) -> DriverChoice:
    """Return the device with the drivers that can serve it on a board, regardless of pins."""
    fitting = [driver for driver in drivers_for(device) if driver.propose_to_all or driver.is_best(device)]
    if _is_endless(device, table):
        fitting = [driver for driver in fitting if not any(of.position for of in driver.parameters.values())]
    return DriverChoice(device, tuple(driver for driver in fitting if not obstacle(device, driver, board)))


def _is_endless(sensor: DeviceEntry, table: DeviceTable) -> bool:
    """Return True for the position sensor of a motor without limits, which no potentiometer follows."""
    tag = sensor.constants.get("motor") if sensor.type == POSITION_SENSOR else None
    motor = table.device(tag) if tag else None
    return motor is not None and motor.constants.get("minPosition") == motor.constants.get("maxPosition")


def obstacle(device: DeviceEntry, driver: Driver, board: Board) -> str:
    """Return why a driver cannot serve a device on a board with any wiring; "" if it can."""
    if board.python is not None and not driver.has_python:
        return f"{driver.name} has no version in Python"
    pins = [
        parameter
        for parameter in driver.parameters.values()
        if parameter.kind == "pin" and not parameter.is_spare
    ]
    for pin in pins:
        if not board.able(pin.function):
            return f"{driver.name} needs {FUNCTIONS[pin.function]}, which this board does not have"
    data: dict[str, Any] = {pin.name: board.able(pin.function)[0] for pin in pins}
    for parameter in driver.parameters.values():
        if parameter.kind not in ("pin", "device"):
            data[parameter.name] = _plain_value(board, device, parameter)
    source = Source(Path(), "")
    read_parameters(source, (), {"driver": driver.name, **data}, device, driver, board)
    return "; ".join(problem.text for problem in source.problems)


def _message(table: DeviceTable, board: Board, chosen: Choices) -> int:
    """Return the message size that fits all values, in bytes."""
    driven = {(tag, name) for tag, choice in chosen.items() if choice for name in choice.driver.channels}
    least = max(board.message, LEAST_MESSAGE, least_message(table, driven, board.real))
    return min(least, MOST_MESSAGE)


def device_lines(table: DeviceTable, board: Board, device: DeviceEntry, chosen: Choices) -> list[str]:
    """Return the lines of a device.

    Args:
        table: the robot's device table.
        board: the board.
        device: the device.
        chosen: drivers and pins by tag; None: the device is left out.
    """
    choice = chosen[device.tag]
    header = f"[devices.{_toml(device.name)}]"
    if choice is None:
        return [header, _line("driver", NONE, _why_none(device, board, table))]
    others = [driver.name for driver in drivers_for(device) if driver is not choice.driver]
    about = choice.driver.about + (f"; or {', '.join(others)}" if others else "")
    lines = [header, f"# {about}", *_missed(device, choice, board), _line("driver", choice.driver.name, "")]
    for parameter in choice.driver.parameters.values():
        lines.append(
            _line(
                parameter.name,
                _value(table, board, device, parameter, choice, chosen),
                _about(parameter, board),
            )
        )
    return lines


def _missed(device: DeviceEntry, choice: Choice, board: Board) -> list[str]:
    """Return a comment about a driver that would fit the device better if the board could serve it."""
    best = next((driver for driver in drivers_for(device) if driver.is_best(device)), None)
    if best is None or best is choice.driver or choice.driver.is_best(device):
        return []
    why = obstacle(device, best, board)
    return [f"# not the best driver for this device: {why}"] if why else []


def _about(parameter: Parameter, board: Board) -> str:
    """Return what a parameter means; of analog inputs also the voltage where they end."""
    ends = parameter.kind == "pin" and parameter.function == "analog" and board.circuit.analog_top
    return f"{parameter.about}, measured up to {board.circuit.analog_top:g} V" if ends else parameter.about


def _why_none(device: DeviceEntry, board: Board, table: DeviceTable) -> str:
    fitting = drivers_for(device)
    if not fitting:
        return f"no driver for {device.type}"
    usable = _request(device, board, table).drivers
    if usable:
        return f"no pins are left for {', '.join(driver.name for driver in usable)}"
    return "; ".join(obstacle(device, driver, board) for driver in fitting)


def _value(
    table: DeviceTable,
    board: Board,
    device: DeviceEntry,
    parameter: Parameter,
    choice: Choice,
    chosen: Choices,
) -> Any:
    """Return the value of a parameter."""
    if parameter.kind == "pin" and not parameter.is_spare:
        return board.name_of(choice.pins[parameter.name])
    if parameter.name == "address" and parameter.choices:
        return parameter.choices[choice.place]
    if parameter.unique and parameter.default is None:
        return int(_plain_value(board, device, parameter)) + choice.place
    if parameter.kind == "device":
        named = device.constants.get(parameter.proposal)
        other = table.device(named) if named else None
        its = chosen.get(other.tag) if other is not None else None
        return (
            other.name
            if other is not None and its is not None and its.driver.name == parameter.driver
            else ""
        )
    if parameter.name == COUNTS:
        pairs = [(other, its.driver) for other in table.devices if (its := chosen.get(other.tag))]
        return most_counts(board, table, pairs, _plain_value(board, device, parameter))
    return _plain_value(board, device, parameter)


def _plain_value(board: Board, device: DeviceEntry, parameter: Parameter) -> Any:
    """Return the value of a parameter that depends only on the device and the board."""
    constant = device.constants.get(parameter.proposal)
    if parameter.position is not None and device.type == POSITION_SENSOR:
        return parameter.position
    if parameter.position is not None and device.constants.get("type") == BUMPER:
        return 1.0
    if parameter.kind == "curve":
        return parameter.default or _line_through(constant, board.analog_end)
    if (
        isinstance(constant, (int, float))
        and (-math.inf if parameter.above is None else parameter.above) < constant
    ):
        return _position(device, parameter, float(constant)) if math.isfinite(constant) else LARGEST
    if parameter.default is not None:
        return parameter.default
    return int(parameter.start or 0) if parameter.kind == "integer" else 1.0


def _position(device: DeviceEntry, parameter: Parameter, value: float) -> float:
    """Return a position limit; if the world has none, a quarter turn to each side."""
    if (
        "Position" not in parameter.proposal
        or device.constants["minPosition"] != device.constants["maxPosition"]
    ):
        return value
    return -QUARTER_TURN if parameter.proposal == "minPosition" else QUARTER_TURN


def _line_through(lookup: Any, top: float) -> list[list[float]]:
    """Return an initial curve of an unknown sensor: 0 V at the far end, the highest voltage (V) that the
    board measures at the near end."""
    distances = [row[0] for row in lookup or ()] or [0.0, 1.0]
    return [[0.0, max(distances)], [top, min(distances)]]


def _battery(board: Board, chosen: Choices) -> list[str]:
    """Return the battery as a comment, with a free pin."""
    taken = {pin for choice in chosen.values() if choice for pin in choice.pins.values()}
    (pin,) = (
        parameter for parameter in drivers()[BATTERY_DRIVER].parameters.values() if parameter.kind == "pin"
    )
    free = [name for name in board.able(pin.function) if name not in taken]
    if not free:
        return [f"# No pin with {FUNCTIONS[pin.function]} is left for the voltage of the battery."]
    names = [name for name in map(board.name_of, free) if name not in free] or free
    return [
        "# The battery, where its voltage can be measured:",
        f"# [{BATTERY}]",
        f"# driver = {_toml(BATTERY_DRIVER)}",
        f"# {pin.name} = {_toml(names[-1])}",
    ]


def _line(key: str, value: Any, about: str) -> str:
    text = f"{key} = {_address(value) if key == 'address' else _toml(value)}"
    return f"{text:{KEY_WIDTH}}# {about}" if about else text


def _address(value: int) -> str:
    """Return an address in hexadecimal, as in data sheets."""
    return f"0x{value:02X}"


def _toml(value: object) -> str:
    """Return a value as TOML: JSON, but floats keep their decimal point."""
    return json.dumps(value)
