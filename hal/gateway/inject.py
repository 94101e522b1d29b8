"""Inject channel values into the controller's devices."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import Any

from wbridge.hal.catalogue import ChannelSpec, DeviceKind, kind
from wbridge.hal.gateway.host import (
    KEPT,
    PICTURE,
    SEGMENTS,
    PictureDevice,
    RemoteDevice,
    RemoteHost,
)
from wbridge.hal.protocol.received_picture import received_pixels

BGRA = 6
POINT = struct.Struct("<fffif")
"""A point of a cloud: x, y, z, layer, time."""
Put = Callable[[RemoteHost, Any, Any], None]
"""Gives a value to a device of the host."""


def inject(host: RemoteHost, tag: int, channel: str, value: Any) -> None:
    """Inject a value of a channel for the controller.

    Raises:
        KeyError: the device does not exist, or the channel accepts no values.
        ValueError: a picture has another size, or cannot be decoded.
    """
    if tag == 0:
        message, convert = _ROBOT[channel]
        host.deliver(0, message, (convert(value),))
        return
    device = host.devices.device(tag)
    if device is None:
        raise KeyError(f"no device has the tag {tag}")
    accepted = _accepted(device.node_type)
    if channel not in accepted:
        known = ", ".join(sorted(accepted)) or "none"
        raise KeyError(f'the channel "{channel}" of {device.node_type} accepts no values; allowed: {known}')
    accepted[channel](host, device, value)


def show_blank(host: RemoteHost, tag: int) -> None:
    """Show what an image device shows before its first picture, as in a simulation, if there is none yet."""
    device = host.devices.device(tag)
    blank = None if device is None else _BLANKS.get(device.node_type)
    if blank is not None and host.picture(tag) is None:
        host.deliver_picture(tag, PICTURE, blank(device))


def _vector(value: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = value
    return float(x), float(y), float(z)


def _image(host: RemoteHost, device: PictureDevice, value: bytes) -> None:
    host.deliver_picture(device.tag, PICTURE, received_pixels(bytes(value), device.width, device.height))


def _segments(host: RemoteHost, device: PictureDevice, value: bytes) -> None:
    host.deliver_picture(device.tag, SEGMENTS, bytes(value))


def _saved(host: RemoteHost, device: RemoteDevice, value: Sequence[Any]) -> None:
    id_, width, height, pixels = value
    host.deliver(device.tag, "image", (id_, width, height, BGRA, bytes(pixels)))


def _ranges(host: RemoteHost, device: PictureDevice, value: Sequence[float]) -> None:
    host.deliver_picture(device.tag, PICTURE, array("f", value).tobytes())


def _range_count(lidar: PictureDevice) -> int:
    return lidar.layers * int(lidar.horizontal_resolution)


def _layers(host: RemoteHost, device: PictureDevice, value: Sequence[float]) -> None:
    """Store a lidar's distances and points one after the other."""
    points = (host.picture(device.tag) or b"")[4 * _range_count(device) :]
    host.deliver_picture(device.tag, PICTURE, array("f", value).tobytes() + points)


def _cloud(host: RemoteHost, device: PictureDevice, value: Sequence[Sequence[float]]) -> None:
    size = 4 * _range_count(device)
    points = b"".join(POINT.pack(*point) for point in value)
    host.deliver_picture(device.tag, PICTURE, (host.picture(device.tag) or bytes(size))[:size] + points)


def _packets(host: RemoteHost, device: RemoteDevice, value: Sequence[Any]) -> None:
    for channel, data, signal, direction in value:
        host.deliver(device.tag, "packet", (channel, tuple(direction), signal, bytes(data)))


_BLANKS: dict[str, Callable[[Any], bytes]] = {
    "Camera": lambda camera: b"\0\0\0\xff" * (camera.width * camera.height),
    "Lidar": lambda lidar: struct.pack("<f", inf) * _range_count(lidar),
    "RangeFinder": lambda finder: struct.pack("<f", inf) * (finder.width * finder.height),
}
"""Black and opaque, or infinite distances."""
PICTURES: dict[str, dict[str, Put]] = {
    "Camera": {"image": _image, "segmentationImage": _segments},
    "Display": {"image": _saved},
    "Lidar": {"rangeImage": _layers, "pointCloud": _cloud},
    "RangeFinder": {"rangeImage": _ranges},
}
"""Channels that have no message, by node type."""
CONVERT: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "i32": int,
    "f64": float,
    "bytes": bytes,
    "vec3": _vector,
    "quaternion": tuple,
    "targets": lambda value: [tuple(target) for target in value],
    "objects": lambda value: [tuple(item) for item in value],
}
"""Conversions of channel values for devices, by type."""


def _put_message(channel: ChannelSpec, channels: list[ChannelSpec]) -> Put:
    """Pass a value to a device as the message of its channel; the other channels in it keep their values."""
    message, convert, place = channel.message, CONVERT[channel.type], channels.index(channel)
    before, after = (KEPT,) * place, (KEPT,) * (len(channels) - place - 1)

    def put(host: RemoteHost, device: RemoteDevice, value: object) -> None:
        host.deliver(device.tag, message, (*before, convert(value), *after))

    return put


def _puts(kind: DeviceKind) -> dict[str, Put]:
    puts: dict[str, Put] = {}
    for channel in kind.channels:
        if channel.type == "packets" and channel.message:
            puts[channel.name] = _packets
        elif channel.message:
            together = [other for other in kind.channels if other.message == channel.message]
            puts[channel.name] = _put_message(channel, together)
    return puts


@cache
def _accepted(node_type: str) -> dict[str, Put]:
    """The channels of a node type that accept values."""
    known = kind(node_type)
    return PICTURES.get(node_type, {}) | (_puts(known) if known is not None else {})


_ROBOT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "battery": ("battery", float),
    "customData": ("custom_data", str),
    "fromWindow": ("from_window", bytes),
}
"""Message and conversion of the robot's own channels."""
