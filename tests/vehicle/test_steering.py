"""In a curve all wheels roll about one center on the line of the rear axle."""

from __future__ import annotations

import math

import pytest

from tests.vehicle.conftest import Attach
from tests.vehicle.figures import CAR, loopback, text
from wbridge.hal.protocol.loopback import Loopback

ANGLES = [-0.5, -0.1, -1e-6, 1e-6, 0.02, 0.3, 0.6]


def steered(attach: Attach, angle: float, there: Loopback | None = None) -> tuple[float, float]:
    """The angles of the right and the left front wheel."""
    there = there or loopback()
    for side in ("right", "left"):
        there[f"{side}_steer"].constants = {"min_position": -2.0, "max_position": 2.0}
    car = attach(there)
    car.setSteeringAngle(angle)
    car.step()
    right, left = (there[f"{side}_steer"].last("set_position")[0] for side in ("right", "left"))
    return right, left


@pytest.mark.parametrize("angle", ANGLES)
def test_both_wheels_stand_across_the_line_to_the_center(attach: Attach, angle: float):
    center = CAR.wheelbase / math.tan(angle)  # to the right of the middle, on the line of the rear axle
    right, left = steered(attach, angle)
    assert math.tan(right) == pytest.approx(CAR.wheelbase / (center - CAR.track_front / 2))
    assert math.tan(left) == pytest.approx(CAR.wheelbase / (center + CAR.track_front / 2))


def test_straight_on_both_wheels_stand_straight(attach: Attach):
    assert steered(attach, 0.0) == (0.0, 0.0)


def test_wheels_of_a_car_without_length_stand_straight(attach: Attach):
    """Front and rear axle are one, and its wheels roll."""
    assert steered(attach, 0.3, loopback(text(wheelbase=0))) == (0.0, 0.0)


def test_the_inner_wheel_stands_across_when_the_center_lies_at_its_place(attach: Attach):
    right, left = steered(attach, math.atan(CAR.wheelbase / (CAR.track_front / 2)))
    assert abs(right) == pytest.approx(math.pi / 2)
    assert 0 < left < math.pi / 2
