"""Writes the C project of a robot's firmware: files that all have, and those made from its tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from hal.firmware import channels
from hal.firmware.api import headers as api_headers
from hal.firmware.api import used_kinds
from hal.firmware.device_rows import controller_words
from hal.firmware.drivers import Driver
from hal.firmware.fields import Rows, driver_tables
from hal.firmware.hardware import Hardware
from hal.firmware.literals import c_comment, c_real, c_text_lines
from hal.firmware.places import templates_path
from hal.link.numbering import Numbering

if TYPE_CHECKING:
    import jinja2

__all__ = ["FirmwareError", "controller_files", "copied_files", "generate", "made_files"]

FRAMES = {"serial": "frame_cobs", "tcp": "frame_length"}
FRAME = "frame"
"""In the parts of a flavor: the one for the wire."""
MADE_HEADERS = ("config.h",)
CORE = "controller"
"""The folder with what all flavors with a controller have; in a project the user's controller lies there."""
TEMPLATE = ".j2"
BUILD_DIGITS = 8
MARK = ".wbridge-firmware"
"""A folder with this file may be written to again."""
RENAMED = (
    "abort",
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fprintf",
    "fwrite",
    "fflush",
)
"""Functions of the C library that the controller gets from the firmware."""
_OWN_INCLUDE = re.compile(r'^#include "([\w.]+)"', re.MULTILINE)


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
        FirmwareError: the folder has other files or cannot be written, or Jinja2 is not installed.
    """
    files = {**copied_files(hardware), **made_files(hardware), **controller_files(hardware)}
    try:
        _write(files, folder)
    except OSError as problem:
        where = problem.filename or folder
        raise FirmwareError(f"the project cannot be written: {where}: {problem.strerror}") from None
    return sorted(folder / name for name in files)


def _write(files: dict[str, str], folder: Path) -> None:
    _prepare(folder, files)
    for name, text in files.items():
        place = folder / name
        data = text.encode("utf-8", "surrogateescape")
        if not place.is_file() or place.read_bytes() != data:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    (folder / MARK).write_text("\n".join(sorted(files)) + "\n", encoding="utf-8")


def _prepare(folder: Path, files: Iterable[str]) -> None:
    """Make the folder; remove what an earlier run has written and this one does not."""
    mark = folder / MARK
    if folder.is_dir() and any(folder.iterdir()) and not mark.is_file():
        raise FirmwareError(f"{folder} has files of its own; name an empty folder, or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    if mark.is_file():
        for name in set(mark.read_text(encoding="utf-8").splitlines()) - set(files):
            if not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts:
                (folder / name).unlink(missing_ok=True)


def _drivers(hardware: Hardware) -> list[Driver]:
    """The drivers that are on the board, each once, in the order of the devices."""
    if not hardware.flavor.drivers:
        return []
    return list({one.driver.name: one.driver for one in hardware.wirings}.values())


def _names(hardware: Hardware) -> list[str]:
    """Names of the C files, but those of the board."""
    return [*(place.name for place in _sources(hardware)), *hardware.flavor.made]


def _sources(hardware: Hardware) -> list[Path]:
    """The C files that are the same in all projects that have them, but those of the board."""
    project, flavor, used = templates_path() / "project", hardware.flavor, _drivers(hardware)
    parts = [FRAMES[hardware.link.wire] if part == FRAME else part for part in flavor.parts]
    parts += sorted({part for one in used for part in one.parts} - set(parts))
    found = [*flavor.sources, *(project / f"{part}.c" for part in parts)]
    if flavor.controller:
        found += sorted((templates_path() / CORE).glob("*.c"))
        found += [file for kind in used_kinds(hardware) for file in kind.sources]
    found += [one.folder / f"{one.name}.c" for one in used]
    return found


def copied_files(hardware: Hardware) -> dict[str, str]:
    """Files that go into the project as they are: the sources, and all headers that they include."""
    project = templates_path() / "project"
    folders = [hardware.flavor.folder, project, templates_path() / CORE]
    folders += [one.folder for one in _drivers(hardware)] + [one.folder for one in used_kinds(hardware)]
    files = {place.name: place for place in _sources(hardware)}
    files |= {place.name: place for place in hardware.board.files if place.suffix != TEMPLATE}
    made = [(project / f"{name}.j2") for name in hardware.flavor.made]
    waiting = [*files.values(), *made]
    if "devices.c" in hardware.flavor.made:
        waiting += [one.folder / f"wb_{one.key}.c" for one in used_kinds(hardware) if one.devices]
    if "robot.c" in hardware.flavor.made:
        waiting += [one.folder / f"{one.name}.c" for one in _drivers(hardware)]
    while waiting:
        text = waiting.pop().read_text(encoding="utf-8")
        for name in _OWN_INCLUDE.findall(text):
            place = next((one / name for one in folders if (one / name).is_file()), None)
            if place is not None and name not in files:
                files[name] = place
                waiting.append(place)
    return {name: files[name].read_text(encoding="utf-8") for name in sorted(files)}


def controller_files(hardware: Hardware) -> dict[str, str]:
    """The user's controller, and the headers of the API that it includes."""
    controller = hardware.controller
    if controller is None:
        return {}
    own = {f"{CORE}/{name}": text for name, text in controller.texts().items()}
    return own | api_headers(hardware, controller.included())


