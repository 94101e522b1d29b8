"""Speed and torque of the four kinds of engines, as the driven wheels get them.

Judge: chapter Vehicle of the automobile library (formulas of the engines), with the figures of the car.
"""

from __future__ import annotations

import math

import pytest

from tests.vehicle.conftest import Attach
from tests.vehicle.figures import CAR, REAR, TEXT, forces, loopback, text, turn

TURNS = 2 * math.pi / 60
"""Turns per minute in rad/s."""
FIRST = 10
"""Ratio of the first gear."""


def burnt(rpm: float) -> float:
    return 150 + 0.1 * rpm - 0.00001 * rpm * rpm


def electric(rpm: float) -> float:
    return min(250.0, 50000 / (rpm * TURNS)) if rpm else 250.0


def torque(attach: Attach, engine: str, rpm: float) -> float:
    """The torque of an engine in the first gear at full throttle and a steady speed."""
    there = loopback(text(engine=engine), driven=REAR)
    car = attach(there)
    turn(there, *[rpm / FIRST * TURNS] * 4)
    car.setThrottle(1)
    car.setGear(1)
    for _ in range(5):
        assert car.step() == 0
    return sum(forces(there, REAR)) / FIRST


@pytest.mark.parametrize(
    ("engine", "rpm", "expected"),
    [
        ("C", 0.0, burnt(1000)),
        ("C", 2000.0, burnt(2000)),
        ("E", 0.0, 250.0),
        ("E", 1000.0, 250.0),
        ("E", 4000.0, electric(4000)),
        ("P", 500.0, 250.0),
        ("P", 2500.0, burnt(2500) + electric(2500)),
        ("S", 500.0, 250.0),
        ("S", 2500.0, 0.75 * burnt(3000) + electric(2500)),
    ],
)
def test_torque_follows_the_kind_and_the_speed(attach: Attach, engine: str, rpm: float, expected: float):
    assert torque(attach, engine, rpm) == pytest.approx(expected)


@pytest.mark.parametrize("engine", "CEPS")
def test_at_its_highest_speed_an_engine_gives_nothing(attach: Attach, engine: str):
    assert torque(attach, engine, 2 * CAR.max_rpm) == 0


@pytest.mark.parametrize(("gear", "ratio"), [(-1, -12), (0, 0), (1, 10), (3, 2.5)])
def test_gears(attach: Attach, gear: int, ratio: float):
    there = loopback()
    car = attach(there)
    car.setThrottle(1)
    car.setGear(gear)
    turn(there, *[60 * TURNS] * 4)
    for _ in range(4):
        car.step()
    assert car.getRpm() == pytest.approx(60 * abs(ratio))


def test_an_engine_turns_at_most_as_fast_as_it_can_and_stands_before_it_is_measured(attach: Attach):
    there = loopback()
    car = attach(there)
    car.setThrottle(1)
    car.setGear(1)
    turn(there, *[1000.0] * 4)
    car.step()
    assert car.getRpm() == 0
    for _ in range(3):
        car.step()
    assert car.getRpm() == CAR.max_rpm


@pytest.mark.parametrize(("acceleration", "share"), [(50.0, 1), (-100.0, 0.5), (200.0, 0.25)])
def test_the_torque_falls_when_wheels_accelerate_too_fast(attach: Attach, acceleration: float, share: float):
    there = loopback(text(engine="E"), driven=REAR)
    car = attach(there)
    car.setThrottle(1)
    car.setGear(1)
    for step in range(4):
        turn_on = acceleration * (0.032 * step) ** 2 / 2
        for wheel in ("right_front", "left_front", "right_rear", "left_rear"):
            there[f"{wheel}_sensor"].send("value", turn_on)
        car.step()
    assert sum(forces(there, REAR)) == pytest.approx(share * 250 * FIRST)


@pytest.mark.parametrize(("wheel_rpm", "ratio"), [(200, 10), (300, 5), (800, 2.5), (5000, 2.5), (-100, 12)])
def test_the_sounding_gear_keeps_the_engine_in_the_first_third(attach: Attach, wheel_rpm: int, ratio: float):
    # A third of the way from 1000 to 4500 turns a minute is 2166.7.
    there = loopback(TEXT.replace("none", "hum."))
    car = attach(there)
    car.setCruisingSpeed(10)
    turn(there, *[wheel_rpm * TURNS] * 4)
    for _ in range(4):
        car.step()
    ((_, _, pitch, *_),) = there["engine_speaker"].last("play_sound")[0]
    assert pitch == pytest.approx(abs(wheel_rpm) * ratio / CAR.sound_rpm)
