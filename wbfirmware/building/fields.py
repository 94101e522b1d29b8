"""The tables of drivers in C: the values for each device of a driver."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from wbridge.wbfirmware.boards.drivers import FREQUENCY, Derived, Parameter
from wbridge.wbfirmware.building.features import features_of
from wbridge.wbfirmware.literals import c_comment, c_real
from wbridge.wbfirmware.map import channels
from wbridge.wbfirmware.map.hardware import Hardware, Wiring


class Rows(NamedTuple):
    """An array of structures in C."""

    name: str
    type: str
    """Type of the structure: point or color."""
    rows: list[tuple[str, ...]]
    about: str


class ArrayPool:
    """The arrays that the tables point to; equal arrays are shared."""

    def __init__(self, numbers: dict[str, tuple[str, int]]) -> None:
        """
        Args:
            numbers: driver of each device and its index among those of the driver, by name.
        """
        self.numbers = numbers
        self.all: list[Rows] = []

    def add(self, type_: str, rows: Sequence[tuple[str, ...]], device: str, what: str) -> str:
        """Return a C expression with a pointer to rows and their number."""
        written = list(rows)
        if not written:
            return "{0, 0}"
        same = next((array for array in self.all if (array.type, array.rows) == (type_, written)), None)
        if same is None:
            plain = re.sub(r"\W+", "_", device, flags=re.ASCII).strip("_").lower()
            name = f"rows_{len(self.all)}_{plain}"
            same = Rows(name, type_, written, c_comment(f"{device}: {what}"))
            self.all.append(same)
        return f"{{{same.name}, {len(written)}}}"


def driver_tables(hardware: Hardware) -> tuple[dict[str, list[dict[str, object]]], list[Rows]]:
    """Return the tables of all drivers, with the fields of each device in C, and the arrays they need."""
    arrays = ArrayPool(
        {wiring.device.name: (wiring.driver.name, index) for wiring, index in channels.indices(hardware)}
    )
    tables: dict[str, list[dict[str, object]]] = {}
    for wiring in hardware.wirings:
        features = ["", *features_of(hardware.wirings, wiring.driver)]
        fields = [
            (
                parameter.field or name,
                _LITERALS[parameter.kind](wiring.values[name], parameter, wiring, arrays),
            )
            for name, parameter in wiring.driver.parameters.items()
            if parameter.feature in features and parameter.kind != FREQUENCY
        ]
        fields += [
            (rule.field or name, _derived(wiring, rule, arrays))
            for name, rule in wiring.driver.constants.items()
        ]
        if any(wiring.driver.features[name].pins for name in features if name):
            number, is_reversed = wiring.timer or (0, False)
            fields += [("timer", str(number)), ("reversed", json.dumps(is_reversed))]
        tables.setdefault(wiring.driver.name, []).append(
            {"name": c_comment(wiring.device.name), "fields": fields}
        )
    return tables, arrays.all


Literal = Callable[[object, Parameter, Wiring, ArrayPool], str]


def _choice(value: object, parameter: Parameter, wiring: Wiring, arrays: ArrayPool) -> str:
    return str(value if parameter.literal == "value" else parameter.choices.index(value))


def _device(value: object, parameter: Parameter, wiring: Wiring, arrays: ArrayPool) -> str:
    """Return its index; if drivers of several kinds can serve it, as an argument of a macro of its driver."""
    if value not in arrays.numbers:
        return "NO_DEVICE"
    driver, index = arrays.numbers[value]
    return str(index) if len(parameter.able_drivers) == 1 else f"{driver.upper()}_MOTOR({index})"


def _axes(value: Any, parameter: Parameter, wiring: Wiring, arrays: ArrayPool) -> str:
    """Return 1, 2, 3 for x, y, z; negative with a minus sign."""
    places = [("-" if axis.startswith("-") else "") + str("xyz".index(axis[-1]) + 1) for axis in value]
    return f"{{{{{', '.join(places)}}}}}"


def _curve(value: Any, parameter: Parameter, wiring: Wiring, arrays: ArrayPool) -> str:
    return _points(value, wiring, parameter.name, arrays)


def _points(rows: Any, wiring: Wiring, what: str, arrays: ArrayPool) -> str:
    return arrays.add("point", [(c_real(x), c_real(y)) for x, y, *_ in rows], wiring.device.name, what)


_LITERALS: dict[str, Literal] = {
    "pin": lambda value, *_: f"PIN_{value}" if value else "NO_PIN",
    "number": lambda value, *_: c_real(value),
    "integer": lambda value, *_: str(value),
    "flag": lambda value, *_: json.dumps(value),
    "device": _device,
    "choice": _choice,
    "axes": _axes,
    "vector": lambda value, *_: f"{{{', '.join(map(c_real, value))}}}",
    "curve": _curve,
}


def _derived(wiring: Wiring, rule: Derived, arrays: ArrayPool) -> str:
    """Return a field derived from the device's constants, in C."""
    value = wiring.device.constants.get(rule.constant)
    if rule.equals is not None:
        return json.dumps(value == rule.equals)
    if rule.item is not None:
        return c_real(value[rule.item] if value else 0.0)
    if rule.form:
        return _FORMS[rule.form](value, wiring, rule, arrays)
    if isinstance(value, (list, tuple)):
        return _points(value, wiring, rule.constant, arrays)
    return c_real(rule.absent if value is None else value)


def _colors(value: Any, wiring: Wiring, rule: Derived, arrays: ArrayPool) -> str:
    """Convert color components from 0..1 to 0..255."""
    rows = [tuple(str(max(0, min(255, round(255 * part)))) for part in row) for row in value or ()]
    return arrays.add("color", rows, wiring.device.name, rule.constant)


_FORMS: dict[str, Callable[[object, Wiring, Derived, ArrayPool], str]] = {
    "flag": lambda value, *_: json.dumps(bool(value)),
    "integer": lambda value, *_: str(int(value or 0)),
    "colors": _colors,
}
