"""The targets of motors: usual numbers are set at once, all others go through the motor's checks."""

from __future__ import annotations

import math

import pytest

from wbridge.hal.modes.devices.motor_targets import MotorTargets

POSITION, VELOCITY = 17, 18


@pytest.fixture
def numbers() -> dict[int, float]:
    return {}


@pytest.fixture
def targets(numbers: dict[int, float]) -> MotorTargets:
    return MotorTargets(numbers, POSITION, VELOCITY)


@pytest.mark.parametrize("position", [0.0, -2.5, math.inf, -math.inf, 5e-324])
def test_a_position_is_set_at_once(targets: MotorTargets, numbers: dict[int, float], position: float):
    checked: list[float] = []
    targets.position_setter(checked.append)(position)
    assert (numbers, targets.position, targets.last_position) == ({POSITION: position}, position, position)
    assert not checked


@pytest.mark.parametrize("position", [1, True, math.nan, "1", None])
def test_what_is_no_usual_position_is_checked(targets: MotorTargets, numbers: dict[int, float], position):
    checked: list[float] = []
    targets.position_setter(checked.append)(position)
    assert checked == [position] or math.isnan(checked[0])
    assert not numbers
    assert targets.position == 0


def test_the_position_of_a_coupled_motor_is_checked(targets: MotorTargets, numbers: dict[int, float]):
    checked: list[float] = []
    put = targets.position_setter(checked.append)
    targets.is_coupled = True  # the simulator says so after the motor was created
    put(1.0)
    assert (checked, numbers) == ([1.0], {})


@pytest.mark.parametrize(
    ("position", "velocity"), [(0.0, 3.0), (0.0, 0.0), (math.inf, -3.0), (-math.inf, -3.0)]
)
def test_a_velocity_is_set_at_once(
    targets: MotorTargets, numbers: dict[int, float], position: float, velocity: float
):
    checked: list[float] = []
    targets.position = position
    targets.velocity_setter(checked.append)(velocity)
    assert (numbers, targets.velocity, targets.last_velocity) == ({VELOCITY: velocity}, velocity, velocity)
    assert not checked


@pytest.mark.parametrize(("position", "velocity"), [(0.0, -3.0), (math.inf, math.nan), (0.0, 3), (1.0, None)])
def test_what_is_no_usual_velocity_is_checked(
    targets: MotorTargets, numbers: dict[int, float], position: float, velocity
):
    checked: list[float] = []
    targets.position = position
    targets.velocity_setter(checked.append)(velocity)
    assert checked == [velocity] or math.isnan(checked[0])
    assert (numbers, targets.velocity) == ({}, 10.0)
