"""Checks of a hardware map that look at more than one value: pins, timers, devices that others name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hal.firmware.drivers import Parameter
from hal.firmware.problems import Source, nearest

if TYPE_CHECKING:
    from hal.firmware.hardware import Hardware, Wiring

__all__ = ["check_pins", "check_references", "users_of_pins"]

Use = tuple["Wiring", Parameter, str]


def users_of_pins(hardware: Hardware) -> Iterator[Use]:
    """Every use of a pin: device, parameter, name of the pin."""
    for wiring in hardware.wirings:
        for name, one in wiring.driver.parameters.items():
            if one.kind == "pin" and name in wiring.values:
                yield wiring, one, wiring.values[name]


def check_pins(source: Source, hardware: Hardware) -> None:
    """No pin is used twice, and no timer is asked for two things."""
    used: dict[str, Use] = {}
    timers: dict[str, Use] = {}
    for use in users_of_pins(hardware):
        wiring, one, pin = use
        what = f'"{wiring.device.name}": {one.name}: {pin}'
        if pin in used:
            source.wrong(
                (*wiring.keys, one.name),
                f"{what} is already used by {_label(used[pin])}; free are {_free(hardware, one.function)}",
            )
        used.setdefault(pin, use)
        timer = hardware.board.pins[pin].get(one.function, "")
        first = timers.setdefault(timer, use)
        if timer and first[1].function != one.function:
            source.wrong(
                (*wiring.keys, one.name),
                f"{what} needs timer {timer} for {_pulses(one)}, but {_label(first)} ({first[2]}) needs it "
                f"for {_pulses(first[1])}; a timer makes one of them",
            )


def _pulses(one: Parameter) -> str:
    return "servo pulses" if one.function == "servo" else "PWM"


def _label(use: Use) -> str:
    return f'"{use[0].device.name}": {use[1].name}'


def _free(hardware: Hardware, function: str) -> str:
    taken = {pin for _, _, pin in users_of_pins(hardware)}
    free = [pin for pin in hardware.board.able(function) if pin not in taken]
    return ", ".join(free) or "none"


def check_references(source: Source, hardware: Hardware) -> None:
    """Devices that other devices name exist and have the driver that is needed."""
    for wiring in hardware.wirings:
        for name, one in wiring.driver.parameters.items():
            if one.kind == "device" and wiring.values.get(name):
                _check_reference(source, hardware, wiring, one)


def _check_reference(source: Source, hardware: Hardware, wiring: Wiring, one: Parameter) -> None:
    wanted = wiring.values[one.name]
    able = [other.device.name for other in hardware.wirings if other.driver.name == one.driver]
    if wanted not in able:
        listed = ", ".join(f'"{other}"' for other in able) or "none"
        source.wrong(
            (*wiring.keys, one.name),
            f'"{wiring.device.name}": {one.name}: found "{wanted}"; expected is a device with the driver '
            f"{one.driver}: {listed}{nearest(wanted, able)}",
        )
