"""Which calls of a plugin a controller's commands become, by kind of device and name of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["BATTERY", "CALLS", "Call"]

Values = tuple[Any, ...]


def _same(*values: Any) -> Values:
    return values


class Call(NamedTuple):
    """What one command becomes."""

    name: str
    """The plugin's own method for it; "{force}" is torque for rotational motors. "": there is none."""
    arguments: Callable[..., Values] = _same
    """From the command's values to the method's arguments behind the tag."""
    channels: Callable[..., list[tuple[str, Any]]] | None = None
    """From the command's values to channels of the device table and their values."""
    period: str = ""
    """The function whose sampling period this is, without the prefix of the device."""


def _to(channel: str) -> Callable[..., list[tuple[str, Any]]]:
    return lambda value: [(channel, value)]


def _fixed(name: str, channel: str, value: bool) -> Call:
    """A command without values that switches something."""
    return Call(name, lambda: (value,), lambda: [(channel, value)])


def _color(red: int, green: int, blue: int, density: float) -> tuple[int, float]:
    return red << 16 | green << 8 | blue, density


def _ink(*values: Any) -> list[tuple[str, Any]]:
    color, density = _color(*values)
    return [("inkColor", color), ("inkDensity", density)]


BATTERY = "robot_battery_set_sampling_period"
_ENABLE = Call("set_sampling_period", period="enable")
_MOTOR = {
    "set_position": Call("motor_set_position", channels=_to("position")),
    "set_velocity": Call("motor_set_velocity", channels=_to("velocity")),
    "set_acceleration": Call("motor_set_acceleration", channels=_to("acceleration")),
    "set_available_force": Call("motor_set_available_{force}", channels=_to("availableForce")),
    "set_force": Call("motor_set_{force}", channels=_to("force")),
    "set_control_pid": Call("motor_set_control_pid", channels=lambda p, i, d: [("controlPID", [p, i, d])]),
    "enable_feedback": Call("motor_set_{force}_sampling_period", period="enable_{force}_feedback"),
}
_SENSORS = (
    "Accelerometer Altimeter Compass DistanceSensor GPS Gyro InertialUnit LightSensor Microphone "
    "PositionSensor Radar RangeFinder TouchSensor"
)
CALLS: dict[str, dict[str, Call]] = {
    **{kind: {"enable": _ENABLE} for kind in _SENSORS.split()},
    "Brake": {
        "set_damping_constant": Call("brake_set_damping_constant", channels=_to("dampingConstant")),
    },
    "Camera": {
        "enable": _ENABLE,
        "set_fov": Call("camera_set_fov", channels=_to("fieldOfView")),
        "set_focal_distance": Call("camera_set_focal_distance", channels=_to("focalDistance")),
        "set_exposure": Call("camera_set_exposure", channels=_to("exposure")),
        "enable_recognition": Call("", period="recognition_enable"),
        "enable_segmentation": Call("", channels=_to("segmentationEnabled")),
    },
    "Connector": {
        "enable_presence": Call("set_sampling_period", period="enable_presence"),
        "lock": _fixed("connector_lock", "lock", True),
        "unlock": _fixed("connector_lock", "lock", False),
    },
    "LED": {"set": Call("led_set", channels=_to("value"))},
    "Lidar": {
        "enable": _ENABLE,
        "set_frequency": Call("lidar_set_frequency", channels=_to("frequency")),
        "enable_point_cloud": _fixed("", "pointCloudEnabled", True),
        "disable_point_cloud": _fixed("", "pointCloudEnabled", False),
    },
    "Motor": _MOTOR,
    "Pen": {
        "write": _fixed("pen_write", "write", True),
        "lift": _fixed("pen_write", "write", False),
        "set_ink_color": Call("pen_set_ink_color", _color, _ink),
    },
    "VacuumGripper": {
        "enable_presence": Call("set_sampling_period", period="enable_presence"),
        "turn_on": _fixed("vacuum_gripper_turn_on", "on", True),
        "turn_off": _fixed("vacuum_gripper_turn_on", "on", False),
    },
}
"""Commands that are not here go to the simulator: displays, radio, speakers and questions to it."""
