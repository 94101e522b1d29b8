"""Writes the C project of a robot's firmware: files that all have, and those made from its tables."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hal.firmware import channels
from hal.firmware.drivers import Driver
from hal.firmware.hardware import Hardware, Wiring
from hal.firmware.literals import c_comment, c_real, c_text_lines
from hal.firmware.places import templates_path
from hal.link.numbering import Numbering

if TYPE_CHECKING:
    import jinja2

__all__ = ["FirmwareError", "generate"]

CORE = ("main", "link", "entries", "samples", "bytes", "crc")
"""Sources of every project."""
HEADERS = ("board", "frame", "link_messages", "memory", "robot", "table")
"""Headers without a source of their own name."""
FRAMES = {"serial": "frame_cobs", "tcp": "frame_length"}
GENERATED = ("config.h", "table.c", "drivers.c", "robot.c", "Makefile")
BUILD_DIGITS = 8
MARK = ".wbridge-firmware"
"""A folder with this file may be written to again."""


class FirmwareError(RuntimeError):
    """Firmware cannot be made; the message says what helps."""


def generate(hardware: Hardware, folder: Path) -> list[Path]:
    """Write the project of a robot's firmware.

    Args:
        hardware: the hardware map.
        folder: where to; it is made, and what an earlier run has written there is replaced.

    Returns:
        The files, sorted.

    Raises:
        FirmwareError: the folder has other files, or Jinja2 is not installed.
    """
    files = {**_copied(hardware), **_made(hardware)}
    _prepare(folder, files)
    for name, text in files.items():
        place = folder / name
        if not place.is_file() or place.read_text(encoding="utf-8") != text:
            place.write_text(text, encoding="utf-8")
    (folder / MARK).write_text("\n".join(sorted(files)) + "\n", encoding="utf-8")
    return sorted(folder / name for name in files)


def _prepare(folder: Path, files: Iterable[str]) -> None:
    """Make the folder; remove what an earlier run has written and this one does not."""
    mark = folder / MARK
    if folder.is_dir() and any(folder.iterdir()) and not mark.is_file():
        raise FirmwareError(f"{folder} has files of its own; name an empty folder, or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    if mark.is_file():
        for name in set(mark.read_text(encoding="utf-8").split()) - set(files):
            if Path(name).name == name:
                (folder / name).unlink(missing_ok=True)


def sources(hardware: Hardware) -> list[str]:
    """Names of the C files of a project."""
    used = _drivers(hardware)
    parts = sorted({part for one in used for part in one.parts})
    own = [f"{name}.c" for name in (*CORE, FRAMES[hardware.link.wire], *parts)]
    return [
        *own,
        "table.c",
        "drivers.c",
        "robot.c",
        *(f"{one.name}.c" for one in used),
        *hardware.board.sources,
    ]


def _drivers(hardware: Hardware) -> list[Driver]:
    """The drivers that are used, each once, in the order of the devices."""
    return list({one.driver.name: one.driver for one in hardware.wirings}.values())


def _copied(hardware: Hardware) -> dict[str, str]:
    """Files that go into the project as they are."""
    project = templates_path() / "project"
    used = _drivers(hardware)
    parts = sorted({part for one in used for part in one.parts})
    places = [project / f"{name}.c" for name in (*CORE, FRAMES[hardware.link.wire], *parts)]
    places += [project / f"{name}.h" for name in (*CORE[1:], *HEADERS, *parts)]
    for folder in (hardware.board.folder, *(one.folder for one in used)):
        places += [file for file in sorted(folder.iterdir()) if file.suffix in (".c", ".h")]
    return {place.name: place.read_text(encoding="utf-8") for place in places}


def _made(hardware: Hardware) -> dict[str, str]:
    """Files that are made from the tables."""
    environment = _environment()
    words = _words(hardware)
    made = {name: environment.get_template(f"{name}.j2").render(words, build="") for name in GENERATED}
    digest = hashlib.sha256("\0".join([*_copied(hardware).values(), *made.values()]).encode()).hexdigest()
    words["build"] = f"{hardware.board.name[: 32 - BUILD_DIGITS - 1]} {digest[:BUILD_DIGITS]}"
    made["config.h"] = environment.get_template("config.h.j2").render(words)
    return made


def _environment() -> jinja2.Environment:
    try:
        import jinja2
    except ImportError:
        raise FirmwareError("firmware needs the package Jinja2: pip install 'wbridge[firmware]'") from None
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_path() / "project"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # C is no markup; literals and comments are made by hal.firmware.literals
    )


def _words(hardware: Hardware) -> dict[str, Any]:
    """What the templates may name."""
    numbering, found = Numbering(hardware.table), channels.served(hardware)
    act = sum(size for _, size in channels.sizes(hardware, "act"))
    text = hardware.table.canonical() if hardware.link.table else ""
    curves: list[dict[str, Any]] = []
    return {
        "robot": c_comment(hardware.table.name),
        "map_name": c_comment(hardware.path.name),
        "world": "the world of " + c_comment(hardware.path.name),
        "board": hardware.board,
        "link": hardware.link,
        "sources": sources(hardware),
        "slots": len(numbering.slots),
        "stage": act + 4 * len(numbering.slots),
        "samples": max(1, sum(size for _, size in channels.sizes(hardware, "sense"))),
        "hash": ", ".join(f"0x{byte:02X}" for byte in numbering.hash),
        "entries": [_entry(one) for one in channels.entries(hardware)],
        "table_text": text,
        "table_lines": c_text_lines(text),
        "drivers": _tables(hardware, curves),
        "curves": curves,
        "calls": {name: _calls(hardware, name) for name in ("start", "stop", "update", "changed")},
        "set": [_call(one) for one in found if one.channel.direction == "act"],
        "read": [_call(one) for one in found if one.channel.direction == "sense"],
    }


def _entry(one: channels.Entry) -> dict[str, Any]:
    flags = ["CHANNEL_ACT"] * (one.channel.direction == "act") + ["CHANNEL_DRIVEN"] * one.driven
    return {
        "number": one.channel.number,
        "label": c_comment(one.channel.label),
        "kind": one.kind,
        "count": one.numbers,
        "slot": "NO_SLOT" if one.channel.slot is None else one.channel.slot,
        "flags": " | ".join(flags) or "0",
    }


def _call(one: channels.Served) -> dict[str, Any]:
    return {
        "number": one.channel.number,
        "label": c_comment(one.channel.label),
        "function": one.function,
        "index": one.place,
        "getter": "get_i32" if one.type == "int" else "get_real",
    }


def _calls(hardware: Hardware, name: str) -> list[dict[str, str]]:
    """The calls of all drivers that have one of a name."""
    more = ", elapsed" if name == "update" else ""
    return [
        {"code": f"{one.driver.name}_{name}({index}{more})", "name": c_comment(one.device.name)}
        for one, index in channels.indices(hardware)
        if name in one.driver.calls
    ]


def _tables(hardware: Hardware, curves: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The tables of all drivers: for each device its fields in C."""
    numbers = {one.device.name: index for one, index in channels.indices(hardware)}
    tables: dict[str, list[dict[str, Any]]] = {}
    for one in hardware.wirings:
        fields = []
        for name, parameter in one.driver.parameters.items():
            literal = _LITERALS[parameter.kind](one.values[name], name, one, numbers, curves)
            fields.append((name, literal))
        for name in one.driver.constants:
            fields.append((name, _derived(one, name, curves)))
        tables.setdefault(one.driver.name, []).append({"name": c_comment(one.device.name), "fields": fields})
    return tables


