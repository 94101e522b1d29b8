"""What a hardware map uses of a board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbfirmware.hardware import Hardware

__all__ = ["encoder_pins", "pins_of"]

ENCODER = "quadrature_encoder"


def pins_of(hardware: Hardware, function: str) -> list[str]:
    """Return the pins that devices use for a function, by their names on the chip."""
    return [
        _on_chip(hardware, str(wiring.values[name]))
        for wiring in hardware.wirings
        for name, parameter in wiring.driver.parameters.items()
        if parameter.function == function and wiring.values.get(name)
    ]


def encoder_pins(hardware: Hardware) -> Iterator[tuple[int, str]]:
    """Iterate over the tags of encoders that interrupts count, and their pins."""
    for wiring in hardware.wirings:
        if wiring.driver.name == ENCODER and not wiring.timer:
            for track in ("a", "b"):
                yield wiring.device.tag, _on_chip(hardware, str(wiring.values[track]))


def _on_chip(hardware: Hardware, pin: str) -> str:
    return hardware.board.names.get(pin, pin)
