"""Read the parameters of a device's driver from a hardware map and check each one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.boards.board import CHANGE, FUNCTIONS, Board
from wbridge.wbfirmware.boards.drivers import Driver, Parameter
from wbridge.wbfirmware.map.tolerances import TOLERANCE_KEYS
from wbridge.wbfirmware.problems import Source, nearest

Wrong = Callable[[str], None]
MOST_ROWS = 255
PART_KEYS = ("part", "current")
"""Keys of a device that describe its part for the wiring diagram; see `wbridge.wbfirmware.boards.parts`."""
COMMON_KEYS = (*PART_KEYS, *TOLERANCE_KEYS)
"""Keys that are allowed with every driver."""


def read_parameters(
    source: Source,
    keys: tuple[str, ...],
    data: dict[str, object],
    device: DeviceEntry,
    driver: Driver,
    board: Board,
) -> dict[str, object]:
    """Return the values of a driver's parameters, defaults included; record and omit invalid ones."""
    known = ["driver", *driver.parameters]
    for key in data:
        if key not in known and key not in COMMON_KEYS:
            source.wrong(
                (*keys, key),
                f'"{device.name}": {driver.name} has no parameter {key}; it has '
                f"{', '.join(known[1:])}{nearest(key, [*known[1:], *COMMON_KEYS])}",
            )
    values = {}
    for name, parameter in driver.parameters.items():
        if name not in data and parameter.default is None:
            source.wrong(keys, f'"{device.name}": {name} is missing ({parameter.about})')
            continue
        noted = len(source.problems)
        value = data.get(name, parameter.default)
        if parameter.kind == "pin" and isinstance(value, str):
            value = board.circuit.names.get(value, value)

        def wrong(text: str, name: str = name, value: object = value) -> None:
            source.wrong((*keys, name), f'"{device.name}": {name}: found {_shown(value)}; {text}')

        if not (parameter.is_spare and value == parameter.default):
            _CHECKS[parameter.kind](wrong, value, parameter, device, board)
        if len(source.problems) == noted:
            values[name] = value
    _compare(source, keys, device, driver, values)
    return values


