"""The windshield wipers of a car that has them."""

from __future__ import annotations

from hal.modes.devices.position_sensor import PositionSensor
from hal.modes.vehicle.parts import Parts

__all__ = ["DOWN", "FAST", "NORMAL", "SLOW", "Wipers"]

DOWN, SLOW, NORMAL, FAST = range(4)
SPEED, FAST_SPEED = 2.0, 4.0
"""In rad/s."""
PAUSE = 4
"""Slow wipers go up in the first of this many seconds."""


class Wipers:
    """Two motors that go between their limits, and the sensor of one of them."""

    def __init__(self, parts: Parts, period: int) -> None:
        found = [parts.motor(f"{side}_wiper_motor") for side in ("right", "left")]
        self._motors = [one for one in found if one is not None] if None not in found else []
        self._sensor = parts.find(PositionSensor, "wiper_sensor")
        if self._sensor is not None:
            self._sensor.enable(period)
        self.mode = DOWN

    def choose(self, mode: int) -> None:
        """Choose how fast they wipe: 0 not at all, 1 once in four seconds, 2 always, 3 fast."""
        if not self._motors:
            return
        self.mode = mode
        for motor in self._motors:
            motor.set_velocity(FAST_SPEED if mode == FAST else SPEED)
        if mode == DOWN:
            self._go(up=False)

    def update(self, time: float) -> None:
        """Turn round at the ends.

        Args:
            time: simulated, in s.
        """
        if not self._motors or self._sensor is None or self.mode == DOWN:
            return
        place, first = self._sensor.value, self._motors[0]
        if place == first.min_position:
            self._go(up=True)
        if place == first.max_position or (self.mode == SLOW and int(time) % PAUSE):
            self._go(up=False)

    def _go(self, *, up: bool) -> None:
        for motor in self._motors:
            motor.set_position(motor.max_position if up else motor.min_position)
