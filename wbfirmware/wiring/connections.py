"""The connections of a hardware map: which pin of which part goes to which pin of the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wbridge.wbfirmware.boards.parts import Part, PartSignal, parts_for
from wbridge.wbfirmware.map.checks import users_of_pins
from wbridge.wbfirmware.map.hardware import Hardware, Wiring
from wbridge.wbfirmware.wiring.headers import GROUND, Headers, board_headers


class Connection(NamedTuple):
    """A pin of a part and where it goes."""

    pin: str
    """Name at the part."""
    board_pin: str
    """Name at the board; "" for a pin that goes to a battery."""
    device: str
    """The device that the signal belongs to; "" for pins that all devices of the part share."""
    role: str
    """signal, supply, ground, battery."""
    signal: PartSignal = PartSignal()


class PlacedPart(NamedTuple):
    """One part of the robot, with its devices."""

    part: Part
    wirings: list[Wiring]
    connections: list[Connection]
    supply: str
    """The board's pin that supplies it; "" if it needs a supply of its own, or none."""
    voltage: float
    """V of its supply; that of the board's logic for parts without supply."""
    current: float
    """A that it draws from `supply`."""

    @property
    def label(self) -> str:
        """Return the part and its devices, for messages."""
        return f"{self.part.title} ({', '.join(wiring.device.name for wiring in self.wirings)})"


class Plan(NamedTuple):
    """The wiring of a robot."""

    hardware: Hardware
    headers: Headers
    parts: list[PlacedPart]


def plan_wiring(hardware: Hardware) -> Plan:
    """Return the wiring of a hardware map: devices of the same part are joined."""
    used = list(dict.fromkeys(pin for _, _, pin in users_of_pins(hardware)))
    headers = board_headers(hardware.board, used)
    groups = _groups(hardware)
    return Plan(hardware, headers, [_placed(part, group, hardware, headers) for part, group in groups])


Slot = tuple[Wiring, dict[str, str]]
"""A device and the pins of the part's channel that serves it."""


def _groups(hardware: Hardware) -> list[tuple[Part, list[Slot]]]:
    """Return the parts with their devices, in the order of the hardware map."""
    found: list[tuple[Part, list[Slot]]] = []
    for wiring in hardware.wirings:
        part = _part_of(wiring)
        for other, slots in found:
            if other == part and (channel := _free_channel(part, slots, wiring)) is not None:
                slots.append((wiring, channel))
                break
        else:
            found.append((part, [(wiring, _free_channel(part, [], wiring) or {})]))
    return found


def _part_of(wiring: Wiring) -> Part:
    """Return the part of a device: the one that the map names, or the usual one of the driver."""
    able = parts_for(wiring.driver)
    part = next((part for part in able if part.name == wiring.part), able[0])
    return part.mounted(wiring.values)


def _free_channel(part: Part, slots: list[Slot], wiring: Wiring) -> dict[str, str] | None:
    """Return the pins of a part that can serve one more device; None if there are none."""
    if part.bus:
        return {} if all(_chip(other) == _chip(wiring) for other, _ in slots) else None
    taken = [channel for _, channel in slots]
    known = wiring.driver.parameters
    able = (
        channel
        for channel in part.channels
        if channel not in taken and all(name in known for name in channel.values())
    )
    return next(able, None)


def _chip(wiring: Wiring) -> int | str | None:
    """Return the address of the chip on a bus that a device is in, or that it is reached through; for a
    device in a chain, the chain's pin."""
    values = wiring.values
    address: int | str | None = values.get("host", values.get("address", values.get("pin")))
    return address


def _placed(part: Part, slots: list[Slot], hardware: Hardware, headers: Headers) -> PlacedPart:
    logic = hardware.board.supply
    supply = headers.supply_for(part.supply or (logic, logic), logic)
    voltage = headers.supplies[supply].voltage if supply else logic
    connections = [*_shared(part, slots[0][0], supply), *_signals(part, slots)]
    stated = [user.current for user, _ in slots if user.current is not None]
    takes = "supply" in part.pins.values() and part.supply is not None
    devices = len(slots) if part.per_device else 1
    current = max([*stated, *([] if stated else [devices * part.current])]) if takes else 0.0
    return PlacedPart(part, [user for user, _ in slots], connections, supply, voltage, current)


def _shared(part: Part, wiring: Wiring, supply: str) -> Iterator[Connection]:
    """Iterate over the pins that all devices of a part share."""
    board_pins = {"supply": supply, "ground": GROUND, "battery": ""}
    for pin, role in part.pins.items():
        yield Connection(pin, board_pins[role], "", role)
    for pin, parameter in part.bus.items():
        yield Connection(pin, wiring.values[parameter], "", "signal", part.signal(parameter))


def _signals(part: Part, slots: list[Slot]) -> Iterator[Connection]:
    """Iterate over the pins of each device."""
    for wiring, channel in slots:
        for pin, parameter in channel.items():
            signal = part.signal(parameter)
            if wiring.current is not None and "supply" not in part.pins.values() and signal.current:
                signal = signal._replace(current=wiring.current)
            yield Connection(pin, wiring.values[parameter], wiring.device.name, "signal", signal)
