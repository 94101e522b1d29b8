"""Read the wiring file of a robot: TOML, with a table for each device.

sampling = 20

[devices."left motor"]
pwm = 5
forward = 4
backward = 7
max_velocity = 12.0

[devices.ds]
analog = "A0"
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.hal.installation import package_command
from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.url import closest
from wbridge.remote_controls.wiring.part import Part, WiringFieldError
from wbridge.remote_controls.wiring.propose import proposal

DEFAULT_SAMPLING, LONGEST = 20, 0x3FFF


class Wirings(NamedTuple):
    """The content of a wiring file."""

    parts: dict[str, Part]
    """Parts by device name."""
    sampling: int
    """Sampling interval of analog pins, in ms."""


@cache
def kinds() -> dict[str, type[Part]]:
    """Return all types of wiring, by key."""
    folder = Path(__file__).parent / "parts"
    names = sorted(file.stem for file in folder.glob("[!_]*.py"))
    return {name: import_module(f"wbridge.remote_controls.wiring.parts.{name}").Wiring for name in names}


def read_wirings(file: Path, devices: dict[str, str]) -> Wirings:
    """Read a wiring file.

    Args:
        file: the file, in TOML.
        devices: node types of the robot's devices by name.

    Raises:
        AddressError: the file cannot be read or used; all problems are listed.
    """
    reader = _Reader(devices)
    board = reader.file(_toml(file, devices))
    if reader.problems:
        raise AddressError(f"{file} has errors:\n  " + "\n  ".join(reader.problems))
    return board


def _toml(file: Path, devices: dict[str, str]) -> dict[str, Any]:
    try:
        toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError:
        raise AddressError(
            f"Python 3.10 needs the package tomli to read it: {package_command('tomli')}"
        ) from None
    try:
        data: dict[str, object] = toml.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise AddressError(
            f"{file}: no such file. It assigns pins to devices; create it, or name another file with "
            f"?pins=FILE. Proposal:\n{proposal(devices, kinds())}"
        ) from None
    except OSError as error:
        raise AddressError(f"{file}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise AddressError(f"{file}: {error}") from None
    return data


class _Reader:
    """Checks the content of the file, and collects the problems."""

    def __init__(self, devices: dict[str, str]) -> None:
        self.problems: list[str] = []
        self._devices = devices
        self._users: dict[str, str] = {}

    def file(self, data: dict[str, Any]) -> Wirings:
        known = ("devices", "sampling")
        self._unknown("", data, known)
        sampling = data.get("sampling", DEFAULT_SAMPLING)
        if not isinstance(sampling, int) or not 1 <= sampling <= LONGEST:
            self.problems.append(f"sampling: found {sampling!r}; expected 1 to {LONGEST} ms")
        tables = data.get("devices", {})
        if not isinstance(tables, dict) or not tables:
            self.problems.append('devices: expected a table for each device, [devices."name"]')
            return Wirings({}, DEFAULT_SAMPLING)
        parts = {name: self.device(name, table) for name, table in tables.items()}
        return Wirings({name: part for name, part in parts.items() if part is not None}, sampling)

    def device(self, name: str, table: Any) -> Part | None:
        place = f"devices.{name}"
        if name not in self._devices:
            there = ", ".join(self._devices) or "none"
            self.problems.append(
                f"{place}: the robot has no such device{closest(name, self._devices)}; available: {there}"
            )
            return None
        keys = [key for key in kinds() if isinstance(table, dict) and key in table]
        if len(keys) != 1:
            self.problems.append(f"{place}: expected one of the keys {', '.join(kinds())}")
            return None
        kind = kinds()[keys[0]]
        if self._devices[name] not in kind.TYPES:
            self.problems.append(
                f"{place}: a {self._devices[name]} cannot be wired as {keys[0]}; "
                f"that is for {', '.join(kind.TYPES)}"
            )
            return None
        self._unknown(f"{place}.", table, tuple(kind.FIELDS))
        return self._part(place, kind, table)

    def _part(self, place: str, kind: type[Part], table: dict[str, Any]) -> Part | None:
        before = len(self.problems)
        values = {key: field.default for key, field in kind.FIELDS.items()}
        for key in (key for key in table if key in kind.FIELDS):
            try:
                values[key] = kind.FIELDS[key].read(table[key])
            except WiringFieldError as error:
                self.problems.append(f"{place}.{key}: found {table[key]!r}; {error}")
        if len(self.problems) > before:
            return None
        part = kind(values)
        for pin in part.modes():
            if pin in self._users:
                self.problems.append(f"{place}: pin {pin} is already used by {self._users[pin]}")
            self._users.setdefault(pin, place)
        return part

    def _unknown(self, place: str, table: dict[str, object], known: tuple[str, ...]) -> None:
        self.problems += [
            f"{place}{key}: unknown key{closest(key, list(known))}; allowed: {', '.join(known)}"
            for key in table
            if key not in known
        ]
