"""The catalogue of device kinds: which channels and constants each node type of a device has.

The declarations are data (devices.json, whose head explains its form). The simulator's device models, the
controller's functions, remote plugins, firmware and windows all follow them, so that a kind of device
is described in one place.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

__all__ = ["ChannelSpec", "Constant", "DeviceKind", "Direction", "kind", "kinds"]

DATA = Path(__file__).with_name("devices.json")

Direction = Literal["sense", "act"]
Constant = Any
"""bool, int, float, str, or lists of them (tables are lists of rows)."""


class ConstantSpec(NamedTuple):
    """A constant that each device of a kind has."""

    name: str
    type: str
    """bool, i32, f64, text, tag, or a list: f64[], i32[], text[], tag[], table."""
    source: str
    """Where its value comes from (the head of devices.json explains the forms)."""


class ChannelSpec(NamedTuple):
    """A channel that devices of a kind have; lengths may still be names of constants."""

    name: str
    direction: Direction
    """sense: from the world to the controller; act: from the controller to the world."""
    type: str
    shape: tuple[int | str, ...]
    """Lengths, outermost first; a name is a constant of the device, "*" is any number."""
    unit: str
    enable: str
    """The C function that sets the sampling period; empty for act and for what is sent when it happens."""
    when: dict[str, tuple[Constant, ...]]
    """The channel exists only if each of these constants has one of the values."""

    def exists_for(self, constants: dict[str, Constant]) -> bool:
        """True when a device with these constants has the channel."""
        return all(constants.get(name) in allowed for name, allowed in self.when.items())

    def shape_for(self, constants: dict[str, Constant]) -> tuple[int | Literal["*"], ...]:
        """The shape with the device's own lengths.

        Raises:
            KeyError: a length names a constant that the device lacks.
        """
        return tuple(
            "*" if one == "*" else one if isinstance(one, int) else int(constants[one]) for one in self.shape
        )


class DeviceKind(NamedTuple):
    """What all devices of one node type have in common."""

    name: str
    """The node type, for example "DistanceSensor"."""
    base: str
    abstract: bool
    prefix: str
    """How the names of its C functions begin, for example "wb_distance_sensor_"."""
    class_name: str
    """Its class in the object API."""
    constants: tuple[ConstantSpec, ...]
    channels: tuple[ChannelSpec, ...]

    def channel(self, name: str) -> ChannelSpec | None:
        """The channel of this name, None when there is none."""
        return next((one for one in self.channels if one.name == name), None)


@cache
def kinds() -> dict[str, DeviceKind]:
    """All kinds by node type, in the order of the catalogue; bases before what takes over from them."""
    import json  # only when the catalogue is wanted

    made: dict[str, DeviceKind] = {}
    for name, data in json.loads(DATA.read_bytes())["kinds"].items():
        made[name] = _kind(name, data, made.get(data.get("base", "")))
    return made


def kind(name: str) -> DeviceKind | None:
    """The kind of a node type, None when nodes of this type are no devices (nor robots)."""
    return kinds().get(name)


def _kind(name: str, data: dict[str, Any], base: DeviceKind | None) -> DeviceKind:
    prefix, class_name = data["api"]
    constants = tuple(ConstantSpec(n, *entry) for n, entry in data.get("constants", {}).items())
    channels = tuple(_channel(entry) for entry in data.get("channels", ()))
    return DeviceKind(
        name=name,
        base=data.get("base", ""),
        abstract=data.get("abstract", False),
        prefix=prefix,
        class_name=class_name,
        constants=(base.constants if base else ()) + constants,
        channels=(base.channels if base else ()) + channels,
    )


def _channel(data: dict[str, Any]) -> ChannelSpec:
    return ChannelSpec(
        name=data["name"],
        direction=data["direction"],
        type=data["type"],
        shape=tuple(data.get("shape", ())),
        unit=data.get("unit", ""),
        enable=data.get("enable", ""),
        when={name: tuple(allowed) for name, allowed in data.get("when", {}).items()},
    )