def _compare(
    source: Source, keys: tuple[str, ...], device: DeviceEntry, driver: Driver, values: dict[str, Any]
) -> None:
    """Check relations between the numbers of a driver."""
    for name, parameter in driver.parameters.items():
        needed = driver.parameters.get(parameter.needs)
        is_set = values.get(name, parameter.default) != parameter.default
        if needed is not None and is_set and values.get(parameter.needs) == needed.default:
            source.wrong((*keys, name), f'"{device.name}": {name} needs {parameter.needs} ({needed.about})')
        barred = driver.parameters.get(parameter.without)
        if barred is not None and is_set and values.get(parameter.without) != barred.default:
            source.wrong((*keys, name), f'"{device.name}": {name} cannot be used with {parameter.without}')
        other = parameter.below or parameter.unlike
        if name not in values or other not in values:
            continue
        text = f'"{device.name}": {name}: found {_shown(values[name])}; '
        if parameter.below and not values[name] < values[other]:
            source.wrong((*keys, name), f"{text}it must be below {other}, which is {values[other]!r}")
        elif parameter.unlike and values[name] == values[other]:
            source.wrong(
                (*keys, name), f"{text}{other} has the same value, so there is no range between them"
            )


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _pin(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if value not in board.pins:
        known = [*board.pins, *board.circuit.names]
        wrong(f"no pin of {board.title}; it has {_listed(known)}{nearest(str(value), known)}")
    elif parameter.function not in board.pins[value] and not _is_counted(value, parameter, board):
        able = board.able(parameter.function)
        words = FUNCTIONS[parameter.function]
        here = " (the robot link goes through it)" if not board.pins[value] else ""
        others = "these have: " + _listed(able) if able else "no pin of this board has"
        wrong(f"this pin has no {words}{here}; {others}")


def _is_counted(pin: str, parameter: Parameter, board: Board) -> bool:
    """Return True if a timer can take the place of an interrupt on change; `check_encoders` checks it."""
    return parameter.function == CHANGE and any(pin in pins for pins in board.timing.encoders.values())


def _listed(pins: list[str]) -> str:
    return ", ".join(pins) if len(pins) <= 24 else f"{', '.join(pins[:3])} ... {pins[-1]}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _number(wrong: Wrong, value: Any, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if not _is_number(value):
        wrong(f"expected a number ({parameter.about})")
    elif parameter.above is not None and value <= parameter.above:
        wrong(f"expected a number above {parameter.above:g}")
    elif (parameter.start is not None and value < parameter.start) or (
        parameter.to is not None and value > parameter.to
    ):
        wrong(f"allowed: {parameter.start:g} to {parameter.to:g} ({parameter.about})")
    else:
        _limits(wrong, value, parameter, device)


def _limits(wrong: Wrong, value: float, parameter: Parameter, device: DeviceEntry) -> None:
    """Check that a number covers the limits of the device in the world."""
    if device.constants.get("minPosition") == device.constants.get("maxPosition") and "Position" in (
        parameter.at_least + parameter.at_most
    ):
        return  # the world sets no limits
    low, high = device.constants.get(parameter.at_least), device.constants.get(parameter.at_most)
    if low is not None and value < low:
        wrong(f"the device's {parameter.at_least} in the world is {low:g}, which must be reached")
    if high is not None and value > high:
        wrong(f"the device's {parameter.at_most} in the world is {high:g}, which must be reached")


def _integer(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if type(value) is not int:
        wrong(f"expected a whole number ({parameter.about})")
    else:
        _number(wrong, value, parameter, device, board)


def _flag(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if not isinstance(value, bool):
        wrong("allowed: true and false")


def _choice(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if not _is_number(value) or value not in parameter.choices:
        allowed = ", ".join(
            hex(int(n)) if parameter.name == "address" else f"{n:g}" for n in parameter.choices
        )
        wrong(f"allowed: {allowed}")


def _axes(wrong: Wrong, value: Any, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    right = isinstance(value, list) and all(isinstance(axis, str) for axis in value)
    if not right or sorted(axis.removeprefix("-") for axis in value) != ["x", "y", "z"]:
        wrong('expected the three axes, each once, with or without a sign: ["x", "-y", "z"]')


def _vector(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if not isinstance(value, list) or len(value) != 3 or not all(map(_is_number, value)):
        wrong("expected three numbers, for example [0.0, 0.0, 0.0]")
    elif (
        parameter.start is not None
        and parameter.to is not None
        and not all(parameter.start <= x <= parameter.to for x in value)
    ):
        wrong(f"allowed: {parameter.start:g} to {parameter.to:g} each")


def _frequency(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if type(value) is not int or value < 0:
        wrong(f"expected a whole number of Hz ({parameter.about})")


def _device(wrong: Wrong, value: object, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    if not isinstance(value, str):
        wrong("expected the name of a device")


def _curve(wrong: Wrong, value: Any, parameter: Parameter, device: DeviceEntry, board: Board) -> None:
    right = (
        isinstance(value, list)
        and 2 <= len(value) <= MOST_ROWS
        and all(isinstance(row, list) and len(row) == 2 and all(map(_is_number, row)) for row in value)
    )
    if not right:
        wrong(f"expected 2 to {MOST_ROWS} rows of two numbers, for example [[0.4, 0.3], [2.7, 0.04]]")
    elif any(a[0] >= b[0] for a, b in zip(value, value[1:], strict=False)):
        wrong("the first numbers of the rows must ascend")
    else:
        _check_units(wrong, value, parameter, device)


def _check_units(wrong: Wrong, rows: list[list[float]], parameter: Parameter, device: DeviceEntry) -> None:
    """Detect values in millivolts or centimeters instead of volts or meters."""
    if (
        parameter.start is not None
        and parameter.to is not None
        and not parameter.start <= rows[0][0] <= rows[-1][0] <= parameter.to
    ):
        wrong(f"the first numbers must be {parameter.start:g} to {parameter.to:g} ({parameter.about})")
    table = device.constants.get(parameter.within) or []
    if table and (nearest_one := min(row[1] for row in rows)) > (end := max(row[0] for row in table)):
        wrong(
            f"the nearest distance is {nearest_one:g} m, and the device's {parameter.within} in the world "
            f"ends at {end:g} m ({parameter.about})"
        )


_CHECKS: dict[str, Callable[[Wrong, object, Parameter, DeviceEntry, Board], None]] = {
    "pin": _pin,
    "number": _number,
    "integer": _integer,
    "flag": _flag,
    "device": _device,
    "curve": _curve,
    "choice": _choice,
    "axes": _axes,
    "vector": _vector,
    "frequency": _frequency,
}
