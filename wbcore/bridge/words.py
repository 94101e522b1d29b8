"""How channels of the device table are called by simulated devices: commands, periods and samples."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from struct import iter_unpack
from typing import TYPE_CHECKING, Any

from hal.link.values import Packet, RecognizedObject
from hal.protocol.devices import codec_of
from hal.protocol.errors import ProtocolError

if TYPE_CHECKING:
    from typing import TypeAlias

    from wbcore.devices import Device

    Command: TypeAlias = tuple[str, tuple[Any, ...]]
    """Name and values, as a device's codec has them."""
    Values: TypeAlias = list[tuple[str, Any]]
    """Channels of a device and what they read."""

__all__ = ["commands_of", "function_name", "picture_values", "sample_values"]

POINT = "<fffif"


def commands_of(device: Device, channel: str, value: Any) -> list[Command]:
    """The commands that a value of an `act` channel is; none when the simulated device has none for it."""
    if device.entry.type == "Emitter" and channel == "packets":
        return [_send(device, one) for one in value]
    declared = device.entry.channel(channel)
    if declared is not None and declared.type == "commands":
        return _orders(device, value)
    make = _COMMANDS.get(device.entry.type, {}).get(channel)
    return [] if make is None else [make(device, value)]


def _orders(device: Device, value: list[tuple[int, bytes]]) -> list[Command]:
    """Commands as in the controller protocol; what is none is left out, with all that follows."""
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
    """The command that sets a sampling period, by the API's function, for example "wb_gps_enable"."""
    for part, name in _PERIODS.items():
        if part in function:
            return name
    return "enable"


def sample_values(device: Device, message: str, values: tuple[Any, ...]) -> Values:
    """What a message of a device tells, by channels of the table."""
    read = _SAMPLES.get(device.entry.type, {}).get(message)
    found = [] if read is None else read(*values)
    return [(name, value) for name, value in found if device.entry.channel(name) is not None]


def picture_values(device: Device, pixels: bytes) -> Values:
    """What a picture of a camera, range finder or lidar shows, by channels of the table."""
    if device.entry.type == "Camera":
        return [("image", pixels)]
    constants = device.entry.constants
    names = (
        ("horizontalResolution", "numberOfLayers") if device.entry.type == "Lidar" else ("width", "height")
    )
    count = 4 * math.prod(int(constants[name]) for name in names)
    ranges, points = pixels[:count], pixels[count:]
    found: Values = [("rangeImage", array("f", ranges).tolist())]
    if points:
        found.append(("pointCloud", list(iter_unpack(POINT, points))))
    return found


def _as(name: str) -> Callable[[Device, Any], Command]:
    return lambda device, value: (name, (value,))


def _switch(on: str, off: str) -> Callable[[Device, Any], Command]:
    return lambda device, value: (on if value else off, ())


def _pid(device: Device, value: Any) -> Command:
    p, i, d = value
    return "set_control_pid", (p, i, d)


def _ink(device: Device, value: Any) -> Command:
    density = float(device.node.get("inkDensity"))
    return "set_ink_color", (value >> 16 & 255, value >> 8 & 255, value & 255, density)


def _ink_density(device: Device, value: Any) -> Command:
    red, green, blue = (round(255 * one) for one in device.node.get("inkColor"))
    return "set_ink_color", (red, green, blue, value)


def _send(device: Device, packet: Packet) -> Command:
    return "send", (packet.channel, float(device.node.get("range")), packet.data)


_MOTOR = {
    "position": _as("set_position"),
    "velocity": _as("set_velocity"),
    "acceleration": _as("set_acceleration"),
    "availableForce": _as("set_available_force"),
    "force": _as("set_force"),
    "controlPID": _pid,
}
_COMMANDS: dict[str, dict[str, Callable[[Any, Any], Command]]] = {
    "Brake": {"dampingConstant": _as("set_damping_constant")},
    "Camera": {
        "fieldOfView": _as("set_fov"),
        "focalDistance": _as("set_focal_distance"),
        "exposure": _as("set_exposure"),
        "segmentationEnabled": _as("enable_segmentation"),
    },
    "Connector": {"lock": _switch("lock", "unlock")},
    "Emitter": {"channel": _as("set_channel"), "range": _as("set_range")},
    "LED": {"value": _as("set")},
    "Lidar": {
        "frequency": _as("set_frequency"),
        "pointCloudEnabled": _switch("enable_point_cloud", "disable_point_cloud"),
    },
    "LinearMotor": _MOTOR,
    "Pen": {"write": _switch("write", "lift"), "inkColor": _ink, "inkDensity": _ink_density},
    "Receiver": {"channel": _as("set_channel")},
    "RotationalMotor": _MOTOR,
    "VacuumGripper": {"on": _switch("turn_on", "turn_off")},
}
_PERIODS = {
    "_feedback": "enable_feedback",
    "_recognition_": "enable_recognition",
    "_presence": "enable_presence",
    "_battery_": "enable_battery",
}


def _to(*channels: str) -> Callable[..., Values]:
    return lambda *values: list(zip(channels, values, strict=True))


def _packet(channel: int, direction: Any, strength: float, data: bytes) -> Values:
    return [("packets", [Packet(channel, bytes(data), strength, tuple(direction))])]


def _objects(objects: Any) -> Values:
    return [("objects", [RecognizedObject(*one) for one in objects])]


_SAMPLES: dict[str, dict[str, Callable[..., Values]]] = {
    "Accelerometer": {"values": _to("acceleration")},
    "Altimeter": {"value": _to("altitude")},
    "Camera": {"objects": _objects},
    "Compass": {"values": _to("north")},
    "Connector": {"presence": _to("presence")},
    "DistanceSensor": {"value": _to("value")},
    "GPS": {"values": _to("position", "speed", "velocity")},
    "Gyro": {"values": _to("angularVelocity")},
    "InertialUnit": {"quaternion": _to("orientation")},
    "LightSensor": {"value": _to("value")},
    "LinearMotor": {"feedback": _to("forceFeedback")},
    "Microphone": {"samples": _to("samples")},
    "PositionSensor": {"value": _to("position")},
    "Radar": {"targets": _to("targets")},
    "Receiver": {"packet": _packet},
    "RotationalMotor": {"feedback": _to("torqueFeedback")},
    "TouchSensor": {"value": _to("value"), "values": _to("force")},
    "VacuumGripper": {"presence": _to("presence")},
}
