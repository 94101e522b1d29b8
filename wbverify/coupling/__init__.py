"""Between a simulated robot and the pins of its board: a module per driver of firmware, of the same name.

Each has `make(wiring, board)`, which gives the wire of a device: a `Sense`, an `Act` or a `Mouth`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, cast

from wbverify.coupling.wires import Act, BoardNumbers, Maker, Mouth, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Hardware, Wiring

__all__ = ["Coupled", "uncoupled", "wires_of"]


class Coupled(NamedTuple):
    """Wires by the tags of their devices."""

    senses: dict[int, Sense]
    acts: dict[int, Act]
    mouths: dict[int, Mouth]


def wires_of(hardware: Hardware) -> Coupled:
    """New wires of all devices that are on the board.

    Drivers that have no wire here are left out; `uncoupled` names their devices.
    """
    numbers = BoardNumbers.of(hardware)
    found = Coupled({}, {}, {})
    for one in hardware.wirings:
        wire = _wire(one, numbers)
        if isinstance(wire, Act):
            found.acts[one.device.tag] = wire
        elif isinstance(wire, Mouth):
            found.mouths[one.device.tag] = wire
        elif wire is not None:
            found.senses[one.device.tag] = wire
    names = {hardware.table.all[tag].name: wire for tag, wire in found.senses.items()}
    for act in found.acts.values():
        act.meet(names)
    return found


def uncoupled(hardware: Hardware) -> dict[str, str]:
    """Why devices on the board cannot be wired to a simulation, by their names."""
    numbers, emulator = BoardNumbers.of(hardware), hardware.board.emulator
    found = {}
    for one in hardware.wirings:
        wire = _wire(one, numbers)
        if wire is None:
            found[one.device.name] = f"the driver {one.driver.name} has no counterpart in the simulation"
        elif isinstance(wire, Sense) and wire.emulators and emulator not in wire.emulators:
            found[one.device.name] = (
                f"the emulator of {hardware.board.title} has no part for the driver {one.driver.name}"
            )
    return found


def _wire(wiring: Wiring, numbers: BoardNumbers) -> Sense | Act | Mouth | None:
    """A new wire of a device; None: its driver has none."""
    name = f"{__name__}.{wiring.driver.name}"
    return None if find_spec(name) is None else cast(Maker, import_module(name)).make(wiring, numbers)
