"""The pins that a hardware map uses of a board."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbfirmware.map.hardware import Hardware

INVERTED = "inverted"
"""The flag of a switch that enables its pull-up."""


def pins_of(hardware: Hardware, function: str) -> list[str]:
    """Return the pins that devices use for a function, by their names on the chip."""
    return [
        _on_chip(hardware, str(wiring.values[name]))
        for wiring in hardware.wirings
        for name, parameter in wiring.driver.parameters.items()
        if parameter.function == function and wiring.values.get(name)
    ]


def wired_pins(hardware: Hardware) -> Iterator[str]:
    """Iterate over the pins of all devices, by their names on the chip."""
    for wiring in hardware.wirings:
        for name, parameter in wiring.driver.parameters.items():
            if parameter.kind == "pin" and wiring.values.get(name):
                yield _on_chip(hardware, str(wiring.values[name]))


def pulled_up_pins(hardware: Hardware) -> Iterator[tuple[int, str]]:
    """Iterate over the inputs that need a pull-up: tags of their devices, and pins."""
    for wiring in hardware.wirings:
        is_off = wiring.values.get(INVERTED) is False
        for name, parameter in wiring.driver.parameters.items():
            if not parameter.pull_up or wiring.timer or not wiring.values[name]:
                continue
            if parameter.is_spare or not is_off:
                yield wiring.device.tag, _on_chip(hardware, str(wiring.values[name]))


def _on_chip(hardware: Hardware, pin: str) -> str:
    return hardware.board.circuit.names.get(pin, pin)
