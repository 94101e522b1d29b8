"""Between a simulated robot and the pins of its board: a module per driver of firmware, of the same name.

Each has `make(wiring, board)`, which gives the wire of a device: a `Sense` or an `Act`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from wbridge.coupling.wires import Act, BoardNumbers, Maker, Sense

if TYPE_CHECKING:
    from hal.firmware.hardware import Hardware

__all__ = ["uncoupled", "wires_of"]


def wires_of(hardware: Hardware) -> tuple[dict[int, Sense], dict[int, Act]]:
    """New wires of all devices that are on the board, by tag: those of sensors, those of actors.

    Drivers that have no wire here are left out; `uncoupled` names their devices.
    """
    numbers = BoardNumbers.of(hardware)
    senses: dict[int, Sense] = {}
    acts: dict[int, Act] = {}
    for one in hardware.wirings:
        if not _is_known(one.driver.name):
            continue
        maker = cast(Maker, import_module(f"{__name__}.{one.driver.name}"))
        wire = maker.make(one, numbers)
        if isinstance(wire, Act):
            acts[one.device.tag] = wire
        else:
            senses[one.device.tag] = wire
    return senses, acts


def uncoupled(hardware: Hardware) -> list[str]:
    """Devices on the board whose drivers have no wire here: name and driver, for people."""
    return [
        f'"{one.device.name}" ({one.driver.name})'
        for one in hardware.wirings
        if not _is_known(one.driver.name)
    ]


def _is_known(driver: str) -> bool:
    return find_spec(f"{__name__}.{driver}") is not None
