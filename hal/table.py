"""The device table: the description of one robot's devices that simulator, real robot and firmware share.

A table lists the devices in scene-tree order. The robot itself has tag 0, the devices are numbered from 1.
The canonical JSON text of a table, and therefore its hash, does not depend on where it was created; both ends
of a link compare hashes and refuse a session if they differ.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

from wbridge.hal.catalogue import Constant

__all__ = ["Channel", "DeviceEntry", "DeviceTable", "TableError"]

Value = TypeVar("Value")
FORMAT = 1
"""Version of the JSON format."""
DIRECTIONS = ("sense", "act")
TYPES = (
    *("bool", "i32", "f32", "f64", "vec3", "quaternion", "text", "bytes"),
    *("image", "points", "targets", "objects", "packets", "commands"),
)
ANY = "*"
SHORT_HASH = 16
MAX_TAG = 65535
"""Tags are 16 bits wide in Webots' controller protocol."""


class TableError(ValueError):
    """A text is not a device table; `problems` lists all errors."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("not a device table:\n  " + "\n  ".join(problems))
        self.problems = problems


class Channel(NamedTuple):
    """A value of a device that can be read or commanded."""

    name: str
    direction: str
    """sense: from the world to the controller; act: from the controller to the world."""
    type: str
    """Type of an element: see TYPES."""
    shape: tuple[int | str, ...]
    """Lengths, outermost first; empty for a single value, "*" for any number."""
    period: str
    """The C function that sets the sampling period; empty if there is none. Channels of a device with the
    same function are sampled together."""

    @property
    def elements(self) -> int | None:
        """The number of elements, or None if it varies."""
        lengths = [length for length in self.shape if isinstance(length, int)]
        return math.prod(lengths) if len(lengths) == len(self.shape) else None


class DeviceEntry(NamedTuple):
    """A device of a robot, or the robot itself (tag 0)."""

    tag: int
    name: str
    type: str
    """The built-in node type, for example "DistanceSensor"."""
    model: str
    """The field `model`; empty for devices without it."""
    constants: dict[str, Constant]
    channels: tuple[Channel, ...]

    def channel(self, name: str) -> Channel | None:
        """The channel with a name, or None."""
        return next((channel for channel in self.channels if channel.name == name), None)


class DeviceTable(NamedTuple):
    """The devices of one robot."""

    robot: DeviceEntry
    devices: tuple[DeviceEntry, ...]
    """Device k has tag k + 1."""

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def all(self) -> tuple[DeviceEntry, ...]:
        """The robot, then its devices; element k has tag k."""
        return (self.robot, *self.devices)

    def device(self, tag: int) -> DeviceEntry | None:
        """The device with a tag, or None."""
        if tag == 0:
            return self.robot
        return self.devices[tag - 1] if 1 <= tag <= len(self.devices) else None

    def find(self, name: str) -> DeviceEntry | None:
        """The first device with a name, as for `wb_robot_get_device`, or None."""
        return next((device for device in self.devices if device.name == name), None)

    def to_data(self) -> dict[str, Any]:
        """The table as lists and dictionaries for JSON."""
        return {
            "format": FORMAT,
            "robot": _device_data(self.robot),
            "devices": [_device_data(device) for device in self.devices],
        }

    def canonical(self) -> str:
        """The canonical JSON text: ASCII, sorted keys, no spaces, numbers in their shortest form."""
        import json  # start-up: 5 ms, only where tables are written or read

        return json.dumps(self.to_data(), sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical text, 64 hexadecimal digits."""
        import hashlib  # start-up: 4 ms

        return hashlib.sha256(self.canonical().encode("ascii")).hexdigest()

    @property
    def short_hash(self) -> str:
        """The first 16 digits of the hash, for messages and links with small packets."""
        return self.hash[:SHORT_HASH]

    @classmethod
    def from_json(cls, text: str | bytes) -> DeviceTable:
        """Parse a table from JSON.

        Raises:
            TableError: the text is not JSON or not a device table; lists all errors.
        """
        import json  # start-up: see canonical

        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise TableError([f"not JSON: {error}"]) from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: object) -> DeviceTable:
        """Create a table from lists and dictionaries (see `to_data`).

        Raises:
            TableError: the data is not a device table; lists all errors.
        """
        reader = _Reader()
        table = reader.table(data)
        if reader.problems:
            raise TableError(reader.problems)
        return table


