"""The device table in firmware: numbers, sizes, and the driver of each channel."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from wbridge.hal.link.messages import Reply, Request, overhead
from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.hal.link.values import fixed_size
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.boards.drivers import snake
from wbridge.wbfirmware.map.hardware import Hardware, Wiring

MOST_SLOTS = 254
"""Slot numbers in firmware have 8 bits; 255 means none."""
KINDS = {
    "bool": ("NUMBER_BOOL", 1),
    "i32": ("NUMBER_INT", 1),
    "f32": ("NUMBER_FLOAT", 1),
    "f64": ("NUMBER_REAL", 1),
    "vec3": ("NUMBER_REAL", 3),
    "quaternion": ("NUMBER_REAL", 4),
    "image": ("NUMBER_BYTE", 1),
}
"""The C type of one number, and the numbers per element."""
VARYING = "NUMBER_VARYING"
LEAST_VALUE, MOST_VALUE = 32, 250
"""Bytes of a sensor's value: a quaternion of 8-byte reals, and the maximum of 8 bits."""


class Entry(NamedTuple):
    """A row of the table of channels."""

    channel: LinkChannel
    kind: str
    numbers: int
    driven: bool


class ServedChannel(NamedTuple):
    """A channel that a driver serves."""

    channel: LinkChannel
    driver: str
    place: int
    """Index of the device among those of its driver."""
    function: str
    type: str
    """real, int or packets: the parameter type of the driver's function."""


def indices(hardware: Hardware) -> list[tuple[Wiring, int]]:
    """Return each wiring with its index among those of its driver."""
    counts: dict[str, int] = {}
    served = []
    for wiring in hardware.wirings:
        served.append((wiring, counts.get(wiring.driver.name, 0)))
        counts[wiring.driver.name] = served[-1][1] + 1
    return served


def served(hardware: Hardware) -> list[ServedChannel]:
    """Return all channels that drivers serve, by number."""
    numbering = Numbering(hardware.table)
    entries = []
    for wiring, index in indices(hardware):
        for name, type_ in wiring.driver.channels.items():
            channel = numbering.channel(wiring.device.tag, name)
            if channel is not None:
                function = f"{wiring.driver.prefix}_{snake(name)}"
                entries.append(ServedChannel(channel, wiring.driver.name, index, function, type_))
    return sorted(entries)


def entries(hardware: Hardware) -> list[Entry]:
    """Return the table of channels. Channels without driver or command have no size: they are never sent."""
    driven = {served_channel.channel.number for served_channel in served(hardware)}
    sizes = []
    for channel in Numbering(hardware.table).channels:
        kind, numbers = KINDS.get(channel.type, (VARYING, 0))
        if channel.elements is None or channel.type not in KINDS:
            kind = VARYING
        is_driven = channel.number in driven
        is_told = is_driven or channel.direction == "act" or not hardware.flavor.drivers
        count = numbers * channel.elements if channel.elements and is_told else 0
        sizes.append(Entry(channel, kind, 0 if kind == VARYING else count, is_driven))
    return sizes


def numbers_of(channel: LinkChannel) -> int:
    """Return how many numbers a value of a channel has; 0: any."""
    _, numbers = KINDS.get(channel.type, (VARYING, 0))
    return numbers * (channel.elements or 0)


def value_bytes(hardware: Hardware) -> int:
    """Return the bytes of the longest sensor value. Values of variable size get the room of a message."""
    sensors = [
        served_channel.channel
        for served_channel in served(hardware)
        if served_channel.channel.direction == "sense"
    ]
    if all(fixed_size(sensor, hardware.link.real) is not None for sensor in sensors):
        return LEAST_VALUE
    return max(LEAST_VALUE, min(MOST_VALUE, hardware.link.message - overhead(Reply) - 2))


def sizes(hardware: Hardware, direction: str) -> Iterator[tuple[ServedChannel, int]]:
    """Iterate over the channels that drivers serve, with the maximum bytes of their entries."""
    for served_channel in served(hardware):
        size = fixed_size(served_channel.channel, hardware.link.real)
        if served_channel.channel.direction == direction:
            varying = hardware.link.message if direction == "act" else value_bytes(hardware)
            yield served_channel, (varying if size is None else size) + 2


def needs(
    table: DeviceTable, driven: Container[tuple[int, str]], real: int
) -> Iterator[tuple[LinkChannel, int]]:
    """Return the size of the message that each channel needs, in bytes.

    Args:
        table: the robot's device table.
        driven: tag and name of the channels that drivers serve; for others only commands are sent.
        real: bytes of reals.
    """
    room = {"act": overhead(Request), "sense": overhead(Reply)}
    for channel in Numbering(table).channels:
        size = fixed_size(channel, real)
        if channel.tag and channel.direction == "act":
            yield channel, (4 if size is None else size) + 2 + room["act"]
        elif channel.direction == "sense" and (channel.tag, channel.name) in driven and size is not None:
            yield channel, size + 2 + room["sense"]


def least_message(table: DeviceTable, driven: Container[tuple[int, str]], real: int) -> int:
    """Return the size of the smallest message that fits all values, in bytes; see `needs`."""
    return max((size for _, size in needs(table, driven, real)), default=0)


def too_large(hardware: Hardware) -> Iterator[str]:
    """Iterate over messages about everything too large for the link's messages or tables."""
    driven = {
        (served_channel.channel.tag, served_channel.channel.name) for served_channel in served(hardware)
    }
    for channel, size in needs(hardware.table, driven, hardware.link.real):
        if size > hardware.link.message:
            yield f"{channel.label} needs messages of {size} bytes, and they have {hardware.link.message}"
    slots = len(Numbering(hardware.table).slots)
    if slots > MOST_SLOTS:
        yield f"the robot has {slots} sampling periods; firmware allows {MOST_SLOTS}"


def is_guard(device_type: str, channel: str) -> bool:
    """Return True if motors must not move while this channel of a device has no value: a robot that relies on
    it would run into obstacles."""
    return device_type == "DistanceSensor" and channel == "value"
