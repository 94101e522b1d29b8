"""The differentials share torque and speed as the curve demands, and take torque from wheels that slip."""

from __future__ import annotations

import math

import pytest

from tests.vehicle.conftest import Attach
from tests.vehicle.figures import (
    CAR,
    FRONT,
    REAR,
    WHEELS,
    distances,
    forces,
    loopback,
    speeds,
    text,
    turn,
)
from wbridge.hal import api

DRIVEN = [FRONT, REAR, WHEELS]
TORQUE = (150 + 100 - 10) * 10
"""Of the engine at its lowest speed in the first gear, at all driven wheels (N m)."""


@pytest.mark.parametrize("driven", DRIVEN)
def test_straight_on_all_driven_wheels_get_the_same(attach: Attach, driven: tuple[str, ...]):
    there = loopback(text(rear_wheel_radius=CAR.front_wheel_radius), driven=driven)
    car = attach(there)
    car.setThrottle(1)
    car.setGear(1)
    car.step()
    assert forces(there, driven) == [TORQUE / len(driven)] * len(driven)
    car.setCruisingSpeed(36)
    car.step()
    assert speeds(there, driven) == pytest.approx([10 / CAR.front_wheel_radius] * len(driven))


@pytest.mark.parametrize("driven", DRIVEN)
@pytest.mark.parametrize("angle", [-0.4, 0.01, 0.5])
def test_in_a_curve_torques_add_up_and_outer_wheels_get_more(
    attach: Attach, driven: tuple[str, ...], angle: float
):
    there = loopback(driven=driven)
    car = attach(there)
    car.setSteeringAngle(angle)
    car.setThrottle(1)
    car.setGear(1)
    car.step()
    given = forces(there, driven)
    assert sum(given) == pytest.approx(TORQUE)
    for right, left in zip(given[::2], given[1::2], strict=True):
        assert (right < left) == (angle > 0)


@pytest.mark.parametrize("driven", DRIVEN)
@pytest.mark.parametrize("angle", [-0.4, 0.01, 0.5])
def test_in_a_curve_wheels_roll_in_proportion_to_their_distances_from_the_center(
    attach: Attach, driven: tuple[str, ...], angle: float
):
    there = loopback(text(rear_wheel_radius=CAR.front_wheel_radius), driven=driven)
    car = attach(there)
    car.setSteeringAngle(angle)
    car.setCruisingSpeed(36)
    car.step()
    rolling = speeds(there, driven)
    far = dict(zip(WHEELS, distances(angle), strict=True))
    for axle in range(0, len(driven), 2):
        ratio = far[driven[axle]] / far[driven[axle + 1]]
        assert rolling[axle] / rolling[axle + 1] == pytest.approx(ratio)


@pytest.mark.parametrize("angle", [-0.5, -1e-6, 1e-6, 0.02, 0.6])
def test_in_a_curve_axles_and_wheels_share_as_their_distances_from_the_center(attach: Attach, angle: float):
    there = loopback(text(rear_wheel_radius=CAR.front_wheel_radius))
    car = attach(there)
    car.setSteeringAngle(angle)
    car.setThrottle(1)
    car.setGear(1)
    car.step()
    given, far = forces(there, WHEELS), distances(angle)
    rear = abs(CAR.wheelbase / math.tan(angle))
    front = math.hypot(rear, CAR.wheelbase)
    assert sum(given[:2]) / TORQUE == pytest.approx(front / (front + rear))
    assert given[0] / sum(given[:2]) == pytest.approx(far[0] / sum(far[:2]))
    assert given[2] / sum(given[2:]) == pytest.approx(far[2] / sum(far[2:]))
    car.setCruisingSpeed(36)
    car.step()
    rolling = speeds(there, WHEELS)
    assert sum(rolling[:2]) / sum(rolling) == pytest.approx(front / (front + rear))


def shares(attach: Attach, driven: tuple[str, ...], rolling: list[float], limited: bool) -> list[list[float]]:
    """The shares of the torque of each driven wheel, for steps in which the wheels turn with these speeds."""
    there = loopback(driven=driven)
    car = attach(there)
    api.wbu_car_enable_limited_slip_differential(limited)
    car.setThrottle(1)
    car.setGear(1)
    turn(there, *rolling)
    seen = []
    for _ in range(6):
        car.step()
        given = forces(there, driven)
        seen.append([one / sum(given) for one in given])
    return seen


def test_a_limited_differential_takes_torque_from_the_wheel_that_slips(attach: Attach):
    """Three quarters of the turns are a slip of 0.5 more in each step, up to 1."""
    seen = shares(attach, FRONT, [3.0, 1.0, 0.0, 0.0], limited=True)
    start = next(k for k, one in enumerate(seen) if one != [0.5, 0.5])
    assert seen[start:] == [[0.25, 0.75], *[[0.0, 1.0]] * (5 - start)]
    assert shares(attach, FRONT, [3.0, 1.0, 0.0, 0.0], limited=False) == [[0.5, 0.5]] * 6


def test_a_limited_differential_takes_torque_from_the_axle_that_slips(attach: Attach):
    seen = shares(attach, WHEELS, [3.0, 3.0, 1.0, 1.0], limited=True)
    start = next(k for k, one in enumerate(seen) if one != [0.25] * 4)
    assert seen[start] == pytest.approx([0.125, 0.125, 0.375, 0.375])
    assert seen[-1] == [0.0, 0.0, 0.5, 0.5]


def test_a_slip_grows_and_shrinks_with_each_step_and_ends_when_the_wheels_stand(attach: Attach):
    """The torque of a wheel whose slip is s is 1 - s times its share."""
    there = loopback(driven=FRONT)
    car = attach(there)
    car.setThrottle(1)
    car.setGear(1)
    rolling = turn(there, 1.0, 1.0, 0.0, 0.0)

    def slip() -> float:
        car.step()
        right, left = forces(there, FRONT)
        return (left - right) / (left + right)

    slips = [slip() for _ in range(3)]
    assert slips == [0.0] * 3
    for right, left, steps in ((5.0, 3.0, 5), (3.0, 1.0, 2), (1.0, 3.0, 5), (2.0, 2.0, 2), (0.0, 0.0, 2)):
        rolling[:2] = right, left
        slips += [slip() for _ in range(steps)]
    growing = [0.0, 0.25, 0.5, 0.75, 1.0]
    shrinking = [1.0, 1.0, 0.5, 0.0, -0.5]
    assert slips[3:] == pytest.approx([*growing, 1.0, 1.0, *shrinking[1:], -1.0, -1.0, -1.0, -1.0, 0.0])