def _device_data(device: DeviceEntry) -> dict[str, object]:
    return {
        "tag": device.tag,
        "name": device.name,
        "type": device.type,
        "model": device.model,
        "constants": {name: _plain(value) for name, value in device.constants.items()},
        "channels": [
            {
                "name": c.name,
                "direction": c.direction,
                "type": c.type,
                "shape": list(c.shape),
                "period": c.period,
            }
            for c in device.channels
        ],
    }


def _plain(value: Constant) -> object:
    """A constant as JSON: integers without a decimal point, infinity and NaN as {"number": "inf"}."""
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return {"number": repr(value)}
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


class _Reader:
    """Checks data against the format of a table and collects the errors with their positions."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def table(self, whole: object) -> DeviceTable:
        data = self.keys("", whole, ("format", "robot", "devices"))
        if data.get("format") not in (None, FORMAT):
            self.wrong(
                "format", data["format"], f"{FORMAT}; the table was created by a newer version of wbridge"
            )
        robot = self.device("robot", data.get("robot", {}), 0)
        listed = self.value("devices", data.get("devices", []), list, "a list")
        if len(listed) > MAX_TAG:
            self.wrong("devices", f"{len(listed)} devices", f"at most {MAX_TAG}")
            listed = []
        devices = tuple(self.device(f"devices[{i}]", entry, i + 1) for i, entry in enumerate(listed))
        return DeviceTable(robot, devices)

    def device(self, place: str, entries: object, tag: int) -> DeviceEntry:
        data = self.keys(place, entries, DeviceEntry._fields)
        if data.get("tag", tag) != tag or isinstance(data.get("tag"), bool):
            self.wrong(f"{place}.tag", data["tag"], f"{tag}; tags number the devices in their order")
        name, type_, model = (
            self.text(f"{place}.{key}", data.get(key, "")) for key in ("name", "type", "model")
        )
        constants = self.value(f"{place}.constants", data.get("constants", {}), dict, "an object")
        channels = self.value(f"{place}.channels", data.get("channels", []), list, "a list")
        return DeviceEntry(
            tag,
            name,
            type_,
            model,
            {key: self.constant(f"{place}.constants.{key}", value) for key, value in constants.items()},
            tuple(self.channel(f"{place}.channels[{i}]", channel) for i, channel in enumerate(channels)),
        )

    def channel(self, place: str, entries: object) -> Channel:
        data = self.keys(place, entries, Channel._fields)
        shape = self.value(f"{place}.shape", data.get("shape", []), list, "a list")
        for length in shape:
            if length != ANY and (type(length) is not int or length < 0):
                self.wrong(f"{place}.shape", length, f'an integer of at least 0, or "{ANY}"')
        return Channel(
            self.text(f"{place}.name", data.get("name", "")),
            self.one_of(f"{place}.direction", data.get("direction", DIRECTIONS[0]), DIRECTIONS),
            self.one_of(f"{place}.type", data.get("type", TYPES[0]), TYPES),
            tuple(shape),
            self.text(f"{place}.period", data.get("period", "")),
        )

    def constant(self, place: str, value: object) -> Constant:
        if isinstance(value, list):
            return [self.constant(f"{place}[{i}]", element) for i, element in enumerate(value)]
        if (
            isinstance(value, dict)
            and value.keys() == {"number"}
            and value["number"] in ("inf", "-inf", "nan")
        ):
            return float(value["number"])
        if (
            isinstance(value, float)
            and not math.isfinite(value)
            or not isinstance(value, (bool, int, float, str))
        ):
            self.wrong(place, value, "true, false, a number, a text or a list of them")
            return 0
        return value

    def keys(self, place: str, data: object, wanted: tuple[str, ...]) -> dict[str, object]:
        entries: dict[str, object] = self.value(place, data, dict, "an object")
        where = f"{place}." if place else ""
        if entries is data:
            self.problems += [f"{where}{key}: is missing" for key in wanted if key not in entries]
        self.problems += [
            f"{where}{key}: unknown key; allowed: {', '.join(wanted)}" for key in entries if key not in wanted
        ]
        return entries

    def text(self, place: str, value: object) -> str:
        return self.value(place, value, str, "a text")

    def one_of(self, place: str, value: object, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            self.wrong(place, value, "one of " + ", ".join(allowed))
            return allowed[0]
        return str(value)

    def value(self, place: str, value: object, kind: type[Value], meaning: str) -> Value:
        if isinstance(value, kind):
            return value
        self.wrong(place, value, meaning)
        return kind()

    def wrong(self, place: str, found: object, allowed: str) -> None:
        shown = repr(found)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        self.problems.append(f"{place or 'the text'}: found {shown}; expected {allowed}")
