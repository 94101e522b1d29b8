"""Electronic parts, as declared in the files of `firmware_templates/parts`."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.boards.drivers import Driver
from wbridge.wbfirmware.problems import Source, nearest
from wbridge.wbfirmware.template_folders import read_toml, templates_path

MOST_CURRENT = 100.0
"""A; more is a mistake."""


class PartSignal(NamedTuple):
    """The electrical properties of a pin with a signal."""

    drives: bool = False
    """True: the part sends."""
    level: float | None = None
    """V that it sends at most; None: its supply voltage."""
    high: float | None = None
    """V that it needs to receive "high"; None: any board's level is enough."""
    current: float = 0.0
    """A that the board's pin must supply."""
    advice: str = ""
    """What to do if it sends too high a voltage."""


class Part(NamedTuple):
    """A part that can be bought, with its pins."""

    name: str
    title: str
    drivers: list[str]
    symbol: str
    """Name of its drawing; see `wbridge.wbfirmware.wiring.symbols`."""
    usual: bool = False
    """True: the part of devices whose map names none."""
    supply: tuple[float, float] | None = None
    """V of its supply; None: it has none, or its supply is the board's logic voltage."""
    current: float = 0.0
    """A that one part draws from its supply."""
    per_device: bool = False
    """True: each of its devices draws this current."""
    battery: tuple[float, float] | None = None
    """V at its pins with the role "battery"."""
    note: str = ""
    pins: dict[str, str] = {}
    """Role of each pin that all devices share: supply, ground, battery."""
    channels: list[dict[str, str]] = []
    """For each device that it can serve: the driver's parameter for each pin."""
    bus: dict[str, str] = {}
    """The same for pins that all its devices share."""
    signals: dict[str, PartSignal] = {}
    """By the name of the driver's parameter."""
    inverted: dict[str, Any] = {}
    """Fields that differ for devices with `inverted = true`."""

    def signal(self, parameter: str) -> PartSignal:
        """Return the properties of the pin for a parameter."""
        return self.signals.get(parameter, PartSignal())

    def mounted(self, values: dict[str, Any]) -> Part:
        """Return the part as it is connected for a device with these values of its parameters."""
        return self._replace(**self.inverted) if values.get("inverted") else self


@cache
def parts() -> dict[str, Part]:
    """Return all parts by name, sorted."""
    return {file.stem: _load(file.stem) for file in sorted((templates_path() / "parts").glob("*.toml"))}


def _load(name: str) -> Part:
    data = read_toml((templates_path() / "parts" / f"{name}.toml").read_text(encoding="utf-8"))
    signals = {key: PartSignal(**signal) for key, signal in data.pop("signals", {}).items()}
    for key in ("supply", "battery"):
        if key in data:
            data[key] = tuple(data[key])
    return Part(name, signals=signals, **data)


def parts_for(driver: Driver) -> list[Part]:
    """Return the parts that a driver serves, the usual one first; one without a declaration gets its pins
    only."""
    fitting = [part for part in parts().values() if driver.name in part.drivers]
    needed = [
        parameter
        for parameter in driver.parameters.values()
        if parameter.kind == "pin" and not parameter.is_spare
    ]
    pins = {parameter.name: parameter.name for parameter in needed}
    plain = Part(driver.name, driver.name, [driver.name], "chip", channels=[pins])
    return sorted(fitting, key=lambda part: not part.usual) or [plain]


def read_part(
    source: Source, keys: tuple[str, ...], data: dict[str, Any], device: DeviceEntry, driver: Driver
) -> tuple[str, float | None]:
    """Return the part and the current (A) that a hardware map states for a device; record problems."""
    name, current = data.get("part", ""), data.get("current")
    known = [part.name for part in parts_for(driver)]
    if "part" in data and name not in known:
        source.wrong(
            (*keys, "part"),
            f'"{device.name}": part: found {name!r}; parts for {driver.name}: {", ".join(known)}'
            f"{nearest(str(name), known)}",
        )
        name = ""
    if current is not None and not _is_current(current):
        allowed = f"allowed: 0 to {MOST_CURRENT:g} A, for example 0.02"
        source.wrong((*keys, "current"), f'"{device.name}": current: found {current!r}; {allowed}')
        current = None
    return name, current


def _is_current(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= MOST_CURRENT
