"""Variables of the template devices.c: what the controller on a board can access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.hal.protocol.node_types import NODES
from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.boards.drivers import snake
from wbridge.wbfirmware.literals import c_comment, c_number, c_string
from wbridge.wbfirmware.map import channels
from wbridge.wbfirmware.map.api import ApiKind, api_kinds, devices_of
from wbridge.wbfirmware.map.hardware import Hardware

NO_INDEX = "NO_INDEX"
MOST_ACTS, MOST_REACHED, MOST_NUMBERS, MOST_NAME = 127, 254, 255, 250
"""Indices have 8 bits on boards, those of commands 7; name lengths have 8 bits."""
PACKETS = "packets"
"""A type whose values vary in size and that controllers can access."""


class ReachableChannel(NamedTuple):
    """A channel that the controller can access."""

    channel: int
    """Number in the robot link."""
    tag: int
    name: str
    label: str
    kind: str
    numbers: int
    at: int
    """Index of its first number among all."""
    period: int | None
    """Index of its sampling period among those accessed."""


def reached_channels(hardware: Hardware) -> tuple[list[ReachableChannel], list[int]]:
    """Return the channels that a controller can access, settable ones first, and the slots of their
    periods."""
    wanted = {
        (device.tag, name)
        for kind in api_kinds().values()
        for device in devices_of(kind, hardware)
        for names in kind.channels.values()
        for name in names
    }
    served = [served_channel.channel for served_channel in channels.served(hardware)]
    able = [channel for channel in served if (channel.tag, channel.name) in wanted and _is_able(channel)]
    ordered = sorted(able, key=lambda channel: (channel.direction != "act", channel.number))
    slots = sorted({channel.slot for channel in ordered if channel.slot is not None})
    found, at = [], 0
    for channel in ordered:
        kind, numbers = channels.KINDS.get(channel.type, (channels.VARYING, 0))
        count = numbers * (channel.elements or 0)
        period = None if channel.slot is None else slots.index(channel.slot)
        found.append(
            ReachableChannel(
                channel.number, channel.tag, channel.name, channel.label, kind, count, at, period
            )
        )
        at += count
    return found, slots


def too_many(hardware: Hardware) -> Iterator[str]:
    """Iterate over messages about limits that the controller's devices exceed."""
    reached, _ = reached_channels(hardware)
    acts = {channel.number for channel in Numbering(hardware.table).channels if channel.direction == "act"}
    counts = {
        "commands": (sum(entry.channel in acts for entry in reached), MOST_ACTS),
        "commands and sensors": (len(reached), MOST_REACHED),
        "numbers": (sum(entry.numbers for entry in reached), MOST_NUMBERS),
    }
    for what, (count, most) in counts.items():
        if count > most:
            yield f"the devices on the board have {count} {what}, and a controller there can use {most}"
    for entry in hardware.table.all:
        if len(entry.name.encode()) > MOST_NAME:
            yield f'the name "{entry.name[:20]}..." has more than {MOST_NAME} bytes'


def _is_able(channel: LinkChannel) -> bool:
    """Return True for a channel whose value controllers on a board can set or read."""
    return channel.type == PACKETS or (channel.type in channels.KINDS and bool(channel.elements))


def controller_words(hardware: Hardware) -> dict[str, Any]:
    """Return the variables of the templates."""
    reached, slots = reached_channels(hardware)
    acts = {channel.number for channel in Numbering(hardware.table).channels if channel.direction == "act"}
    places = {(entry.tag, entry.name): place for place, entry in enumerate(reached)}
    kinds = [
        {"key": kind.key, "rows": [_row(kind, device, places) for device in devices_of(kind, hardware)]}
        for kind in api_kinds().values()
        if kind.devices
    ]
    return {
        "reached": [
            {**entry._asdict(), "label": c_comment(entry.label), "period": _or_none(entry.period)}
            for entry in reached
        ],
        "acts": sum(entry.channel in acts for entry in reached),
        "numbers": sum(entry.numbers for entry in reached),
        "periods": slots,
        "devices": [_device(device, hardware) for device in hardware.table.all],
        "longest_name": max(len(entry.name.encode()) for entry in hardware.table.all),
        "kinds": kinds,
    }


def _or_none(place: int | None) -> int | str:
    return NO_INDEX if place is None else place


def _device(device: DeviceEntry, hardware: Hardware) -> dict[str, Any]:
    for kind in api_kinds().values():
        if device.type in kind.devices:
            mine = devices_of(kind, hardware)
            place = mine.index(device) if device in mine else "NO_DEVICE"
            key = f"DEVICE_{kind.key.upper()}"
            break
    else:
        key, place = "0", "NO_DEVICE"
    node = NODES.index(device.type) if device.type in NODES else 0
    return {"kind": key, "place": place, "node": node, "name": c_string(device.name)}


def _row(kind: ApiKind, device: DeviceEntry, places: dict[tuple[int, str], int]) -> dict[str, Any]:
    fields: list[tuple[str, object]] = []
    for field, names in kind.channels.items():
        numbers = [places[device.tag, name] for name in names if (device.tag, name) in places]
        fields.append((field, numbers[0] if numbers else NO_INDEX))
    for field, names_ in kind.constants.items():
        values = [device.constants[name] for name in names_.split("|") if name in device.constants]
        fields.append((field, c_number(values[0] if values else 0)))
    for constant, texts in kind.choices.items():
        value = device.constants.get(constant)
        fields.append((_field(constant), texts.index(value) if value in texts else 0))
    for field, constant in kind.flags.items():
        fields.append((field, "true" if device.constants.get(constant) else "false"))
    return {"name": c_comment(device.name), "fields": fields}


def _field(constant: str) -> str:
    """Return a constant's name as a C structure member."""
    return snake(constant)
