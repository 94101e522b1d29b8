"""The lamps of a car: indicators that blink, and lamps that follow brakes and gears. A car may lack any."""

from __future__ import annotations

from math import inf

from hal.modes.vehicle.parts import Parts

__all__ = ["INDICATOR_OFF", "LEFT", "RIGHT", "Indicators", "Lamp"]

INDICATOR_OFF, RIGHT, LEFT = range(3)
PERIOD = 0.34
"""For which an indicator is on, and then off, in s."""
BACK = 0.1
"""How far the steering angle goes back until the indicator ends by itself, in rad."""
LEVER = "indicator_lever_motor"


class Lamp:
    """All lamps of one purpose: outside, and where there is one at the dashboard, too."""

    def __init__(self, parts: Parts, *names: str) -> None:
        self._lamps = [lamp for name in names for lamp in parts.light(name)]

    def set(self, on: bool) -> None:
        """Switch them."""
        for lamp in self._lamps:
            lamp.set(int(on))

    @property
    def on(self) -> bool:
        """The first of them is on."""
        return bool(self._lamps and self._lamps[0].get())


class Indicators:
    """The blinking lamps of both sides, with their lever."""

    def __init__(self, parts: Parts) -> None:
        self.right = Lamp(parts, "right_indicators", "interior_right_indicators")
        self.left = Lamp(parts, "left_indicators", "interior_left_indicators")
        self._lever = parts.motor(LEVER)
        self.period = PERIOD
        self.ends_itself = True
        self.state = INDICATOR_OFF
        self.hazard = False
        self._angle = 0.0

    @property
    def blinking(self) -> bool:
        """Something blinks."""
        return self.hazard or self.state != INDICATOR_OFF

    def choose(self, state: int, angle: float) -> None:
        """Switch the indicators.

        Args:
            state: 0 off, 1 right, 2 left.
            angle: the steering angle now, in rad.
        """
        self.state, self._angle = state, angle
        if self._lever is not None:
            lever = self._lever
            place = {RIGHT: lever.max_position, LEFT: lever.min_position}
            lever.set_position(place.get(state, 0.0))

    def follow(self, angle: float) -> None:
        """End when the car steers back out of the curve.

        Args:
            angle: the steering angle, in rad.
        """
        if not self.ends_itself or self.state == INDICATOR_OFF:
            return
        sign = 1 if self.state == RIGHT else -1
        if sign * angle > sign * self._angle:
            self._angle = angle
        elif sign * (self._angle - angle) >= BACK:
            self.choose(INDICATOR_OFF, angle)

    def update(self, time: float) -> None:
        """Blink.

        Args:
            time: simulated, in s.
        """
        passed = time / self.period
        on = passed < inf and int(passed) % 2 == 0
        self.right.set(on and (self.hazard or self.state == RIGHT))
        self.left.set(on and (self.hazard or self.state == LEFT))
