"""Drivers, as declared in their files driver.toml."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.template_folders import driver_names, read_toml, templates_path

BUS = ("sda", "scl")
"""Pin functions that several devices may share; a board has one bus, or another one for its own parts."""
CHAINED = "pixels"
"""The function of pins with a chain of devices, each at its place."""
CHANGED = "changed"
"""The function of drivers that watch pins."""
FREQUENCY = "frequency"
"""The kind and name of the parameter with the frequency of a driver's PWM pins."""
TICK = "tick"
"""The function of drivers that work in the interrupts of a timer."""


class Parameter(NamedTuple):
    """A number, pin or other setting that a driver reads from the hardware map."""

    name: str
    about: str
    kind: str
    """pin, number, integer, flag, choice, device, curve, axes, vector, frequency (of the PWM pins)."""
    function: str = ""
    """For a pin: input, output, change, pwm, servo, analog, sda, scl, rx, tx."""
    driver: str = ""
    """For a device: the driver that it must have; several are separated by spaces."""
    pull_up: bool = False
    """The driver, by default at least, switches on the pull-up of this pin."""
    position: float | None = None
    """A better value for new maps of position sensors, in rad or m."""
    above: float | None = None
    start: float | None = None
    to: float | None = None
    at_least: str = ""
    """Name of a device constant that is the minimum; `at_most`: of the maximum."""
    at_most: str = ""
    below: str = ""
    """Name of another parameter that must be larger; `unlike`: that must differ."""
    unlike: str = ""
    within: str = ""
    """For a curve: a lookup table of the device; one of the second numbers must be within its distances."""
    seldom_over: float = 0.0
    """Factor of the constant `at_least`: a larger number is reported as probably in another unit."""
    proposal: str = ""
    """Name of a constant that is a good initial value."""
    default: Any = None
    """None: the parameter is required."""
    choices: tuple[float, ...] = ()
    """For a choice: the allowed numbers."""
    literal: str = "place"
    """For a choice: the value in C, the "place" among the choices or the "value" itself."""
    needs: str = ""
    """Name of another parameter that must be set if this one differs from its default."""
    without: str = ""
    """Name of another parameter that must have its default if this one differs from its own."""
    feature: str = ""
    """The feature of the driver that it belongs to; see `Feature`."""
    field: str = ""
    """Name in C, if it differs."""
    common: str = ""
    """What shares one such number or pin among its devices: the second serial "line", the "part" at an
    address."""
    line: str = ""
    """For a pin of a matrix: "row" or "column", which several devices share."""
    unique: bool = False
    """True if no other device of the driver, at the same address, may have the number."""

    @property
    def able_drivers(self) -> list[str]:
        """For a device: the drivers of which it must have one."""
        return self.driver.split()

    @property
    def is_spare(self) -> bool:
        """True for a pin that need not be connected."""
        return self.kind == "pin" and self.default == ""

    @property
    def is_chained(self) -> bool:
        """True for a pin with a chain of devices."""
        return self.function == CHAINED

    @property
    def is_shared(self) -> bool:
        """True for a bus pin, which several devices may share."""
        return self.function in BUS


class Derived(NamedTuple):
    """A number derived from the device's constants."""

    constant: str
    item: int | None = None
    """Index if the constant is a list."""
    equals: str | None = None
    """For a truth value: the constant equals this string."""
    field: str = ""
    """Name in C, if it differs."""
    absent: float = 0.0
    """The number for devices without this constant."""
    form: str = ""
    """Form in C: "flag" a truth value, "integer" a whole number, "colors" a list of colors."""


class Feature(NamedTuple):
    """Code of a driver that is only compiled in if a device sets one of its numbers, with a constant
    such as HBRIDGE_SPEED_CONTROL."""

    parts: tuple[str, ...] = ()
    """Other source files of the project that it needs."""
    calls: tuple[str, ...] = ()
    """Further functions, as in `Driver.calls`."""
    pins: tuple[str, ...] = ()
    """Parameters whose pins a timer of the board must count; empty: a parameter switches the feature on."""


