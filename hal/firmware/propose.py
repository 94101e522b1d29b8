"""Writes the first hardware map of a robot: every device with the driver that fits best, and free pins."""

from __future__ import annotations

import json
from typing import Any

from hal.firmware.boards import Board, load_board
from hal.firmware.drivers import Driver, Parameter, drivers_for
from hal.firmware.hardware import BATTERY, FLAVORS, FORMAT, NONE
from hal.table import Device, DeviceTable

__all__ = ["propose"]

LOOKUP = "lookupTable"
KEY_WIDTH = 44
"""Where comments begin."""


def propose(table: DeviceTable, world: str, board_name: str) -> str:
    """The text of a hardware map.

    Args:
        table: the robot's device table.
        world: path of the world, as seen from where the text will lie.
        board_name: one of `hal.firmware.places.board_names()`.
    """
    board = load_board(board_name)
    pins = _Pins(board)
    lines = [
        f"# How the devices of the robot {_toml(table.name)} are wired to {board.title} ({board.processor}).",
        "# Pins are proposals: change them to those of your robot, then run: wbridge firmware build",
        f"format = {FORMAT}",
        f"world = {_toml(world)}",
        f"robot = {_toml(table.name)}",
        f"board = {_toml(board.name)}",
        f"flavor = {_toml(FLAVORS[0])}",
        "",
        "[link]",
        f"wire = {_toml(board.wires[0])}",
        f"baud = {board.baud.default if board.baud else 115200}",
        f"message = {board.message}",
        f"table = {_toml(board.table)}",
    ]
    chosen = _choices(table, pins)
    for device in table.devices:
        if table.find(device.name) is device:
            lines += ["", *_device(table, device, chosen)]
    lines += [
        "",
        "# The battery, where its voltage can be measured:",
        f"# [{BATTERY}]",
        '# driver = "battery_voltage"',
    ]
    return "\n".join([*lines, '# pin = "A5"' if "A5" in board.pins else "# pin = ...", ""])


Choice = tuple[Driver, dict[str, str]]


def _choices(table: DeviceTable, pins: _Pins) -> dict[int, Choice | None]:
    """Driver and pins of each device by tag. What needs rare pins chooses first."""
    order = {"servo": 0, "pwm": 0, "analog": 1}

    def rarity(device: Device) -> int:
        fitting = drivers_for(device)
        functions = [p.function for p in fitting[0].parameters.values()] if fitting else []
        return min((order.get(one, 2) for one in functions), default=3)

    found: dict[int, Choice | None] = {}
    for device in sorted(table.devices, key=rarity):
        if table.find(device.name) is device:
            found[device.tag] = _choice(device, pins)
    return found


def _choice(device: Device, pins: _Pins) -> Choice | None:
    """The first driver that fits and for which there are pins."""
    for driver in drivers_for(device):
        taken = pins.take([one for one in driver.parameters.values() if one.kind == "pin"])
        if taken is not None:
            return driver, taken
    return None


class _Pins:
    """The pins of a board that are free."""

    def __init__(self, board: Board) -> None:
        self.free = dict(board.pins)
        self.timers: dict[str, str] = {}
        self.board = board

    def take(self, wanted: list[Parameter]) -> dict[str, str] | None:
        """Pins for some parameters, least able ones first; None: there are not enough."""
        before = dict(self.free), dict(self.timers)
        found: dict[str, str] = {}
        for one in sorted(wanted, key=lambda parameter: len(self.board.able(parameter.function))):
            able = [pin for pin in self.free if one.function in self.free[pin] and self._timer_free(pin, one)]
            if not able:
                self.free, self.timers = before
                return None
            pin = min(able, key=lambda name: len(self.free[name]))
            timer = self.free.pop(pin)[one.function]
            if timer:
                self.timers[timer] = one.function
            found[one.name] = pin
        return found

    def _timer_free(self, pin: str, one: Parameter) -> bool:
        return self.timers.get(self.free[pin][one.function], one.function) == one.function


def _device(table: DeviceTable, device: Device, chosen: dict[int, Choice | None]) -> list[str]:
    choice = chosen[device.tag]
    fitting = [one.name for one in drivers_for(device)]
    header = f"[devices.{_toml(device.name)}]"
    if choice is None:
        why = f"no pins are left for {', '.join(fitting)}" if fitting else f"no driver for {device.type} yet"
        return [header, _line("driver", NONE, why)]
    driver, pins = choice
    others = [one for one in fitting if one != driver.name]
    about = driver.about + (f"; or {', '.join(others)}" if others else "")
    lines = [header, f"# {about}", _line("driver", driver.name, "")]
    for one in driver.parameters.values():
        value = pins[one.name] if one.kind == "pin" else _value(table, device, one, chosen)
        lines.append(_line(one.name, value, one.about))
    return lines


def _value(table: DeviceTable, device: Device, one: Parameter, chosen: dict[int, Choice | None]) -> Any:
    constant = device.constants.get(one.proposal)
    if one.kind == "device":
        other = table.device(constant) if constant else None
        choice = chosen.get(other.tag) if other is not None else None
        return other.name if other is not None and choice is not None and choice[0].name == one.driver else ""
    if one.kind == "curve":
        return one.default or _line_through(constant)
    if isinstance(constant, (int, float)) and (one.above is None or constant > one.above):
        return _position(device, one, float(constant))
    return 1.0 if one.default is None else one.default


def _position(device: Device, one: Parameter, value: float) -> float:
    """A limit of positions: where the world has none, a quarter turn to each side."""
    if "Position" not in one.proposal or device.constants["minPosition"] != device.constants["maxPosition"]:
        return value
    return -1.5708 if one.proposal == "minPosition" else 1.5708


def _line_through(lookup: Any) -> list[list[float]]:
    """A first curve of a sensor that nobody knows: 0 V far away, 5 V near."""
    distances = [row[0] for row in lookup or ()] or [0.0, 1.0]
    return [[0.0, max(distances)], [5.0, min(distances)]]


def _line(key: str, value: Any, about: str) -> str:
    text = f"{key} = {_toml(value)}"
    return f"{text:{KEY_WIDTH}}# {about}" if about else text


def _toml(value: Any) -> str:
    """A value as TOML: JSON, but that numbers keep their point."""
    return json.dumps(value)
