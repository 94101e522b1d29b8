"""Commands to a plugin by channels of the device table, from somebody who is not the controller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["MOTORS", "Hands", "Unable"]

MOTORS = ("LinearMotor", "RotationalMotor")
INFINITY = float("inf")
_MOTOR = {
    "position": "motor_set_position",
    "velocity": "motor_set_velocity",
    "acceleration": "motor_set_acceleration",
    "availableForce": "motor_set_available_{force}",
    "force": "motor_set_{force}",
}
_METHODS: dict[str, dict[str, str]] = {
    "Brake": {"dampingConstant": "brake_set_damping_constant"},
    "Connector": {"lock": "connector_lock"},
    "LED": {"value": "led_set"},
    "LinearMotor": _MOTOR,
    "Pen": {"write": "pen_write"},
    "RotationalMotor": _MOTOR,
    "VacuumGripper": {"on": "vacuum_gripper_turn_on"},
}
"""The plugin's own methods, by type of device and channel."""


class Unable(Exception):
    """The plugin has nothing for a command."""


class Hands:
    """Calls a plugin as RemoteMode would for the commands of a controller."""

    def __init__(self, plugin: object, type_of: Callable[[int], str]) -> None:
        """
        Args:
            plugin: a remote control that has started.
            type_of: the node type of the device with a tag; "" when there is none.
        """
        self._plugin, self._type_of = plugin, type_of

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Let a channel have a value.

        Raises:
            Unable: the plugin has no method for it.
        """
        kind = self._type_of(tag)
        name = _METHODS.get(kind, {}).get(channel, "")
        name = name.format(force="torque" if kind == "RotationalMotor" else "force")
        self._call((name, tag, value), ("set_channel", tag, channel, value))

    def set_period(self, tag: int, function: str, period: int) -> None:
        """Let a sensor be sampled every `period` ms; 0: no more.

        Args:
            tag: of the device; 0 is the robot.
            function: that enables it, for example "wb_gps_enable".
            period: in ms.

        Raises:
            Unable: the plugin has no method for it.
        """
        own = "set_sampling_period", tag, period
        if function.endswith("_feedback"):
            force = "torque" if self._type_of(tag) == "RotationalMotor" else "force"
            own = f"motor_set_{force}_sampling_period", tag, period
        if tag == 0:
            own = "robot_battery_set_sampling_period", period  # type: ignore[assignment]
        self._call(own, ("set_period", tag, function, period))

    def stand(self, tag: int) -> None:
        """Let a motor stand still.

        Raises:
            Unable: the plugin has no method for it.
        """
        self.set(tag, "position", INFINITY)
        self.set(tag, "velocity", 0.0)

    def _call(self, *calls: tuple[Any, ...]) -> None:
        for name, *arguments in calls:
            if name and hasattr(self._plugin, name):
                getattr(self._plugin, name)(*arguments)
                return
        raise Unable(f"this remote control has no {calls[0][0] or calls[-1][0]}")
