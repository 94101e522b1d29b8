"""The lights of a car: blinking indicators, and lights that follow brakes and gears. All are optional."""

from __future__ import annotations

from math import inf

from wbridge.hal.modes.vehicle.parts import Parts

__all__ = ["INDICATOR_OFF", "LEFT", "RIGHT", "Indicators", "Light"]

INDICATOR_OFF, RIGHT, LEFT = range(3)
PERIOD = 0.34
"""Duration of an indicator's on phase and of its off phase, in s."""
BACK = 0.1
"""Decrease of the steering angle after which an indicator switches off, in rad."""
LEVER = "indicator_lever_motor"


class Light:
    """The lights with one purpose: those outside, and the one on the dashboard, if any."""

    def __init__(self, parts: Parts, *names: str) -> None:
        self._leds = [led for name in names for led in parts.light(name)]

    def set(self, on: bool) -> None:
        """Switch the lights on or off."""
        for led in self._leds:
            led.set(int(on))

    @property
    def on(self) -> bool:
        """True if the first light is on."""
        return bool(self._leds and self._leds[0].get())


class Indicators:
    """The indicators of both sides, with their lever."""

    def __init__(self, parts: Parts) -> None:
        self.right = Light(parts, "right_indicators", "interior_right_indicators")
        self.left = Light(parts, "left_indicators", "interior_left_indicators")
        self._lever = parts.motor(LEVER)
        self.period = PERIOD
        self.ends_itself = True
        self.state = INDICATOR_OFF
        self.hazard = False
        self._angle = 0.0

    @property
    def blinking(self) -> bool:
        """True if any indicator blinks."""
        return self.hazard or self.state != INDICATOR_OFF

    def choose(self, state: int, angle: float) -> None:
        """Switch the indicators.

        Args:
            state: 0 off, 1 right, 2 left.
            angle: current steering angle, in rad.
        """
        self.state, self._angle = state, angle
        if self._lever is not None:
            lever = self._lever
            place = {RIGHT: lever.max_position, LEFT: lever.min_position}
            lever.set_position(place.get(state, 0.0))

    def follow(self, angle: float) -> None:
        """Switch the indicators off if the car steers back out of the curve.

        Args:
            angle: steering angle, in rad.
        """
        if not self.ends_itself or self.state == INDICATOR_OFF:
            return
        sign = 1 if self.state == RIGHT else -1
        if sign * angle > sign * self._angle:
            self._angle = angle
        elif sign * (self._angle - angle) >= BACK:
            self.choose(INDICATOR_OFF, angle)

    def update(self, time: float) -> None:
        """Switch the indicator lights according to the blinking phase.

        Args:
            time: simulated time, in s.
        """
        passed = time / self.period
        on = passed < inf and int(passed) % 2 == 0
        self.right.set(on and (self.hazard or self.state == RIGHT))
        self.left.set(on and (self.hazard or self.state == LEFT))
