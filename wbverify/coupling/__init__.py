"""Couplings between a simulated robot and the pins of its board: one module per firmware driver, with its
name.

Each has `make(wiring, board)`, which returns the coupling of a device: a `SensorCoupling`, an
`ActuatorCoupling`, a `PacketOutput` or a `PictureOutput`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, cast

from wbridge.wbfirmware.map.hardware import Hardware, Wiring
from wbridge.wbverify.coupling.couplings import (
    ActuatorCoupling,
    BoardNumbers,
    CouplingModule,
    PacketOutput,
    PictureOutput,
    SensorCoupling,
)

if TYPE_CHECKING:
    from wbridge.wbverify.coupling.couplings import Coupling

__all__ = ["Couplings", "uncoupled", "couplings_of"]


class Couplings(NamedTuple):
    """Couplings by the tags of their devices."""

    sensors: dict[int, SensorCoupling]
    actuators: dict[int, ActuatorCoupling]
    packet_outputs: dict[int, PacketOutput]
    pictures: dict[int, PictureOutput]


def couplings_of(hardware: Hardware) -> Couplings:
    """Return new couplings of all devices on the board.

    Drivers without a coupling are skipped; `uncoupled` lists their devices.
    """
    numbers = BoardNumbers.of(hardware)
    couplings = Couplings({}, {}, {}, {})
    for wiring in hardware.wirings:
        wire = _coupling(wiring, numbers)
        if isinstance(wire, ActuatorCoupling):
            couplings.actuators[wiring.device.tag] = wire
        elif isinstance(wire, PacketOutput):
            couplings.packet_outputs[wiring.device.tag] = wire
        elif isinstance(wire, PictureOutput):
            couplings.pictures[wiring.device.tag] = wire
        elif wire is not None:
            couplings.sensors[wiring.device.tag] = wire
    names = {hardware.table.all[tag].name: wire for tag, wire in couplings.sensors.items()}
    for act in couplings.actuators.values():
        act.connect_sensors(names)
    for sense in couplings.sensors.values():
        sense.connect_sensors(names)
    return couplings


def uncoupled(hardware: Hardware) -> dict[str, str]:
    """Return why devices on the board cannot be coupled to a simulation, by device name."""
    numbers, emulator = BoardNumbers.of(hardware), hardware.board.emulator
    parts = {}
    for wiring in hardware.wirings:
        wire = _coupling(wiring, numbers)
        if wire is None:
            parts[wiring.device.name] = (
                f"the driver {wiring.driver.name} has no counterpart in the simulation"
            )
        elif not isinstance(wire, PacketOutput) and wire.emulators and emulator not in wire.emulators:
            parts[wiring.device.name] = (
                f"the emulator of {hardware.board.title} has no part for the driver {wiring.driver.name}"
            )
    return parts


def _coupling(wiring: Wiring, numbers: BoardNumbers) -> Coupling | None:
    """Return a new coupling of a device; None if its driver has none."""
    name = f"{__name__}.{wiring.driver.name}"
    return (
        None if find_spec(name) is None else cast(CouplingModule, import_module(name)).make(wiring, numbers)
    )
