"""Speed and torque of the four kinds of engines."""

from __future__ import annotations

import math

import pytest

from tests.vehicle.figures import CAR, car
from wbridge.hal.modes.vehicle.engine import (
    COMBUSTION,
    ELECTRIC,
    PARALLEL,
    SPLIT,
    engine_rpm,
    engine_torque,
    gear_ratio,
    limit_torque,
)
from wbridge.hal.modes.vehicle.sound import estimated_rpm


def burnt(rpm: float) -> float:
    return 150 + 0.1 * rpm - 0.00001 * rpm * rpm


def electric(rpm: float) -> float:
    return min(250.0, 50000 / (rpm * 2 * math.pi / 60)) if rpm else 250.0


@pytest.mark.parametrize(
    ("engine", "rpm", "torque"),
    [
        (COMBUSTION, 0.0, burnt(1000)),
        (COMBUSTION, 2000.0, burnt(2000)),
        (ELECTRIC, 0.0, 250.0),
        (ELECTRIC, 1000.0, 250.0),
        (ELECTRIC, 4000.0, electric(4000)),
        (PARALLEL, 500.0, 250.0),
        (PARALLEL, 2500.0, burnt(2500) + electric(2500)),
        (SPLIT, 500.0, 250.0),
        (SPLIT, 2500.0, 0.75 * burnt(3000) + electric(2500)),
    ],
)
def test_torque_follows_the_kind_and_the_speed(engine: int, rpm: float, torque: float):
    assert engine_torque(car(engine=engine), rpm) == pytest.approx(torque)


@pytest.mark.parametrize("engine", [COMBUSTION, ELECTRIC, PARALLEL, SPLIT])
def test_at_its_highest_speed_an_engine_gives_nothing(engine: int):
    assert engine_torque(car(engine=engine), CAR.max_rpm) == 0


@pytest.mark.parametrize(("gear", "ratio"), [(-1, -12), (0, 0), (1, 10), (3, 2.5)])
def test_gears(gear: int, ratio: float):
    assert gear_ratio(CAR, gear) == ratio
    turns = 2 * math.pi * 60 / 60  # of the wheels: 60 in a minute
    assert engine_rpm(CAR, gear, [turns] * 4) == pytest.approx(60 * abs(ratio))


def test_an_engine_turns_at_most_as_fast_as_it_can_and_stands_before_it_is_measured():
    assert engine_rpm(CAR, 1, [1000.0] * 4) == CAR.max_rpm
    assert engine_rpm(CAR, 1, [math.nan] * 4) == 0


def test_the_torque_falls_when_wheels_accelerate_too_fast():
    assert [limit_torque(80.0, one) for one in (0.0, 50.0, -100.0, 200.0)] == [80.0, 80.0, 40.0, 20.0]


def test_the_estimated_gear_keeps_the_engine_in_the_first_third():
    # a third of the way from 1000 to 4500 turns a minute is 2166.7
    for wheel_rpm, ratio in ((200, 10), (300, 5), (800, 2.5), (5000, 2.5), (-100, 12)):
        assert estimated_rpm(CAR, wheel_rpm * 2 * math.pi / 60) == pytest.approx(abs(wheel_rpm) * ratio)