def made_files(hardware: Hardware, **others: Any) -> dict[str, str]:
    """Files that are made from the device table and the hardware map.

    Args:
        hardware: the hardware map.
        others: words for the templates in the place of the usual ones.
    """
    environment = _environment(hardware)
    words = {**_words(hardware), **others}
    boards = [place.name for place in hardware.board.files if place.suffix == TEMPLATE]
    names = [*(f"{name}{TEMPLATE}" for name in (*MADE_HEADERS, "Makefile", *hardware.flavor.made)), *boards]
    made = {
        name.removesuffix(TEMPLATE): environment.get_template(name).render({"build": "", **words})
        for name in names
    }
    if "build" not in words:
        texts = [*copied_files(hardware).values(), *made.values(), *controller_files(hardware).values()]
        digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()
        words["build"] = f"{hardware.board.name[: 32 - BUILD_DIGITS - 1]} {digest[:BUILD_DIGITS]}"
        made["config.h"] = environment.get_template("config.h.j2").render(words)
    return made


def _environment(hardware: Hardware) -> jinja2.Environment:
    try:
        import jinja2
    except ImportError:
        raise FirmwareError("firmware needs the package Jinja2: pip install Jinja2") from None
    folders = {place.parent: None for place in hardware.board.files}
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([templates_path() / "project", *folders]),
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
    tables: dict[str, list[dict[str, Any]]] = {}
    rows: list[Rows] = []
    if hardware.flavor.drivers:
        tables, rows = driver_tables(hardware)
    sets = [_call(one) | {"value": _value(one, hardware)} for one in found if one.channel.direction == "act"]
    read = [_call(one) for one in found if one.channel.direction == "sense"]
    controller = hardware.controller
    more = {} if controller is None else controller_words(hardware)
    return {
        **more,
        "controller": controller is not None,
        "controller_sources": [f"{CORE}/{one.name}" for one in controller.sources] if controller else [],
        "renamed": [f"--redefine-sym {name}=controller_{name}" for name in RENAMED],
        "objcopy": hardware.board.compiler.tool("objcopy"),
        "robot": c_comment(hardware.table.name),
        "map_name": c_comment(hardware.path.name),
        "world": "the world of " + c_comment(hardware.path.name),
        "board": hardware.board,
        "supply": c_real(hardware.board.supply),
        "link": hardware.link,
        "sources": [*_names(hardware), *hardware.board.sources],
        "slots": len(numbering.slots),
        "stage": act + 4 * len(numbering.slots),
        "value_bytes": channels.value_bytes(hardware),
        "most_numbers": max((one["count"] for one in read), default=0),
        "samples": max(1, sum(size for _, size in channels.sizes(hardware, "sense"))),
        "hash": ", ".join(f"0x{byte:02X}" for byte in numbering.hash),
        "entries": [_entry(one) for one in channels.entries(hardware)],
        "table_text": text,
        "table_lines": c_text_lines(text),
        "drivers": tables,
        "rows": rows,
        "calls": {name: _calls(hardware, name) for name in ("start", "stop", "update", "changed")},
        "set": sets,
        "bounded": any("within" in one["value"] for one in sets),
        "bounded_positions": any("position_within" in one["value"] for one in sets),
        "read": read,
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
        "type": one.type,
        "count": channels.numbers_of(one.channel),
    }


_TAKEN = {"int": "get_i32(value)", "real": "get_real(value)", "packets": "value + 4, get_u32(value)"}
"""How a driver's function takes a command, by the type of its channel."""


def _value(one: channels.Served, hardware: Hardware) -> str:
    """A command in C, kept within the limits that the device has in the world."""
    value = _TAKEN[one.type]
    constants = hardware.table.all[one.channel.tag].constants
    if one.channel.name == "velocity" and "maxVelocity" in constants:
        most = abs(constants["maxVelocity"])
        return f"within({value}, {c_real(-most)}, {c_real(most)})"
    low, high = constants.get("minPosition"), constants.get("maxPosition")
    if one.channel.name == "position" and low != high:
        return f"position_within({value}, {c_real(low)}, {c_real(high)})"
    return value


def _calls(hardware: Hardware, name: str) -> list[dict[str, str]]:
    """The calls of all drivers that have one of a name."""
    more = ", elapsed" if name == "update" else ""
    return [
        {"code": f"{one.driver.name}_{name}({index}{more})", "name": c_comment(one.device.name)}
        for one, index in channels.indices(hardware)
        if name in one.driver.calls
    ]
