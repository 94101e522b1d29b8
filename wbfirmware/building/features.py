"""Features of drivers that are only compiled in if the hardware map uses them."""

from __future__ import annotations

from collections.abc import Iterable

from wbridge.wbfirmware.boards.drivers import CHANGED, Driver
from wbridge.wbfirmware.map.hardware import Hardware, Wiring


def features_of(wirings: Iterable[Wiring], driver: Driver) -> list[str]:
    """Return the features of a driver that a device uses, sorted: it sets a number, or a timer counts it."""
    own = [wiring for wiring in wirings if wiring.driver is driver]
    timed = {
        name for name, feature in driver.features.items() if feature.pins and any(each.timer for each in own)
    }
    return sorted(
        timed
        | {
            parameter.feature
            for wiring in own
            for name, parameter in driver.parameters.items()
            if parameter.feature
            and parameter.kind in ("number", "pin")
            and wiring.values.get(name, parameter.default) != parameter.default
        }
    )


def calls_of(hardware: Hardware, driver: Driver) -> list[str]:
    """Return the functions of a driver that the robot calls."""
    used = features_of(hardware.wirings, driver)
    return [*driver.calls, *(call for name in used for call in driver.features[name].calls)]


def has_call(hardware: Hardware, wiring: Wiring, name: str) -> bool:
    """Return True if the robot calls a function of a driver for one of its devices. One that a timer counts
    watches no pins."""
    driver = wiring.driver
    timed = {call for feature in driver.features.values() if feature.pins for call in feature.calls}
    if wiring.timer is None:
        return name in calls_of(hardware, driver) and name not in timed
    return name in calls_of(hardware, driver) and name != CHANGED


def parts_of(hardware: Hardware, driver: Driver) -> list[str]:
    """Return the other source files of the project that a driver needs."""
    used = features_of(hardware.wirings, driver)
    return [*driver.parts, *(part for name in used for part in driver.features[name].parts)]


def absent_parts(hardware: Hardware, drivers: Iterable[Driver]) -> set[str]:
    """Return the source files that only unused features need."""
    known = list(drivers)
    needed = {part for driver in known for part in parts_of(hardware, driver)}
    return {
        part for driver in known for feature in driver.features.values() for part in feature.parts
    } - needed


def constants_of(hardware: Hardware, drivers: Iterable[Driver]) -> list[str]:
    """Return the C constants that switch features on."""
    return [
        f"{driver.name}_{feature}".upper()
        for driver in drivers
        for feature in features_of(hardware.wirings, driver)
    ]
