"""The catalogue of device kinds: the channels and constants of each device type.

The declarations are data (devices.json, which documents its format at the top). The simulator's device
models, the API functions, remote-control plugins, firmware and robot windows use them, so that each kind of
device is described in one place.
"""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

__all__ = [
    "ChannelSpec",
    "Constant",
    "ConstantSpec",
    "DeviceKind",
    "Direction",
    "PeriodSpec",
    "actuators",
    "kind",
    "kinds",
    "period_of",
    "words_of",
]

DATA = Path(__file__).with_name("devices.json")

MOTIONS = ("linear", "rotational")
"""Values of the constant `type` of joint devices, in the order of the alternatives in a unit."""
Direction = Literal["sense", "act"]
Constant = Any
"""bool, int, float, str, or lists of these (tables are lists of rows)."""


class ConstantSpec(NamedTuple):
    """A constant of all devices of a kind."""

    name: str
    type: str
    """bool, i32, f64, text, tag, or a list: f64[], i32[], text[], tag[], table."""
    source: str
    """Source of its value (see the top of devices.json)."""
    wire: str = ""
    """Its names in the codec's message "constants", if different, and for a string that is sent as a number
    the allowed values in order: "type: bumper force force-3d"."""

    @property
    def wire_names(self) -> tuple[str, ...]:
        """Names of its values in the message "constants"."""
        return tuple(self.wire.partition(":")[0].split())

    @property
    def words(self) -> tuple[str, ...]:
        """The allowed values of a string that is sent as a number; empty for other constants."""
        return tuple(self.wire.partition(":")[2].split())

    def wire_value(self, value: Constant) -> Constant:
        """The value in the message; an unknown string counts as the first allowed value."""
        words = self.words
        return (words.index(value) if value in words else 0) if words else value


class ChannelSpec(NamedTuple):
    """A channel of the devices of a kind; lengths may be names of constants."""

    name: str
    direction: Direction
    """sense: from the world to the controller; act: from the controller to the world."""
    type: str
    shape: tuple[int | str, ...]
    """Lengths, outermost first; a name is a constant of the device, "*" is any number."""
    unit: str
    enable: str
    """The C function that sets the sampling period; empty for "act" channels and for events."""
    when: dict[str, tuple[Constant, ...]]
    """The channel exists only if each of these constants has one of the values."""
    command: tuple[str, ...] = ()
    """act: the codec's command that sets it; two commands (on, off) for a switch without values."""
    fields: tuple[str, ...] = ()
    """act: its values in the command, if the command has several."""
    message: str = ""
    """sense: the codec's message that contains it. Channels of a message are in the order of its values."""
    get: str = ""
    """sense: the API function that reads it, without the prefix of the kind."""
    plugin: str = ""
    """act: the method of remote-control plugins that sets it; "" if there is none."""
    range: tuple[float | str, ...] = ()
    """Minimum and maximum: numbers, or constants ("-maxVelocity", "maxTorque|maxForce")."""
    label: str = ""
    """Label of the value, for example "damping constant"."""

    def exists_for(self, constants: dict[str, Constant]) -> bool:
        """True if a device with these constants has the channel."""
        return all(constants.get(name) in allowed for name, allowed in self.when.items())

    def shape_for(self, constants: dict[str, Constant]) -> tuple[int | Literal["*"], ...]:
        """The shape with the lengths of a device.

        Raises:
            KeyError: a length names a constant that the device lacks.
        """
        return tuple(
            "*" if index == "*" else index if isinstance(index, int) else int(constants[index])
            for index in self.shape
        )

    def range_for(self, constants: dict[str, Constant]) -> tuple[float, float] | None:
        """The minimum and maximum for a device with these constants; None if unlimited."""
        if not self.range:
            return None
        low, high = (_limit(limit, constants) for limit in self.range)
        return (low, high) if low < high else None

    def unit_for(self, motion: str) -> str:
        """The unit; for "m or rad" the one that applies to a "linear" or "rotational" motion."""
        options = self.unit.split(" or ")
        return options[MOTIONS.index(motion)] if len(options) > 1 and motion in MOTIONS else self.unit


class PeriodSpec(NamedTuple):
    """The command and plugin method that set a sampling period."""

    command: str = "enable"
    """Command of the codec."""
    plugin: str = "set_sampling_period"
    """Method of remote-control plugins; "" if there is none."""