class Driver(NamedTuple):
    """A piece of C code that serves devices."""

    name: str
    folder: Path
    about: str
    devices: list[str]
    """Types of nodes."""
    calls: list[str]
    """Its functions out of start, stop, update, changed, tick."""
    channels: dict[str, str]
    """Channels that it serves: real, int or packets."""
    parameters: dict[str, Parameter]
    constants: dict[str, Derived]
    parts: list[str]
    """Other source files of the project that it needs."""
    when: dict[str, list[Any]]
    """Constants that its devices must have."""
    best_when: dict[str, list[Any]]
    """Constants of devices for which it is the best driver; for lists, the number of rows."""
    propose_to_all: bool
    """False: propose it only to those."""
    bring_up: str
    """Name of its test on a real board; see `wbridge.wbfirmware.bringup.routines`."""
    features: dict[str, Feature]
    most: int = 0
    """The maximum number of its devices on a board; 0: any."""
    row: str = ""
    """HEADER and STRUCTURE of its rows in C, if several drivers share them; "": it has its own."""
    structures: dict[str, str] = {}
    """HEADER and STRUCTURE of fields that have fields themselves, by their names in C."""
    served_by: str = ""
    """The source file of the project whose functions are those of the driver; "": it has its own."""

    @property
    def prefix(self) -> str:
        """What the names of its functions in C begin with."""
        return self.served_by or self.name

    @property
    def has_python(self) -> bool:
        """True if it also has a version for boards that run Python."""
        return (self.folder / f"{self.name}.py").is_file()

    @property
    def is_local(self) -> bool:
        """True if its devices have no channels: only a controller on the board commands them."""
        return not self.channels

    def fits(self, device: DeviceEntry) -> bool:
        """Return True if it can serve a device."""
        return device.type in self.devices and all(
            device.constants.get(name) in allowed for name, allowed in self.when.items()
        )

    def is_best(self, device: DeviceEntry) -> bool:
        """Return True if it is the best driver for a device."""
        return bool(self.best_when) and all(
            _content(device, name) in allowed for name, allowed in self.best_when.items()
        )


def _content(device: DeviceEntry, name: str) -> Any:
    """Return a constant; for lists, the number of rows. "limited": the device has position limits."""
    constants = device.constants
    if name == "limited":
        return constants.get("minPosition") != constants.get("maxPosition")
    constant = constants.get(name)
    return len(constant) if isinstance(constant, (list, tuple)) else constant


@cache
def drivers() -> dict[str, Driver]:
    """Return all drivers by name."""
    return {name: _load(name) for name in driver_names()}


def drivers_for(device: DeviceEntry) -> list[Driver]:
    """Return the drivers that can serve a device: the best one first, then those that are proposed, and of
    these the ones for fewest device types."""

    def rank(driver: Driver) -> tuple[bool, bool, bool, int, str]:
        return (
            not driver.is_best(device),
            not driver.when,
            not driver.propose_to_all,
            len(driver.devices),
            driver.name,
        )

    return sorted((driver for driver in drivers().values() if driver.fits(device)), key=rank)


def snake(name: str) -> str:
    """Convert a channel name to a C name: torqueFeedback becomes torque_feedback."""
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
        {key: _parameter(key, parameter) for key, parameter in data["parameters"].items()},
        {key: Derived(**constant) for key, constant in data.get("constants", {}).items()},
        data.get("parts", []),
        data.get("when", {}),
        data.get("best_when", {}),
        data.get("propose_to_all", True),
        data.get("bring_up", "values"),
        {
            key: Feature(*(tuple(feature.get(part, ())) for part in Feature._fields))
            for key, feature in data.get("features", {}).items()
        },
        data.get("most", 0),
        data.get("row", ""),
        data.get("structures", {}),
        data.get("served_by", ""),
    )


def _parameter(name: str, data: dict[str, Any]) -> Parameter:
    start, choices = data.pop("from", None), tuple(data.pop("choices", ()))
    return Parameter(name, start=start, choices=choices, **data)
