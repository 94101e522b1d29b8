"""Write the data file of a robot for its board: devices, channels, and the settings of drivers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wbridge.hal.link.faults import FAULT_LINE, TEXTS, Fault
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.protocol.node_types import NODES
from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.boards.drivers import Derived, Parameter, snake
from wbridge.wbfirmware.building.micropython.names import class_of
from wbridge.wbfirmware.literals import c_comment
from wbridge.wbfirmware.map.api import api_kinds
from wbridge.wbfirmware.map.channels import is_guard
from wbridge.wbfirmware.map.device_rows import reached_channels
from wbridge.wbfirmware.map.hardware import Hardware, Wiring

REALS = {4: "f", 8: "d"}
Places = dict[tuple[int, str], int]


def robot_table(hardware: Hardware, controller: str) -> str:
    """Return the text of the data file.

    Args:
        hardware: the hardware map.
        controller: path of the user's controller on the board.
    """
    reached, slots = reached_channels(hardware)
    places = {(entry.tag, entry.name): place for place, entry in enumerate(reached)}
    lines = [
        f'"""The robot "{c_comment(hardware.table.name)}" and its wiring."""',
        'inf = float("inf")',
        f"CONTROLLER = {controller!r}",
        f"FAULT_LINE = {FAULT_LINE!r}",
        f"FAULTS = { ({fault.name: TEXTS[fault] for fault in (Fault.WATCHDOG, Fault.HANG)})!r}",
        f"SUPPLY = {hardware.board.supply!r}",
        f"REALS = {REALS[hardware.link.real]!r}",
        f"NUMBERS = {sum(entry.numbers for entry in reached)}",
        f"PERIODS = {tuple(slots)!r}",
        f"REPORTS = {hardware.reports!r}",
        *_link(hardware),
        "# tag, first number, count, place of the sampling period, is it a command, method, limits",
        *_list("CHANNELS", _channels(hardware)),
        f"GUARDS = {tuple(place for key, place in places.items() if _is_guard(hardware, *key))!r}",
        "# by tag; 0 is the robot",
        *_list("DEVICES", (repr(_device(entry, places)) for entry in hardware.table.all)),
        "DRIVERS = {",
        *(f"    {wiring.device.tag}: {_driver(wiring, hardware)!r}," for wiring in hardware.wirings),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _link(hardware: Hardware) -> list[str]:
    """Return the channels' numbers and letters for `struct` in the robot link, if the board reports them."""
    if not hardware.reports:
        return []
    letters = {"NUMBER_BOOL": "?", "NUMBER_INT": "i", "NUMBER_FLOAT": "f"}
    real = REALS[hardware.link.real]
    rows = [(entry.channel, letters.get(entry.kind, real)) for entry in reached_channels(hardware)[0]]
    return ["# number and letter for struct, by channel", f"LINK = {rows!r}"]


def _is_guard(hardware: Hardware, tag: int, channel: str) -> bool:
    return is_guard(hardware.table.all[tag].type, channel)


def _list(name: str, rows: Iterator[str]) -> list[str]:
    return [f"{name} = [", *(f"    {row}," for row in rows), "]"]


def _channels(hardware: Hardware) -> Iterator[str]:
    acts = {channel.number for channel in Numbering(hardware.table).channels if channel.direction == "act"}
    for entry in reached_channels(hardware)[0]:
        limits = _limits(hardware.table.all[entry.tag], entry.name)
        is_act = entry.channel in acts
        yield repr((entry.tag, entry.at, entry.numbers, entry.period, is_act, snake(entry.name), limits))


def _limits(device: DeviceEntry, channel: str) -> tuple[float, float] | None:
    """Return the limits of a command in the world."""
    constants = device.constants
    if channel == "velocity" and "maxVelocity" in constants:
        most = abs(float(constants["maxVelocity"]))
        return (-most, most)
    low, high = constants.get("minPosition"), constants.get("maxPosition")
    return (float(low), float(high)) if channel == "position" and low != high else None  # type: ignore[arg-type]


def _device(device: DeviceEntry, places: Places) -> dict[str, object]:
    """Return what the controller's object for a device knows."""
    row: dict[str, object] = {
        "name": device.name,
        "model": device.model,
        "class": class_of(device.type),
        "node": NODES.index(device.type) if device.type in NODES else 0,
    }
    for kind in (kind for kind in api_kinds().values() if device.type in kind.devices):
        for field, names in kind.channels.items():
            numbers = [places[device.tag, name] for name in names if (device.tag, name) in places]
            row[field] = numbers[0] if numbers else None
        for field, listed in kind.constants.items():
            values = [device.constants[name] for name in listed.split("|") if name in device.constants]
            row[field] = values[0] if values else 0
        for constant, texts in kind.choices.items():
            value = device.constants.get(constant)
            row[snake(constant)] = texts.index(value) if value in texts else 0
        for field, constant in kind.flags.items():
            row[field] = bool(device.constants.get(constant))
    row.setdefault("value", None)
    return row


def _driver(wiring: Wiring, hardware: Hardware) -> tuple[str, dict[str, object]]:
    """Return the driver of a device and its settings."""
    tags = {other.device.name: other.device.tag for other in hardware.wirings}
    settings = {
        name: _SETTINGS.get(parameter.kind, _same)(wiring.values[name], parameter, tags)
        for name, parameter in wiring.driver.parameters.items()
    }
    settings |= {name: _derived(wiring, rule) for name, rule in wiring.driver.constants.items()}
    return wiring.driver.name, settings


def _same(value: Any, parameter: Parameter, tags: dict[str, int]) -> Any:
    return value


def _choice(value: object, parameter: Parameter, tags: dict[str, int]) -> object:
    return value if parameter.literal == "value" else parameter.choices.index(value)


def _axes(value: list[str], parameter: Parameter, tags: dict[str, int]) -> list[int]:
    """Return 1, 2, 3 for x, y, z; negative with a minus sign."""
    signs = [-1 if axis.startswith("-") else 1 for axis in value]
    return [sign * ("xyz".index(axis[-1]) + 1) for sign, axis in zip(signs, value, strict=True)]


_SETTINGS: dict[str, Callable[[Any, Parameter, dict[str, int]], Any]] = {
    "number": lambda value, *_: float(value),
    "choice": _choice,
    "axes": _axes,
    "vector": lambda value, *_: [float(x) for x in value],
    "curve": lambda value, *_: _points(value),
    "device": lambda value, _, tags: tags.get(value),
}


def _points(rows: Any) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y, *_ in rows]


def _derived(wiring: Wiring, rule: Derived) -> Any:
    """Return a setting derived from the device's constants."""
    value = wiring.device.constants.get(rule.constant)
    if rule.equals is not None:
        return value == rule.equals
    if rule.item is not None:
        return float(value[rule.item]) if value else 0.0
    if rule.form == "flag":
        return bool(value)
    if rule.form == "integer":
        return int(value or 0)
    if rule.form == "colors":
        return [tuple(max(0, min(255, round(255 * part))) for part in row) for row in value or ()]
    if isinstance(value, (list, tuple)):
        return _points(value)
    return float(rule.absent if value is None else value)
