"""The differentials share torque and speed as the curve demands, and take torque from wheels that slip."""

from __future__ import annotations

import math

import pytest

from tests.vehicle.figures import CAR, car
from wbridge.hal.modes.vehicle.differential import (
    FOUR_BY_FOUR,
    PROPULSION,
    TRACTION,
    Differential,
    Ratios,
    slip,
)
from wbridge.hal.modes.vehicle.steering import wheel_angles

EVEN = Ratios(0.5, 0.5, 0.5)
DRIVEN = {TRACTION: {0, 1}, PROPULSION: {2, 3}, FOUR_BY_FOUR: {0, 1, 2, 3}}


def curve(differential: Differential, angle: float) -> Ratios:
    found = differential.parameters
    return differential.ratios(angle, *wheel_angles(angle, found.wheelbase, found.track_front))


@pytest.mark.parametrize("driven", DRIVEN)
def test_straight_on_all_driven_wheels_get_the_same(driven: int):
    differential = Differential(CAR, driven)
    torques, speeds = differential.torques(120.0, EVEN), differential.speeds(36.0, EVEN)
    assert torques.keys() == speeds.keys() == DRIVEN[driven]
    assert set(torques.values()) == {120.0 / len(torques)}
    assert set(speeds.values()) == {36.0}


@pytest.mark.parametrize("driven", DRIVEN)
@pytest.mark.parametrize("angle", [-0.4, 0.01, 0.5])
def test_in_a_curve_torques_add_up_and_outer_wheels_get_more(driven: int, angle: float):
    differential = Differential(CAR, driven)
    torques = differential.torques(120.0, curve(differential, angle))
    assert sum(torques.values()) == pytest.approx(120.0)
    for right in torques.keys() & {0, 2}:
        assert (torques[right] < torques[right + 1]) == (angle > 0)


@pytest.mark.parametrize("angle", [-0.4, 0.01, 0.5])
def test_in_a_curve_wheels_roll_in_proportion_to_their_distances_from_the_center(angle: float):
    alike = car(rear_wheel_radius=CAR.front_wheel_radius)
    differential = Differential(alike, FOUR_BY_FOUR)
    speeds = differential.speeds(36.0, curve(differential, angle))
    center = CAR.wheelbase / math.tan(angle)
    places = [(3.0, -0.8), (3.0, 0.8), (0.0, -0.75), (0.0, 0.75)]
    distances = [math.hypot(x, center + y) for x, y in places]
    for axle in (0, 2):
        assert speeds[axle] / speeds[axle + 1] == pytest.approx(distances[axle] / distances[axle + 1])


def test_a_wheel_that_turns_faster_slips_more_each_step():
    found = 0.0
    for _ in range(3):
        found = slip(found, 3.0, 1.0)  # three quarters of the turns: a slip of 0.5 more
    assert found == 1.0
    assert slip(0.25, 1.0, 3.0) == -0.25
    assert slip(0.3, math.nan, 1.0) == slip(0.3, 0.0, 0.0) == 0.0


def test_a_limited_differential_takes_torque_from_the_wheel_that_slips():
    differential = Differential(CAR, TRACTION)
    differential.update([3.0, 1.0, 0.0, 0.0])
    assert differential.torques(100.0, EVEN) == {0: 25.0, 1: 75.0}
    differential.limited = False
    assert differential.torques(100.0, EVEN) == {0: 50.0, 1: 50.0}


def test_a_limited_differential_takes_torque_from_the_axle_that_slips():
    differential = Differential(CAR, FOUR_BY_FOUR)
    differential.update([3.0, 3.0, 1.0, 1.0])
    torques = differential.torques(100.0, EVEN)
    assert torques == {0: 12.5, 1: 12.5, 2: 37.5, 3: 37.5}
