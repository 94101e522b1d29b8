"""Between a simulated robot and the pins of its board: a module per driver of firmware, of the same name.

Each has `make(wiring, board)`, which gives the wire of a device: a `Sense` or an `Act`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from wbridge.coupling.wires import Act, BoardNumbers, Maker, Sense

if TYPE_CHECKING:
    from hal.firmware.hardware import Hardware, Wiring

__all__ = ["uncoupled", "wires_of"]


def wires_of(hardware: Hardware) -> tuple[dict[int, Sense], dict[int, Act]]:
    """New wires of all devices that are on the board, by tag: those of sensors, those of actors.

    Drivers that have no wire here are left out; `uncoupled` names their devices.
    """
    numbers = BoardNumbers.of(hardware)
    senses: dict[int, Sense] = {}
    acts: dict[int, Act] = {}
    for one in hardware.wirings:
        wire = _wire(one, numbers)
        if isinstance(wire, Act):
            acts[one.device.tag] = wire
        elif wire is not None:
            senses[one.device.tag] = wire
    return senses, acts


def uncoupled(hardware: Hardware, exact: bool = False) -> list[str]:
    """Devices on the board whose drivers have no wire for it: name and driver, for people.

    Args:
        hardware: the hardware map.
        exact: count those, too, of which it is not known bit for bit what the controller reads.
    """
    numbers = BoardNumbers.of(hardware)
    found = []
    for one in hardware.wirings:
        wire = _wire(one, numbers)
        lacks = isinstance(wire, Sense) and wire.emulators and hardware.board.emulator not in wire.emulators
        is_vague = exact and isinstance(wire, Sense) and not wire.is_exact
        if wire is None or lacks or is_vague:
            found.append(f'"{one.device.name}" ({one.driver.name})')
    return found


def _wire(wiring: Wiring, numbers: BoardNumbers) -> Sense | Act | None:
    """A new wire of a device; None: its driver has none."""
    name = f"{__name__}.{wiring.driver.name}"
    return None if find_spec(name) is None else cast(Maker, import_module(name)).make(wiring, numbers)