Curves = list[dict[str, Any]]


def _curve(rows: list[list[float]], name: str, one: Wiring, numbers: dict[str, int], curves: Curves) -> str:
    """Write the rows as an array, and name it; equal arrays are one."""
    written = [(c_real(x), c_real(y)) for x, y in rows]
    same = next((curve for curve in curves if curve["rows"] == written), None)
    if same is None:
        plain = re.sub(r"\W+", "_", one.device.name, flags=re.ASCII).strip("_").lower()
        about = c_comment(f"{one.device.name}: {name}")
        same = {"name": f"rows_{len(curves)}_{plain}", "rows": written, "about": about}
        curves.append(same)
    return f"{{{same['name']}, {len(written)}}}"


_LITERALS: dict[str, Callable[[Any, str, Wiring, dict[str, int], Curves], str]] = {
    "pin": lambda value, *_: f"PIN_{value}",
    "number": lambda value, *_: c_real(value),
    "integer": lambda value, *_: str(value),
    "flag": lambda value, *_: json.dumps(value),
    "device": lambda value, _name, _one, numbers, _curves: str(numbers.get(value, "NO_DEVICE")),
    "curve": _curve,
}
IDENTITY = [[0.0, 0.0], [1000.0, 1000.0]]
"""A device without a lookup table shows what it measures."""


def _derived(one: Wiring, name: str, curves: Curves) -> str:
    """A field that comes from the device's constants, in C."""
    rule = one.driver.constants[name]
    value = one.device.constants.get(rule.constant)
    if rule.equals is not None:
        return json.dumps(value == rule.equals)
    if rule.item is not None:
        return c_real(value[rule.item] if value else 0.0)
    if isinstance(value, (list, tuple)):
        return _curve([[x, y] for x, y, *_ in value] or IDENTITY, rule.constant, one, {}, curves)
    return c_real(value or 0.0)
