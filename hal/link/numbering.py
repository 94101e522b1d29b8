"""Numbers for the channels and sampling periods of a device table, as the robot link names them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from wbridge.hal.link.errors import MessageError
from wbridge.hal.table import DeviceTable

HASH_BYTES = 8
"""Bytes of a table's hash that the two ends compare: its first 16 hexadecimal digits."""
MAX_NUMBER = 0x7FFF
"""Maximum number of a channel or slot: the highest of 16 bits distinguishes them."""


class LinkChannel(NamedTuple):
    """A channel with its number."""

    number: int
    """Its place among all channels: those of the robot first, then device by device, as in the table."""
    tag: int
    device: str
    """Name of the device."""
    name: str
    direction: str
    type: str
    elements: int | None
    """Number of values of its type; None when it varies from message to message."""
    single: bool
    """Its value stands alone and not in a list."""
    slot: int | None
    """Number of its sampling period; None when it has none."""

    @property
    def label(self) -> str:
        """For people: device and channel."""
        return f"{self.device}.{self.name}"


class Slot(NamedTuple):
    """A sampling period, which channels of one device share."""

    number: int
    """Its place among all slots, in the order in which the table names them first."""
    tag: int
    device: str
    function: str
    """The function that sets it, for example "wb_gps_enable"."""
    channels: tuple[int, ...]


class Numbering:
    """The channels and sampling periods of one device table, by number."""

    def __init__(self, table: DeviceTable) -> None:
        """
        Raises:
            MessageError: the table has more channels than numbers.
        """
        self.table = table
        self.channels: list[LinkChannel] = []
        self.slots: list[Slot] = []
        slots: dict[tuple[int, str], int] = {}
        for device in table.all:
            for channel in device.channels:
                slot = slots.setdefault((device.tag, channel.period), len(slots)) if channel.period else None
                number, single = len(self.channels), not channel.shape
                self.channels.append(
                    LinkChannel(
                        *(number, device.tag, device.name, channel.name, channel.direction, channel.type),
                        *(channel.elements, single, slot),
                    )
                )
        if len(self.channels) > MAX_NUMBER + 1:
            raise MessageError(
                f"the robot has {len(self.channels)} channels; the robot link allows {MAX_NUMBER + 1}"
            )
        for (tag, function), number in slots.items():
            members = tuple(c.number for c in self.channels if c.tag == tag and c.slot == number)
            self.slots.append(Slot(number, tag, table.all[tag].name, function, members))
        self._by_name = {(c.tag, c.name): c for c in self.channels}
        self._slot_by_name = {(s.tag, s.function): s for s in self.slots}

    @cached_property
    def hash(self) -> bytes:
        """The first bytes of the table's hash."""
        return bytes.fromhex(self.table.hash)[:HASH_BYTES]

    def channel(self, tag: int, name: str) -> LinkChannel | None:
        """The channel with a name of the device with a tag (0: the robot), or None."""
        return self._by_name.get((tag, name))

    def slot(self, tag: int, function: str) -> Slot | None:
        """The sampling period that a function sets for a device, or None."""
        return self._slot_by_name.get((tag, function))
