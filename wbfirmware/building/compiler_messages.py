"""Translate compiler errors in a user's controller into terms that its author knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from wbridge.wbfirmware.building.missing_functions import unlinked
from wbridge.wbfirmware.map.api import class_headers
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.problems import nearest
from wbridge.wbfirmware.tools import MOST_TEXT

_ERROR = re.compile(r"^(\S+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$", re.MULTILINE)
_UNAVAILABLE = re.compile(r"call to '(?:\w+::)*(\w+)' declared with attribute error: (.*)")
_NO_HEAP = "wb_no_heap"
"""What an object calls that needs a heap."""
_UNDECLARED = re.compile(r"implicit declaration of function '(\w+)'.*")
_COPY = re.compile(r"(?:\./)?\bcontroller/([\w./-]+\.(?:c|h|cpp|cc|cxx|hpp|hh))\b")
_INLINED = re.compile(
    r"inlined from [^\n]* at (\S+?):(\d+):(?:(\d+):)?[^\n]*\n(?:[^\n]*inlined from[^\n]*\n)*"
    r"\S+?:\d+:(?:\d+:)? error: (.*)"
)
"""An error in a method of our classes, and where the controller calls the method."""
_LARGE_ARRAY = re.compile(r"size of array '(\w+)' is too large")
_NO_HEADER = re.compile(r"(\S+): No such file or directory")
_PRINTS = re.compile(r"\b(?:f?printf|puts|putchar|fputs|fputc|putc)\s*\(|\bc(?:out|err)\s*<<")
_HAS_NO_MAIN = "undefined reference to `controller_main'"


def explained(text: str, hardware: Hardware, unavailable: Callable[[], set[str]]) -> str:
    """Return a build failure in plain terms if the controller caused it; otherwise the end of the output.

    Args:
        text: output of make and the compiler, in English.
        hardware: the hardware map.
        unavailable: returns the C library functions that the controller calls but the board cannot have.
    """
    controller = hardware.controller
    if controller is None:
        return _end(text)
    if _HAS_NO_MAIN in text:
        files = ", ".join(str(source) for source in controller.sources)
        return f"the controller has no function main: {files}"
    placed = _COPY.sub(lambda match: str(controller.folder / match[1]), text)
    own = [
        name
        for name in (*_INLINED.findall(placed), *_ERROR.findall(placed))
        if name[0].startswith(str(controller.folder))
    ]
    if not own:
        return unlinked(text, controller) or unlinked(text, controller, unavailable()) or _end(placed)
    return "\n".join(
        dict.fromkeys(f"{path}:{line}:{column or 1}: {_words(what)}" for path, line, column, what in own)
    )


def _end(text: str) -> str:
    """Return the end of the output: linkers report errors there, after all warnings."""
    return f"the project cannot be built:\n{text[-MOST_TEXT:]}"


def _words(what: str) -> str:
    """Return an error without the compiler's own terms."""
    if match := _UNAVAILABLE.fullmatch(what):
        return match[2] if match[1] == _NO_HEAP else f"{match[1]}: {match[2]}"
    if (match := _NO_HEADER.fullmatch(what)) and not match[1].endswith(".h"):
        known = class_headers()
        return f"boards have no C++ header {match[1]}; allowed: {', '.join(known)}{nearest(match[1], known)}"
    if match := _LARGE_ARRAY.fullmatch(what):
        return (
            f"{match[1]}: the array is too large for the compiler, which allows 32767 bytes on boards with "
            "an AVR; divide it into smaller ones"
        )
    if match := _UNDECLARED.fullmatch(what):
        return f"{match[1]}: unknown function, or its header is not included"
    return what


def notes(hardware: Hardware) -> Iterator[str]:
    """Iterate over notes where a controller behaves differently on the board than in simulation."""
    controller, flavor = hardware.controller, hardware.flavor
    if controller is None:
        return
    if not flavor.text and any(map(_PRINTS.search, controller.texts().values())):
        yield f"what the controller prints is dropped: the wire of {flavor.name} belongs to the link"
    on_board = {wiring.device.tag for wiring in hardware.wirings}
    coupled = [
        device
        for device in hardware.table.devices
        if device.tag in on_board and device.constants.get("coupled")
    ]
    if flavor.drivers and coupled:
        names = ", ".join(f'"{device.name}"' for device in coupled)
        yield f"motors coupled in the world are not coupled on the board; command each one: {names}"
