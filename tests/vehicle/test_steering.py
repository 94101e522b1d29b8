"""In a curve all wheels roll about one center on the line of the rear axle."""

from __future__ import annotations

import math

import pytest

from wbridge.hal.modes.vehicle.steering import center_ratio, front_ratio, quotient, rear_ratio, wheel_angles

BASE, TRACK = 3.0, 1.6
ANGLES = [-0.5, -0.1, -1e-6, 1e-6, 0.02, 0.3, 0.6]


@pytest.mark.parametrize("angle", ANGLES)
def test_both_wheels_stand_across_the_line_to_the_center(angle: float):
    center = BASE / math.tan(angle)  # to the right of the middle, on the line of the rear axle
    right, left = wheel_angles(angle, BASE, TRACK)
    assert math.tan(right) == pytest.approx(BASE / (center - TRACK / 2))
    assert math.tan(left) == pytest.approx(BASE / (center + TRACK / 2))


def test_straight_on_both_wheels_stand_straight():
    assert wheel_angles(0.0, BASE, TRACK) == (0.0, 0.0)


def test_wheels_of_a_car_without_length_stand_straight():
    assert wheel_angles(0.3, 0.0, TRACK) == (0.0, 0.0)  # front and rear axle are one, and its wheels roll


def test_the_inner_wheel_stands_across_when_the_center_lies_at_its_place():
    right, left = wheel_angles(math.atan(BASE / (TRACK / 2)), BASE, TRACK)
    assert abs(right) == pytest.approx(math.pi / 2)
    assert 0 < left < math.pi / 2


@pytest.mark.parametrize("angle", ANGLES)
def test_wheels_share_as_their_distances_from_the_center(angle: float):
    center = BASE / math.tan(angle)
    right, left = (math.copysign(math.hypot(center + side * TRACK / 2, BASE), angle) for side in (-1, 1))
    angles = wheel_angles(angle, BASE, TRACK)
    assert front_ratio(angle, *angles, BASE) == pytest.approx(right / (right + left))
    assert rear_ratio(angle, BASE, TRACK) == pytest.approx((center - TRACK / 2) / (2 * center))
    middle = math.copysign(math.hypot(center, BASE), angle)
    assert center_ratio(angle, BASE, 1.0) == pytest.approx(middle / (middle + center))


def test_straight_on_all_shares_are_even():
    assert (
        front_ratio(0.0, 0.0, 0.0, BASE)
        == rear_ratio(0.0, BASE, TRACK)
        == center_ratio(0.0, BASE, 1.1)
        == 0.5
    )


def test_wheels_that_both_stand_straight_share_evenly_whatever_the_car_steers():
    assert front_ratio(0.1, 0.0, 0.0, BASE) == 0.5


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(6, 3, 2), (1, 0.0, math.inf), (1, -0.0, -math.inf), (-1, 0.0, -math.inf), (-2, -0.0, math.inf)],
)
def test_quotients_may_be_infinite(a: float, b: float, expected: float):
    assert quotient(a, b) == expected


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.0), (math.nan, 1.0), (1.0, math.nan), (math.nan, 0.0)])
def test_quotients_may_be_no_number(a: float, b: float):
    assert math.isnan(quotient(a, b))
