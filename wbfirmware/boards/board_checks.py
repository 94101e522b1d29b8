"""Check the folder of a board: the keys and values of board.toml, its files, and its pin names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from wbridge.wbfirmware.boards.board import (
    FUNCTIONS,
    GROUPS,
    TABLES,
    USB,
    Board,
    BoardError,
    FlashMethod,
)
from wbridge.wbfirmware.problems import nearest

GIVEN = ("name", "folder", *GROUPS)
"""Fields that are not in the file."""
KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "a text"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
    "list[str]": ((list,), "a list of texts"),
    "dict[str, Any]": ((dict,), "a table"),
    "dict[str, str]": ((dict,), "a table"),
    "dict[str, list[str]]": ((dict,), "a table of lists"),
    "dict[str, list[float]]": ((dict,), "a table of lists of numbers"),
    "dict[str, dict[str, str]]": ((dict,), "a table of lists"),
    "list[FlashMethod]": ((list,), "tables [[flashing]]"),
    "Compiler": ((dict,), "a table"),
    "Python | None": ((dict,), "a table"),
    "Baud | None": ((dict,), "a table"),
    "Edges | None": ((dict,), "a table"),
    "Ticks | None": ((dict,), "a table"),
    "Usb | None": ((dict,), "a table"),
}
MOST_DELAY = 8
"""Of the speed control of motors (ms): its interval of 10 ms is longer."""
COMPILED = {"sources": "list[str]", "compiler": "Compiler"}
"""Keys that all boards with compiled programs need."""
_PIN = re.compile(r"^#define PIN_(\w+) \d+$", re.MULTILINE)


def check_board(path: Path, data: dict[str, Any]) -> None:
    """Check that the keys of board.toml are known and their values have the right types.

    Raises:
        BoardError: a key or value is wrong.
    """
    problems = list(_table("", data, Board, *GROUPS.values()))
    if "python" not in data:
        problems += [
            f"{name} is missing; expected {KINDS[text][1]}"
            for name, text in COMPILED.items()
            if name not in data
        ]
    if not problems:
        for key, kind in TABLES.items():
            problems += _table(f"{key}.", data[key], kind) if key in data else []
        for entry in data.get("flashing", []):
            problems += _table("flashing.", entry, FlashMethod)
        problems += _functions(data["pins"])
        problems += _delay(data.get("control_delay", 0))
        problems += _analog(data.get("analog_top", 0), data["supply"])
    _say(path, problems)


def _table(prefix: str, data: dict[str, Any], *kinds: Any) -> list[str]:
    annotations = {
        name: getattr(annotation, "__forward_arg__", annotation)
        for kind in kinds
        for name, annotation in kind.__annotations__.items()
    }
    optional = {name for kind in kinds for name in kind._field_defaults}
    fields = {name: text for name, text in annotations.items() if name not in GIVEN}
    problems = [
        f"{prefix}{key}: unknown key; allowed: {', '.join(fields)}{nearest(key, fields)}"
        for key in data
        if key not in fields
    ]
    for name, text in fields.items():
        if name not in data:
            if name not in optional:
                problems.append(f"{prefix}{name} is missing; expected {KINDS[text][1]}")
        elif not isinstance(data[name], KINDS[text][0]) or (text != "bool" and isinstance(data[name], bool)):
            problems.append(f"{prefix}{name}: found {data[name]!r}; expected {KINDS[text][1]}")
    return problems


def _functions(pins: dict[str, Any]) -> list[str]:
    problems = []
    for pin, functions in pins.items():
        if not isinstance(functions, list) or not all(isinstance(function, str) for function in functions):
            problems.append(f"pins.{pin}: expected a list of strings")
            continue
        for function in functions:
            name = function.partition(":")[0]
            if name not in FUNCTIONS:
                allowed = ", ".join(FUNCTIONS)
                problems.append(
                    f'pins.{pin}: found "{function}"; allowed: {allowed}{nearest(name, FUNCTIONS)}'
                )
    return problems


def _delay(seconds: float) -> list[str]:
    if 0 <= seconds <= MOST_DELAY:
        return []
    return [f"control_delay: found {seconds:g}; expected 0 to {MOST_DELAY} ms"]


def _analog(volts: float, supply: float) -> list[str]:
    if 0 <= volts <= supply:
        return []
    return [f"analog_top: found {volts:g}; expected up to the supply, {supply:g} V"]


def check_files(board: Board) -> None:
    """Check that the files named by a board exist, that pins.h defines its pins, the timers of encoders, and
    what its wires need.

    Raises:
        BoardError: a file or pin is missing, or a timer has not two pins of the board.
    """
    parts = [
        *board.project.parts,
        *board.project.core,
        *(part for wire_part in board.project.wire_parts.values() for part in wire_part),
    ]
    absent = [part for part in parts if not any(place.is_dir() for place in board.part_places(part))]
    problems = [f"parts: boards/shared has no folder {part}" for part in absent]
    if not absent:
        names = [file.name for file in board.files]
        problems += [f"sources: no file {name}" for name in board.project.sources if name not in names]
        problems += _pins_defined(board) if board.python is None else []
    problems += _wires(board)
    problems += _names(board)
    problems += [
        f'proposed_last: [pins] has no "{pin}"{nearest(str(pin), board.pins)}'
        for pin in board.circuit.proposed_last
        if pin not in board.pins
    ]
    for timer, pins in board.timing.encoders.items():
        problems += _encoder(board, timer, pins)
    _say(board.folder / "board.toml", problems)


def _pins_defined(board: Board) -> list[str]:
    header = board.pins_header
    if header is None:
        return ["the file pins.h beside it is missing"]
    defined = _PIN.findall(header.read_text(encoding="utf-8"))
    missing = [pin for pin, functions in board.pins.items() if functions and pin not in defined]
    return [f"pins.{pin}: {header} has no line #define PIN_{pin} NUMBER" for pin in missing]


def _wires(board: Board) -> list[str]:
    """Return what is wrong with the pins and numbers of wires."""
    problems = [
        f'wire_pins.{wire}: [pins] has no "{pin}"{nearest(str(pin), board.pins)}'
        for wire, pins in board.wire_pins.items()
        for pin in pins
        if pin not in board.pins
    ]
    if USB in board.wires and board.usb is None:
        problems.append("usb is missing; the wire usb needs a table [usb] with vendor and product")
    return problems


def _names(board: Board) -> list[str]:
    """Return what is wrong with other names of pins, whose values may have any type."""
    taken = [f"names.{name}: this is a pin itself" for name in board.circuit.names if name in board.pins]
    unknown = [
        f'names.{name}: [pins] has no "{pin}"{nearest(str(pin), board.pins)}'
        for name, pin in board.circuit.names.items()
        if str(pin) not in board.pins
    ]
    return taken + unknown


def _encoder(board: Board, timer: str, pins: Any) -> list[str]:
    """Return what is wrong with a timer of `encoders`, whose value may have any type."""
    if not timer.isdecimal():
        return [f"encoders.{timer}: expected the number of a timer, for example 2"]
    names = [pin for pin in pins if isinstance(pin, str)] if isinstance(pins, list) else []
    if len(names) != 2 or len(pins) != 2 or names[0] == names[1]:
        return [f"encoders.{timer}: found {pins!r}; expected the pins of its channels 1 and 2"]
    return [
        f'encoders.{timer}: [pins] has no "{name}"{nearest(name, board.pins)}'
        for name in names
        if name not in board.pins
    ]


def _say(path: Path, problems: list[str]) -> None:
    if problems:
        raise BoardError("\n".join(f"{path}: {problem}" for problem in problems))