class DeviceKind(NamedTuple):
    """A kind of device: the common properties of the devices of a node type."""

    name: str
    """The node type, for example "DistanceSensor"."""
    base: str
    abstract: bool
    prefix: str
    """Prefix of its C functions, for example "wb_distance_sensor_"."""
    class_name: str
    """Its class in the object API."""
    constants: tuple[ConstantSpec, ...]
    channels: tuple[ChannelSpec, ...]
    actuator: str = ""
    """Its controls in a robot window: "motor", "light" or "switch"; "" for none."""
    remote: bool = True
    """True if its commands go to a remote-control plugin; False if always to the simulation."""
    periods: dict[str, PeriodSpec] = {}
    """Exceptional sampling periods by C function; `period` also returns the usual ones."""

    def period(self, function: str) -> PeriodSpec:
        """The command and plugin method for an API function that sets a sampling period."""
        return self.periods.get(function, PeriodSpec())

    def motion(self, constants: dict[str, Constant]) -> str:
        """The motion of a device with these constants: "linear", "rotational", or "" if unknown."""
        found = constants.get("type")
        if found not in MOTIONS:
            found = next((constant.source[1:] for constant in self.constants if constant.name == "type"), "")
        return found if found in MOTIONS else ""

    def channel(self, name: str) -> ChannelSpec | None:
        """The channel with a name, or None."""
        return next((channel for channel in self.channels if channel.name == name), None)


@cache
def kinds() -> dict[str, DeviceKind]:
    """All kinds by node type, in the order of the catalogue; bases before derived kinds."""
    import json  # start-up: 5 ms, controllers do not read the catalogue

    made: dict[str, DeviceKind] = {}
    for name, data in json.loads(DATA.read_bytes())["kinds"].items():
        made[name] = _kind(name, data, made.get(data.get("base", "")))
    return made


def kind(name: str) -> DeviceKind | None:
    """The kind of a node type, or None for nodes other than devices and robots."""
    return kinds().get(name)


def actuators() -> dict[str, str]:
    """The kinds with controls in robot windows (see `DeviceKind.actuator`)."""
    return {name: kind.actuator for name, kind in kinds().items() if kind.actuator and not kind.abstract}


def words_of(node_type: str, constant: str) -> tuple[str, ...]:
    """The allowed values of a string constant of a kind, in the order of their numbers."""
    return next(
        constant_spec.words
        for constant_spec in kinds()[node_type].constants
        if constant_spec.name == constant
    )


@cache
def period_of(function: str) -> PeriodSpec:
    """The command and plugin method for an API function that sets a sampling period ("wb_gps_enable")."""
    found = (kind.periods[function] for kind in kinds().values() if function in kind.periods)
    return next(found, PeriodSpec())


def _limit(limit: float | str, constants: dict[str, Constant]) -> float:
    if not isinstance(limit, str):
        return limit
    names = limit.removeprefix("-").split("|")
    value = next((float(constants[name]) for name in names if name in constants), math.inf)
    return -value if limit.startswith("-") else value


def _kind(name: str, data: dict[str, Any], base: DeviceKind | None) -> DeviceKind:
    prefix, class_name = data["api"]
    constants = tuple(ConstantSpec(n, *entry) for n, entry in data.get("constants", {}).items())
    # The plugin interface calls the force of a rotational motor a torque.
    force = data.get("force", "force")
    inherited = tuple(_renamed(channel, force) for channel in base.channels) if base else ()
    channels = tuple(_channel(entry, prefix) for entry in data.get("channels", ()))
    periods = {function: PeriodSpec(*entry) for function, entry in data.get("periods", {}).items()}
    return DeviceKind(
        name=name,
        base=data.get("base", ""),
        abstract=data.get("abstract", False),
        prefix=prefix,
        class_name=class_name,
        constants=(base.constants if base else ()) + constants,
        channels=inherited + channels,
        actuator=data.get("actuator", base.actuator if base else ""),
        remote=data.get("remote", base.remote if base else True),
        periods=(base.periods if base else {}) | periods,
    )


def _renamed(channel: ChannelSpec, force: str) -> ChannelSpec:
    return channel._replace(
        plugin=channel.plugin.replace("force", force), label=channel.label.replace("force", force)
    )


def _channel(data: dict[str, Any], prefix: str) -> ChannelSpec:
    command = tuple(data.get("command", ()))
    plugin = prefix.removeprefix("wb_") + command[0] if command else ""
    return ChannelSpec(
        name=data["name"],
        direction=data["direction"],
        type=data["type"],
        shape=tuple(data.get("shape", ())),
        unit=data.get("unit", ""),
        enable=data.get("enable", ""),
        when={name: tuple(allowed) for name, allowed in data.get("when", {}).items()},
        command=command,
        fields=tuple(data.get("fields", ())),
        message=data.get("message", ""),
        get=data.get("get", ""),
        plugin=data.get("plugin", plugin),
        range=tuple(data.get("range", ())),
        label=data.get("label", re.sub("[A-Z]", lambda letter: " " + letter[0].lower(), data["name"])),
    )
