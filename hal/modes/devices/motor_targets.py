"""The targets of a motor, and which of them the controller has set.

In the simulator's process, native code keeps them (`MotorTargets` of the engine, with the same attributes).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import MethodType
from typing import Any

from wbridge.hal.modes.rules import is_velocity_refused

__all__ = ["MotorTargets"]

NAN = float("nan")


class MotorTargets:
    """The targets of a motor; those that are set go to the next packet."""

    is_coupled = False
    """True if commands affect other motors, too."""

    def __init__(self, numbers: dict[int, float], position_key: int, velocity_key: int) -> None:
        """
        Args:
            numbers: see wbridge.hal.modes.device.DeviceExchange.
            position_key: of the command that sets the position.
            velocity_key: of the command that sets the velocity.
        """
        self._numbers = numbers
        self._position_key, self._velocity_key = position_key, velocity_key
        self.position, self.velocity = 0.0, 10.0
        self.last_position = self.last_velocity = NAN
        """What the controller has set last; NaN: nothing."""

    def put_position(self, position: float) -> None:
        """Set the position (rad or m)."""
        self._numbers[self._position_key] = self.position = self.last_position = position

    def position_setter(self, slow: Callable[[float], None]) -> MethodType:
        """Return a method that sets the position; it calls `slow` with what needs a check or moves others.

        Controllers call it in each step, for each motor. It looks like `slow`, also in messages about wrong
        arguments.
        """
        numbers, key = self._numbers, self._position_key

        def set_position(_: object, position: float) -> None:
            if position.__class__ is not float or position != position or self.is_coupled:
                slow(position)
                return
            numbers[key] = self.position = self.last_position = position

        return _like(slow, set_position)

    def velocity_setter(self, slow: Callable[[float], None]) -> MethodType:
        """Return a method that sets the velocity (see `position_setter`)."""
        numbers, key = self._numbers, self._velocity_key

        def set_velocity(_: object, velocity: float) -> None:
            if velocity.__class__ is not float or velocity != velocity or self.is_coupled:
                slow(velocity)
                return
            # The first comparison saves the call for most velocities.
            if velocity < 0 and is_velocity_refused(velocity, self.position):
                slow(velocity)
                return
            numbers[key] = self.velocity = self.last_velocity = velocity

        return _like(slow, set_velocity)

    def put_velocity(self, velocity: float) -> None:
        """Set the velocity (rad/s or m/s)."""
        self._numbers[self._velocity_key] = self.velocity = self.last_velocity = velocity


def _like(method: Any, function: Callable[[object, float], None]) -> MethodType:
    """Return a method with the name, signature and owner of another one."""
    return MethodType(wraps(getattr(method, "__func__", method))(function), method.__self__)
