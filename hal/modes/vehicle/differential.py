"""The differential: distributes the engine's torque, or the speed, to the driven wheels of a car.

The shares depend on the curve (see steering.py). A limited-slip differential also reduces the torque of a
wheel that turns faster than its partner: the slip, from -1 to 1, sums up the differences over the steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wbridge.hal.modes.vehicle import steering
from wbridge.hal.modes.vehicle.parameters import Parameters

__all__ = ["FOUR_BY_FOUR", "PROPULSION", "TRACTION", "Differential", "Ratios"]

TRACTION, PROPULSION, FOUR_BY_FOUR = range(3)
"""Driven wheels: front, rear, all."""


@dataclass(frozen=True)
class Ratios:
    """Shares of the right front wheel, of the right rear wheel, and of the front axle; each from 0 to 1."""

    front: float
    rear: float
    center: float


def slip(former: float, one: float, other: float) -> float:
    """The slip after a step; positive if the first wheel turns faster than its partner.

    Args:
        former: slip before the step.
        one: speed of a wheel, in rad/s.
        other: speed of its partner.
    """
    found = former + (steering.quotient(one, one + other) * 2 - 1)
    return 0.0 if found != found else max(-1.0, min(1.0, found))


class Differential:
    """Distributes speeds and torques to the wheels front right, front left, rear right, rear left."""

    def __init__(self, parameters: Parameters, driven: int) -> None:
        self.parameters, self.driven = parameters, driven
        self.limited = True
        """True if the limited-slip differential is enabled."""
        self.front = self.rear = self.center = 0.0
        """Slips."""

    def ratios(self, angle: float, right: float, left: float) -> Ratios:
        """The shares in a curve.

        Args:
            angle: steering angle of the car, in rad.
            right: angle of the right front wheel.
            left: angle of the left front wheel.
        """
        car = self.parameters
        radii = steering.quotient(car.rear_wheel_radius, car.front_wheel_radius)
        return Ratios(
            steering.front_ratio(angle, right, left, car.wheelbase),
            steering.rear_ratio(angle, car.wheelbase, car.track_rear),
            steering.center_ratio(angle, car.wheelbase, radii),
        )

    def update(self, speeds: Sequence[float]) -> None:
        """Update the slips from the speeds of the four wheels after a step, in rad/s."""
        if self.driven != PROPULSION:
            self.front = slip(self.front, speeds[0], speeds[1])
        if self.driven != TRACTION:
            self.rear = slip(self.rear, speeds[2], speeds[3])
        if self.driven == FOUR_BY_FOUR:
            self.center = slip(self.center, speeds[0] + speeds[1], speeds[2] + speeds[3])

    def torques(self, torque: float, ratios: Ratios) -> dict[int, float]:
        """The torque of each driven wheel by its index, in N m.

        Args:
            torque: output torque of the gearbox, in N m.
            ratios: the shares in the curve.
        """
        front, rear, center = self._limit(ratios)
        if self.driven == TRACTION:
            return {0: torque * front, 1: torque * (1 - front)}
        if self.driven == PROPULSION:
            return {2: torque * rear, 3: torque * (1 - rear)}
        return {
            0: torque * front * center,
            1: torque * (1 - front) * center,
            2: torque * rear * (1 - center),
            3: torque * (1 - rear) * (1 - center),
        }

    def _limit(self, ratios: Ratios) -> tuple[float, float, float]:
        if not self.limited:
            return ratios.front, ratios.rear, ratios.center
        pairs = ((ratios.front, self.front), (ratios.rear, self.rear), (ratios.center, self.center))
        front, rear, center = (ratio * (2 * (1 - (found + 1) / 2)) for ratio, found in pairs)
        return front, rear, center

    def speeds(self, speed: float, ratios: Ratios) -> dict[int, float]:
        """The speed of each driven wheel by its index, in the unit of `speed`.

        Args:
            speed: of the car.
            ratios: the shares in the curve.
        """
        all_driven, found = self.driven == FOUR_BY_FOUR, {}
        for first, ratio, axle in ((0, ratios.front, ratios.center), (2, ratios.rear, 1 - ratios.center)):
            if all_driven or first == 2 * self.driven:
                factor = 2 * axle if all_driven else 1.0
                found[first] = 2 * speed * ratio * factor
                found[first + 1] = 2 * speed * (1 - ratio) * factor
        return found
