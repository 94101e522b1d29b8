"""Drivers: what the file driver.toml of each tells."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hal.table import Device
from wbfirmware.template_folders import driver_names, read_toml, templates_path

__all__ = ["Derived", "Driver", "Parameter", "drivers", "drivers_for", "snake"]

BUS = ("sda", "scl")
"""Functions of pins that several devices may share."""


class Parameter(NamedTuple):
    """A number, pin or other thing that a driver wants to know from the hardware map."""

    name: str
    about: str
    kind: str
    """pin, number, integer, flag, choice, device, curve, axes, vector."""
    function: str = ""
    """Of a pin: input, output, change, pwm, servo, analog, sda, scl, rx, tx."""
    driver: str = ""
    """Of a device: the driver that it must have."""
    above: float | None = None
    start: float | None = None
    to: float | None = None
    at_least: str = ""
    """Name of a constant of the device that the number must reach; `at_most`: that it must not exceed."""
    at_most: str = ""
    below: str = ""
    """Name of another parameter, which must be larger; `unlike`: which must be another number."""
    unlike: str = ""
    within: str = ""
    """Of a curve: a lookup table of the device; one of the second numbers must lie in its distances."""
    seldom_over: float = 0.0
    """Times the constant `at_least`: a larger number is probably in another unit, which is said."""
    proposal: str = ""
    """Name of a constant that is a good first value."""
    default: Any = None
    """None: it has to be given."""
    choices: tuple[float, ...] = ()
    """Of a choice: the numbers that are allowed."""
    literal: str = "place"
    """Of a choice: what C takes, the "place" among the choices or the "value" itself."""
    common: str = ""
    """What has one such number for all of its devices: the second serial "line", the "part" at an address."""

    @property
    def is_shared(self) -> bool:
        """A pin that leads to a bus, at which several devices may be."""
        return self.function in BUS


class Derived(NamedTuple):
    """A number that comes from the device's own constants."""

    constant: str
    item: int | None = None
    """Which one of a list."""
    equals: str | None = None
    """A truth value: the constant is this text."""
    form: str = ""
    """What C takes: "flag" a truth value, "integer" a whole number, "colors" a list of colors."""


class Driver(NamedTuple):
    """A piece of C that serves devices."""

    name: str
    folder: Path
    about: str
    devices: list[str]
    """Types of nodes."""
    calls: list[str]
    """Which of start, stop, update, changed it has."""
    channels: dict[str, str]
    """Channels that it serves: real, int or packets."""
    parameters: dict[str, Parameter]
    constants: dict[str, Derived]
    parts: list[str]
    """Other sources of the project that it needs."""
    when: dict[str, list[Any]]
    """Constants that its devices must have."""
    best_when: dict[str, list[Any]]
    """Constants of devices for which it is the best driver; of lists the numbers of their rows count."""
    propose_to_all: bool
    """False: it is proposed only to those."""

    def fits(self, device: Device) -> bool:
        """True when it can serve a device."""
        return device.type in self.devices and all(
            device.constants.get(name) in allowed for name, allowed in self.when.items()
        )

    def is_best(self, device: Device) -> bool:
        """True when it can do more for a device than others."""
        return bool(self.best_when) and all(
            _content(device, name) in allowed for name, allowed in self.best_when.items()
        )


def _content(device: Device, name: str) -> Any:
    """A constant; of lists the number of rows. "limited": it has a least and a greatest position."""
    constants = device.constants
    if name == "limited":
        return constants.get("minPosition") != constants.get("maxPosition")
    constant = constants.get(name)
    return len(constant) if isinstance(constant, (list, tuple)) else constant


@cache
def drivers() -> dict[str, Driver]:
    """All drivers by name."""
    return {name: _load(name) for name in driver_names()}


def drivers_for(device: Device) -> list[Driver]:
    """The drivers that can serve a device, the best one first: then those for few kinds of devices."""
    found = [one for one in drivers().values() if one.fits(device)]
    return sorted(found, key=lambda one: (not one.is_best(device), not one.when, len(one.devices), one.name))


def snake(name: str) -> str:
    """A name of a channel as functions in C have it: torqueFeedback is torque_feedback."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: "_" + match[0], name).lower()


def _load(name: str) -> Driver:
    folder = templates_path() / "drivers" / name
    data = read_toml((folder / "driver.toml").read_text(encoding="utf-8"))
    return Driver(
        name,
        folder,
        data["about"],
        data["devices"],
        data["calls"],
        data["channels"],
        {key: _parameter(key, one) for key, one in data["parameters"].items()},
        {key: Derived(**one) for key, one in data.get("constants", {}).items()},
        data.get("parts", []),
        data.get("when", {}),
        data.get("best_when", {}),
        data.get("propose_to_all", True),
    )


def _parameter(name: str, data: dict[str, Any]) -> Parameter:
    start, choices = data.pop("from", None), tuple(data.pop("choices", ()))
    return Parameter(name, start=start, choices=choices, **data)
