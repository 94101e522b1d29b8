"""The windshield wipers of a car, if it has any."""

from __future__ import annotations

from wbridge.hal.modes.devices.position_sensor import PositionSensor
from wbridge.hal.modes.vehicle.parts import Parts

__all__ = ["DOWN", "FAST", "NORMAL", "SLOW", "Wipers"]

DOWN, SLOW, NORMAL, FAST = range(4)
SPEED, FAST_SPEED = 2.0, 4.0
"""In rad/s."""
PAUSE = 4
"""Period of slow wipers in s; they move up in its first second."""


class Wipers:
    """Two motors that move between their limits, and the position sensor of one of them."""

    def __init__(self, parts: Parts, period: int) -> None:
        found = [parts.motor(f"{side}_wiper_motor") for side in ("right", "left")]
        self._motors = [one for one in found if one is not None] if None not in found else []
        self._sensor = parts.find(PositionSensor, "wiper_sensor")
        if self._sensor is not None:
            self._sensor.enable(period)
        self.mode = DOWN

    def choose(self, mode: int) -> None:
        """Set the wiper mode: 0 down, 1 once in four seconds, 2 continuous, 3 fast."""
        if not self._motors:
            return
        self.mode = mode
        for motor in self._motors:
            motor.set_velocity(FAST_SPEED if mode == FAST else SPEED)
        if mode == DOWN:
            self._go(up=False)

    def update(self, time: float) -> None:
        """Reverse the motion at the ends.

        Args:
            time: simulated time, in s.
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
