"""How a value of a channel gets into a device as its controller knows it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hal.modes.battery import Battery, Window
from hal.modes.device import Device
from hal.modes.devices.lidar import POINT

__all__ = ["InjectedRobot", "inject"]

BGRA = 6
Take = Callable[[Any, Any], None]


class InjectedRobot(Protocol):
    """The robot that values get into."""

    battery: Battery
    window: Window

    @property
    def device(self) -> Callable[[int], Device | None]:
        """The device with a tag; None when there is none."""

    def take_custom_data(self, data: str) -> None:
        """Have other custom data."""


def inject(robot: InjectedRobot, tag: int, channel: str, value: Any) -> None:
    """Let the controller read a value of a channel.

    Raises:
        KeyError: there is no such device, or nothing can be injected into the channel.
    """
    if tag == 0:
        _ROBOT[channel](robot, value)
        return
    device = robot.device(tag)
    if device is None:
        raise KeyError(f"there is no device {tag}")
    taken = _DEVICES.get(type(device).__name__, {})
    if channel not in taken:
        known = ", ".join(taken) or "none"
        raise KeyError(f'nothing can be injected into "{channel}" of {device.node_type}; there are: {known}')
    taken[channel](device, value)


def _value(device: Any, value: float) -> None:
    device.take_value(float(value))


def _values(device: Any, value: Sequence[float]) -> None:
    x, y, z = value
    device.take_values((float(x), float(y), float(z)))


def _place(device: Any, value: Sequence[float]) -> None:
    device.take_values(tuple(value), device.speed, device.velocity)


def _speed(device: Any, value: float) -> None:
    device.take_values(device.values, float(value), device.velocity)


def _velocity(device: Any, value: Sequence[float]) -> None:
    device.take_values(device.values, device.speed, tuple(value))


def _image(device: Any, value: bytes) -> None:
    device.shared.put(bytes(value))


def _saved(device: Any, value: Sequence[Any]) -> None:
    id_, width, height, pixels = value
    device.take_image(id_, width, height, BGRA, bytes(pixels))


def _segments(device: Any, value: bytes) -> None:
    device.segments.put(bytes(value))


def _objects(device: Any, value: Sequence[Any]) -> None:
    device.take_objects([tuple(one) for one in value])


def _ranges(device: Any, value: Sequence[float]) -> None:
    device.shared.put(array("f", value).tobytes())


def _layers(device: Any, value: Sequence[float]) -> None:
    """A lidar keeps distances and points behind one another."""
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


_DEVICES: dict[str, dict[str, Take]] = {
    "Accelerometer": {"acceleration": _values},
    "Altimeter": {"altitude": _value},
    "Camera": {"image": _image, "objects": _objects, "segmentationImage": _segments},
    "Compass": {"north": _values},
    "Connector": {"presence": lambda device, value: device.take_presence(int(value))},
    "Display": {"image": _saved},
    "DistanceSensor": {"value": _value},
    "GPS": {"position": _place, "speed": _speed, "velocity": _velocity},
    "Gyro": {"angularVelocity": _values},
    "InertialUnit": {"orientation": lambda device, value: device.take_quaternion(tuple(value))},
    "Lidar": {"rangeImage": _layers, "pointCloud": _cloud},
    "LightSensor": {"value": _value},
    "Microphone": {"samples": lambda device, value: device.take_samples(bytes(value))},
    "Motor": {
        "forceFeedback": lambda device, value: device.take_feedback(float(value)),
        "torqueFeedback": lambda device, value: device.take_feedback(float(value)),
    },
    "PositionSensor": {"position": _value},
    "Radar": {"targets": lambda device, value: device.take_targets([tuple(one) for one in value])},
    "RangeFinder": {"rangeImage": _ranges},
    "Receiver": {"packets": _packets},
    "TouchSensor": {"value": _value, "force": _values},
    "VacuumGripper": {"presence": lambda device, value: device.take_presence(bool(value))},
}
_ROBOT: dict[str, Take] = {
    "battery": lambda robot, value: robot.battery.take_battery(float(value)),
    "customData": lambda robot, value: robot.take_custom_data(str(value)),
    "fromWindow": lambda robot, value: robot.window.take_from_window(bytes(value)),
}
