"""The functions that firmware offers to a controller, by device kind, as declared in kind.toml files.

A function is available if a device of the robot has a driver for the channels that it needs. The headers mark
the others with a message, which the compiler reports at the controller's call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.catalogue import kinds as device_kinds
from wbridge.hal.table import DeviceEntry
from wbridge.libcontroller.compiling import source_folder
from wbridge.wbfirmware.boards.drivers import drivers_for
from wbridge.wbfirmware.map import channels
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.template_folders import api_names, read_toml, templates_path

SAME = ("webots/Sketch.hpp",)
"""C++ headers that boards share with the desktop."""
STANDARD = "std"
"""Folder of the C++ library's headers."""
OWN = "wbridge/"
"""Folder of headers that Webots does not have."""
DEVICE_COUNT = "webots/robot_devices.hpp"
"""The header with the number of the robot's devices, for the objects of the C++ classes."""
FIRST = "webots/types.h"
"""The header with the marker for unavailable functions."""
UNAVAILABLE = """\
/* In front of functions that this robot cannot serve: the compiler tells who calls one. */
#if defined(__GNUC__) && !defined(FIRMWARE)
#define WB_UNAVAILABLE(why) __attribute__((error(why)))
#else
#define WB_UNAVAILABLE(why)
#endif
"""
VEHICLE = ("wbu_car_", "wbu_driver_")
"""Prefixes of the vehicle library's names."""
_PROTOTYPE = re.compile(r"^((?:const )?\w[\w ]*[ *]+(wbu?_\w+)\([^;{}]*\));", re.MULTILINE)
_GUARD = re.compile(r"^#define WEBOTS_\w+_H\n", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#include <([^>]+)>", re.MULTILINE)


class ApiKind(NamedTuple):
    """Functions for devices of one kind."""

    key: str
    folder: Path
    devices: list[str]
    """Node types; empty if the functions are for no device or for any."""
    functions: dict[str, list[str]]
    """The fields of `channels` that each function needs."""
    channels: dict[str, list[str]] = {}
    """Fields of the kind's structure with places of channels; the first channel name that exists is used."""
    constants: dict[str, str] = {}
    """Fields with numbers or device tags: names of constants, tried from left to right."""
    choices: dict[str, list[str]] = {}
    """Constants that are strings: the field is the index of the string in the list."""
    flags: dict[str, str] = {}
    """Fields with truth values."""
    parts: list[str] = []
    """Other source files of the project that the functions need."""

    @property
    def sources(self) -> list[Path]:
        """Its C files, sorted."""
        return sorted(self.folder.glob("*.c"))


@cache
def api_kinds() -> dict[str, ApiKind]:
    """Return all kinds by name."""
    kinds = {}
    for name in api_names():
        folder = templates_path() / "api" / name
        kinds[name] = ApiKind(name, folder, **read_toml((folder / "kind.toml").read_text(encoding="utf-8")))
    return kinds


def devices_of(kind: ApiKind, hardware: Hardware) -> list[DeviceEntry]:
    """Return the devices of a kind on the board, including the robot itself."""
    on_board = {wiring.device.tag for wiring in hardware.wirings} | {0}
    return [entry for entry in hardware.table.all if entry.type in kind.devices and entry.tag in on_board]


def used_kinds(hardware: Hardware) -> list[ApiKind]:
    """Return the kinds of which the robot has a device on the board, and those without devices."""
    return [kind for kind in api_kinds().values() if not kind.devices or devices_of(kind, hardware)]


def headers(hardware: Hardware, included: Iterable[str]) -> dict[str, str]:
    """Return the API headers that a controller includes, directly or indirectly.

    Args:
        hardware: the hardware map.
        included: header names, for example "webots/robot.h"; headers of others are ignored.

    Returns:
        Texts by path; unavailable functions are marked with the reason.
    """
    pages: dict[str, str] = {}
    # Sorted, because the order of a set varies between runs, but builds must be reproducible.
    waiting = sorted(
        {FIRST, *included, *(name for kind in used_kinds(hardware) for name in _included_by(kind))}
    )
    served = _served(hardware)
    while waiting:
        name = waiting.pop()
        path = _header(name)
        place = name if "/" in name else f"{STANDARD}/{name}"
        if place in pages or path is None:
            continue
        text = path.read_text(encoding="utf-8")
        pages[place] = _marked(text, hardware, served)
        waiting += _INCLUDE.findall(text)
        if DEVICE_COUNT in text:
            pages[DEVICE_COUNT] = f"#define WB_DEVICES {max(1, len(hardware.table.devices))}\n"
    pages[FIRST] = pages[FIRST].replace("#include <stdbool.h>\n", f"#include <stdbool.h>\n\n{UNAVAILABLE}", 1)
    return dict(sorted(pages.items()))


def _header(name: str) -> Path | None:
    """Return the file of an API header, or of one of the C++ library's that boards have."""
    if ".." in name:
        return None
    classes = templates_path() / "cpp"
    if "/" not in name:
        places = [classes / STANDARD / name]
    elif name.startswith(OWN):
        places = [source_folder() / "include" / name]
    elif name.startswith("webots/"):
        library = source_folder()
        places = [classes / name, *([library / "cpp" / "include" / name] if name in SAME else [])]
        places += [library / "include" / name] if name.endswith(".h") else []
    else:
        return None
    return next((place for place in places if place.is_file()), None)


def class_headers() -> list[str]:
    """Return the names of the C++ headers that boards have, sorted: those of classes, and the library's."""
    classes = templates_path() / "cpp"
    own = [f"webots/{file.name}" for file in (classes / "webots").glob("*.hpp")]
    return sorted([*own, *SAME, *(file.name for file in (classes / STANDARD).iterdir())])


def _included_by(kind: ApiKind) -> set[str]:
    return {name for file in kind.sources for name in _INCLUDE.findall(file.read_text(encoding="utf-8"))}


def _served(hardware: Hardware) -> set[tuple[int, str]]:
    """Return tags and names of the channels that drivers serve."""
    return {
        (served_channel.channel.tag, served_channel.channel.name)
        for served_channel in channels.served(hardware)
    }


def _marked(text: str, hardware: Hardware, served: set[tuple[int, str]]) -> str:
    def mark(match: re.Match[str]) -> str:
        why = _why_not(match[2], hardware, served)
        return f'{match[1]}\n    WB_UNAVAILABLE("{_quoted(why)}");' if why else match[0]

    marked = _PROTOTYPE.sub(mark, text)
    if marked == text or f"#include <{FIRST}>" in text:
        return marked
    return _GUARD.sub(rf"\g<0>\n#include <{FIRST}>\n", marked, count=1)


def _quoted(text: str) -> str:
    plain = "".join(character if " " <= character <= "~" else "?" for character in text)
    return plain.replace("\\", "/").replace('"', "'")


def why_not(function: str, hardware: Hardware) -> str:
    """Return why a function is not available, or "" if it is."""
    return _why_not(function, hardware, _served(hardware))


def _why_not(function: str, hardware: Hardware, served: set[tuple[int, str]]) -> str:
    for kind in api_kinds().values():
        if function in kind.functions:
            return _missing(kind, function, hardware, served)
    if function.startswith(VEHICLE):
        return "firmware does not offer the vehicle library; command the motors by wb_motor_... instead"
    type_ = _type_of(function)
    if type_ is None or type_ in ("Robot", "Supervisor"):
        return "firmware does not offer this function: it needs a computer or a simulation"
    return _no_device([type_], hardware) or f"firmware does not offer this function of the type {type_}"


def _type_of(function: str) -> str | None:
    """Return the node type that a function is for, derived from its name."""
    fitting = [
        kind for kind in device_kinds().values() if function.startswith(kind.prefix) and not kind.abstract
    ]
    return max(fitting, key=lambda kind: len(kind.prefix)).name if fitting else None


def _missing(kind: ApiKind, function: str, hardware: Hardware, served: set[tuple[int, str]]) -> str:
    if not kind.devices:
        return ""
    devices = devices_of(kind, hardware)
    if not devices:
        return _no_device(kind.devices, hardware)
    wanted = [name for field in kind.functions[function] for name in kind.channels[field]]
    if not wanted or any((device.tag, name) in served for device in devices for name in wanted):
        return ""
    used = sorted({wiring.driver.name for wiring in hardware.wirings if wiring.device.type in kind.devices})
    if not used:
        return f"{hardware.path.name} has no table [battery] with a driver that measures it; write one there"
    able = sorted(
        {n for wiring in hardware.wirings if wiring.driver.name in used for n in wiring.driver.channels}
    )
    return (
        f"no driver in {hardware.path.name} has {' or '.join(wanted)} of a {kind.devices[0]}: "
        f"{', '.join(used)} has {', '.join(able)}; take the call out, or choose another driver there"
    )


def _no_device(types: list[str], hardware: Hardware) -> str:
    """Return why the board has no device of these types, or "" if it has one."""
    tags = {wiring.device.tag for wiring in hardware.wirings}
    mine = [device for device in hardware.table.devices if device.type in types]
    if any(device.tag in tags for device in mine):
        return ""
    name = hardware.path.name
    if not mine:
        return (
            f"the robot {hardware.table.name} has no {types[0]}; take the call out, or put one into its world"
        )
    able = [driver.name for driver in drivers_for(mine[0])]
    if not able:
        return f"firmware has no driver for a {types[0]} ({mine[0].name}); take the call out"
    return (
        f"{name} has no driver for the {types[0]} {mine[0].name}; write there "
        f"[devices.'{mine[0].name}'] driver = '{able[0]}' with its pins, or take the call out"
    )
