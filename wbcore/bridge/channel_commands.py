"""Map channels of the device table to commands, periods and samples of simulated devices."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from struct import iter_unpack
from typing import TYPE_CHECKING, Any, TypeAlias

from wbridge.hal.catalogue import ChannelSpec, DeviceKind, kinds, period_of
from wbridge.hal.catalogue.commands import settings, values_of_command, values_of_switch
from wbridge.hal.link.values import Packet, RecognizedObject
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.wbcore.bridge.sent_pictures import RAW, SentPictures

if TYPE_CHECKING:
    from wbridge.wbcore.devices import Device

    Command: TypeAlias = tuple[str, tuple[Any, ...]]
    """Name and values, as in a device's codec."""
    Values: TypeAlias = list[tuple[str, Any]]
    """Channels of a device and their values."""

POINT = "<fffif"


def commands_of(device: Device, channel: str, value: Any) -> list[Command]:
    """Return the commands that set an `act` channel to a value; empty if the simulated device has none."""
    declared = device.entry.channel(channel)
    if declared is not None and declared.type == "packets" and device.entry.type == "Emitter":
        return [_send(device, element) for element in value]
    if declared is not None and declared.type == "commands":
        return _orders(device, value)
    make = _COMMANDS.get(device.entry.type, {}).get(channel)
    return [] if make is None else [make(device, value)]


def channels_of(device: Device, command: str, values: tuple[Any, ...]) -> Values:
    """Return the channels that a command sets, and their values: the reverse of `commands_of`."""
    setting = _SETTINGS.get(device.entry.type, {}).get(command)
    found = [] if setting is None else setting.read(values)
    return [(name, value) for name, value in found if device.entry.channel(name) is not None]


def _orders(device: Device, value: list[tuple[int, bytes]]) -> list[Command]:
    """Decode commands of the controller protocol; stop at the first invalid one."""
    found: list[Command] = []
    codec = codec_of(device.entry.type)
    for code, data in value if codec is not None else ():
        message = codec.commands.get(code)  # type: ignore[union-attr]
        try:
            values, end = message.layout.read(data, 0) if message is not None else ((), -1)
        except ProtocolError:
            end = -1
        if message is None or end != len(data):
            break
        found.append((message.name, values))
    return found


def function_name(function: str) -> str:
    """Return the command for a sampling period, given the API function, for example "wb_gps_enable"."""
    return period_of(function).command


def sample_values(device: Device, message: str, values: tuple[Any, ...]) -> Values:
    """Return the values in a message of a device, by channels of the table."""
    read = _SAMPLES.get(device.entry.type, {}).get(message)
    found = [] if read is None else read(*values)
    return [(name, value) for name, value in found if device.entry.channel(name) is not None]


def picture_values(device: Device, pixels: bytes, sent: SentPictures = RAW) -> Values:
    """Return the values in a picture of a camera, range finder or lidar, by channels of the table."""
    constants = device.entry.constants
    if device.entry.type == "Camera":
        return [("image", sent.encoded(pixels, int(constants["width"]), int(constants["height"])))]
    names = (
        ("horizontalResolution", "numberOfLayers") if device.entry.type == "Lidar" else ("width", "height")
    )
    count = 4 * math.prod(int(constants[name]) for name in names)
    ranges, points = pixels[:count], pixels[count:]
    found: Values = [("rangeImage", array("f", ranges).tolist())]
    if points:
        found.append(("pointCloud", list(iter_unpack(POINT, points))))
    return found


def _ink(device: Device, value: Any) -> Command:
    density = float(device.node.get("inkDensity"))
    return "set_ink_color", (value >> 16 & 255, value >> 8 & 255, value & 255, density)


def _ink_density(device: Device, value: Any) -> Command:
    red, green, blue = (round(255 * part) for part in device.node.get("inkColor"))
    return "set_ink_color", (red, green, blue, value)


def _send(device: Device, packet: Packet) -> Command:
    return "send", (packet.channel, float(device.node.get("range")), packet.data)


Make = Callable[[Any, Any], "Command"]
_WITH_STATE: dict[str, dict[str, Make]] = {"Pen": {"inkColor": _ink, "inkDensity": _ink_density}}
"""Channels whose command has further values, which come from the device's current state."""


def _maker(channel: ChannelSpec) -> Make:
    if len(channel.command) == 2:
        return lambda device, value: values_of_switch(channel, value)
    (name,) = channel.command
    return lambda device, value: (name, values_of_command(channel, value))


def _makers(kind: DeviceKind) -> dict[str, Make]:
    found = {
        channel.name: _maker(channel)
        for channel in kind.channels
        if channel.command and channel.type != "packets"
    }
    return found | _WITH_STATE.get(kind.name, {})


_SETTINGS = {name: settings(kind) for name, kind in kinds().items()}
_COMMANDS = {name: _makers(kind) for name, kind in kinds().items()}


def _packet(channel: int, direction: Any, strength: float, data: bytes) -> Values:
    return [("packets", [Packet(channel, bytes(data), strength, tuple(direction))])]


def _objects(objects: Any) -> Values:
    return [("objects", [RecognizedObject(*item) for item in objects])]


_BY_TYPE: dict[str, Callable[..., Values]] = {"packets": _packet, "objects": _objects}


def _to(channels: tuple[str, ...]) -> Callable[..., Values]:
    return lambda *values: list(zip(channels, values, strict=True))


def _readers(kind: DeviceKind) -> dict[str, Callable[..., Values]]:
    """Return functions that read the messages of a kind, by message name."""
    found: dict[str, Callable[..., Values]] = {}
    for message in {channel.message for channel in kind.channels if channel.message}:
        channels = [channel for channel in kind.channels if channel.message == message]
        found[message] = _BY_TYPE.get(channels[0].type) or _to(tuple(channel.name for channel in channels))
    return found


_SAMPLES = {name: _readers(kind) for name, kind in kinds().items()}
