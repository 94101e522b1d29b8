"""Inject channel values into the controller's devices."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

from wbridge.hal.catalogue import ChannelSpec, DeviceKind, kinds
from wbridge.hal.modes.battery import Battery, Window
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.modes.devices.lidar import POINT
from wbridge.hal.protocol.received_picture import received_pixels

__all__ = ["InjectedRobot", "inject"]

BGRA = 6
Take = Callable[[Any, Any], None]


class InjectedRobot(Protocol):
    """The part of the robot that injection uses."""

    battery: Battery
    window: Window

    @property
    def device(self) -> Callable[[int], DeviceHandle | None]:
        """The device with a tag, or None."""

    def take_custom_data(self, data: str) -> None:
        """Store new custom data."""


def inject(robot: InjectedRobot, tag: int, channel: str, value: Any) -> None:
    """Inject a value of a channel for the controller.

    Raises:
        KeyError: the device does not exist, or the channel accepts no values.
        ValueError: a picture has another size, or cannot be decoded.
    """
    if tag == 0:
        _ROBOT[channel](robot, value)
        return
    device = robot.device(tag)
    if device is None:
        raise KeyError(f"no device has the tag {tag}")
    taken = _taken(type(device).__name__)
    if channel not in taken:
        known = ", ".join(sorted(taken)) or "none"
        raise KeyError(f'the channel "{channel}" of {device.node_type} accepts no values; allowed: {known}')
    taken[channel](device, value)


def _vector(value: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = value
    return float(x), float(y), float(z)


def _image(device: Any, value: bytes) -> None:
    device.shared.put(received_pixels(bytes(value), device.width, device.height))


def _saved(device: Any, value: Sequence[Any]) -> None:
    id_, width, height, pixels = value
    device.take_image(id_, width, height, BGRA, bytes(pixels))


def _segments(device: Any, value: bytes) -> None:
    device.segments.put(bytes(value))


def _ranges(device: Any, value: Sequence[float]) -> None:
    device.shared.put(array("f", value).tobytes())


def _layers(device: Any, value: Sequence[float]) -> None:
    """Store a lidar's distances and points one after the other."""
    ranges = array("f", value).tobytes()
    device.shared.put(ranges + (_points_of(device) or b""))


def _cloud(device: Any, value: Sequence[Sequence[float]]) -> None:
    size = 4 * device.layers * device.horizontal_resolution
    points = b"".join(POINT.pack(*one) for one in value)
    device.shared.put((device.shared.get(size) or bytes(size)) + points)


def _points_of(device: Any) -> bytes | None:
    found: bytes | None = device.get_point_buffer()
    return found


def _packets(device: Any, value: Sequence[Any]) -> None:
    for channel, data, signal, direction in value:
        device.take_packet(channel, tuple(direction), signal, bytes(data))


PICTURES: dict[str, dict[str, Take]] = {
    "Camera": {"image": _image, "segmentationImage": _segments},
    "Display": {"image": _saved},
    "Lidar": {"rangeImage": _layers, "pointCloud": _cloud},
    "RangeFinder": {"rangeImage": _ranges},
}
"""Channels that have no message, by device class."""
CONVERT: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "i32": int,
    "f64": float,
    "bytes": bytes,
    "vec3": _vector,
    "quaternion": tuple,
    "targets": lambda value: [tuple(one) for one in value],
    "objects": lambda value: [tuple(one) for one in value],
}
"""Conversions of channel values for devices, by type."""


def _taker(channel: ChannelSpec, channels: list[ChannelSpec]) -> Take:
    """Passes a value to a device as the message of its channel.

    Other channels in the message keep their values: attributes of the device, named after what reads them.
    """
    method, convert = f"take_{channel.message}", CONVERT[channel.type]
    if len(channels) == 1:
        return lambda device, value: getattr(device, method)(convert(value))

    def take(device: Any, value: Any) -> None:
        kept = {one.name: getattr(device, one.get.removeprefix("get_")) for one in channels}
        getattr(device, method)(*(kept | {channel.name: convert(value)}).values())

    return take


def _takers(kind: DeviceKind) -> dict[str, Take]:
    found: dict[str, Take] = {}
    for one in kind.channels:
        if one.type == "packets" and one.message:
            found[one.name] = _packets
        elif one.message:
            found[one.name] = _taker(one, [other for other in kind.channels if other.message == one.message])
    return found


@cache
def _taken(class_name: str) -> dict[str, Take]:
    """The channels of a device class that accept values; both types of motors have one class."""
    found = dict(PICTURES.get(class_name, {}))
    for kind in kinds().values():
        if kind.class_name == class_name:
            found |= _takers(kind)
    return found


_ROBOT: dict[str, Take] = {
    "battery": lambda robot, value: robot.battery.take_battery(float(value)),
    "customData": lambda robot, value: robot.take_custom_data(str(value)),
    "fromWindow": lambda robot, value: robot.window.take_from_window(bytes(value)),
}
