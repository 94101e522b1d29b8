"""Lamps, indicators, wipers and sounds of a car."""

from __future__ import annotations

import pytest

from tests.vehicle.conftest import Attach
from tests.vehicle.figures import TEXT, loopback
from vehicle import Car, Driver
from wbridge.hal.protocol.loopback import Loopback, Peer

STEP = 0.02


def blinks(there: Loopback, car: Car, seconds: float) -> dict[str, list[bool]]:
    """Which indicators are on, step by step."""
    found: dict[str, list[bool]] = {"left": [], "right": []}
    for _ in range(round(seconds / STEP)):
        car.step()
        for side, row in found.items():
            row.append(there[f"{side}_indicators"].last("set") == (1,))
    return found


@pytest.mark.parametrize("period", [0.34, 0.5])
@pytest.mark.parametrize(("state", "sides"), [(1, {"right"}), (2, {"left"}), (0, set())])
def test_indicators_are_on_for_a_period_and_off_for_one(
    attach: Attach, period: float, state: int, sides: set[str]
):
    there = loopback(time_step=20.0)
    car = attach(there)
    car.indicator = state
    car.indicator_period = period
    for side, row in blinks(there, car, 3.0).items():
        # A step begins at a multiple of 0.02 s, and so does its light. Time is counted in whole milliseconds;
        # 1.7 s are not yet five times 0.34 s then, as these are floating-point numbers.
        times = [round(1000 * k * STEP) / 1000 for k in range(150)]
        expected = [int(time / period) % 2 == 0 and side in sides for time in times]
        assert row == expected
    assert (car.getIndicator(), car.getIndicatorPeriod()) == (state, period)


def test_a_period_too_short_to_count_leaves_them_dark(attach: Attach):
    there = loopback(time_step=20.0)
    car = attach(there)
    car.setHazardFlashers(True)
    car.setIndicatorPeriod(5e-324)
    assert not any(blinks(there, car, 0.1)["left"][1:])


def test_hazard_flashers_blink_on_both_sides(attach: Attach):
    there = loopback(time_step=20.0)
    car = attach(there)
    car.setHazardFlashers(True)
    rows = blinks(there, car, 2.0)
    assert rows["left"] == rows["right"]
    assert {True, False} == set(rows["left"])
    assert (car.hazard_flashers, car.indicator) == (True, Driver.INDICATOR_OFF)


@pytest.mark.parametrize(("state", "sign"), [(Driver.INDICATOR_RIGHT, 1), (Driver.INDICATOR_LEFT, -1)])
def test_indicators_end_when_the_car_steers_back(attach: Attach, state: int, sign: int):
    car = attach(loopback())
    car.setIndicator(state)
    for angle in (0.1, 0.3, 0.25, 0.21):
        car.setSteeringAngle(sign * angle)
        assert car.getIndicator() == state
    car.setSteeringAngle(sign * 0.19)
    assert car.getIndicator() == Driver.INDICATOR_OFF


def test_indicators_go_on_when_they_shall_not_end(attach: Attach):
    car = attach(loopback())
    car.enableIndicatorAutoDisabling(False)
    car.setIndicator(Driver.INDICATOR_RIGHT)
    for angle in (0.3, 0.0, -0.3):
        car.setSteeringAngle(angle)
    assert car.getIndicator() == Driver.INDICATOR_RIGHT


def test_beams_and_fog_lamps(attach: Attach):
    there = loopback()
    car = attach(there)
    car.setDippedBeams(True)
    car.setAntifogLights(True)
    car.step()
    assert {there[f"{one}_lights"].last("set") for one in ("front", "rear", "antifog")} == {(1,)}
    assert (car.getDippedBeams(), car.antifog_lights) == (True, True)


def test_a_car_without_lamps_drives_all_the_same(attach: Attach):
    there = loopback()
    there.peers[:] = [one for one in there.peers if one.entry.node_type != "LED"]
    there = Loopback(there.peers, name="car")
    there.info = there.info._replace(custom_data=TEXT)
    car = attach(there)
    car.setDippedBeams(True)
    car.setAntifogLights(True)
    car.setBrakeIntensity(1)
    assert car.step() == 0
    assert (car.getDippedBeams(), car.getAntifogLights(), car.getBrakeLights()) == (True, False, False)


def wipers() -> Loopback:
    limits = {"min_position": 0.0, "max_position": 1.5, "max_velocity": 10.0}
    peers = [Peer("RotationalMotor", f"{side}_wiper_motor", limits) for side in ("right", "left")]
    there = Loopback([*loopback().peers, *peers, Peer("PositionSensor", "wiper_sensor")], name="car")
    there.info = there.info._replace(custom_data=TEXT)
    return there


def test_wipers_turn_round_at_their_limits(attach: Attach):
    there = wipers()
    car = attach(there)
    car.wiper_mode = Driver.FAST
    targets = []
    for place in (0.0, 0.7, 1.5, 0.7, 0.0):
        there["wiper_sensor"].send("value", place)
        car.step()
        car.step()
        targets.append(there["left_wiper_motor"].last("set_position"))
    assert targets == [(1.5,), (1.5,), (0.0,), (0.0,), (1.5,)]
    assert there["right_wiper_motor"].last("set_velocity") == (4.0,)
    car.setWiperMode(Driver.DOWN)
    car.step()
    assert (there["left_wiper_motor"].last("set_position"), car.getWiperMode()) == ((0.0,), 0)


def test_a_car_without_wipers_keeps_them_down(attach: Attach):
    car = attach(loopback())
    car.setWiperMode(Driver.NORMAL)
    assert (car.step(), car.getWiperMode()) == (0, Driver.DOWN)


def test_the_engine_is_heard_higher_with_its_speed(attach: Attach):
    there = loopback(TEXT.replace(" 4 4 -12", " 4 9 -12").replace("none", "motor.wav"))
    car = attach(there)
    car.setThrottle(1)
    car.setIndicator(Driver.INDICATOR_LEFT)
    car.step()
    (sounds,) = there["engine_speaker"].last("play_sound")
    played = {sound[0]: sound[1:3] for sound in sounds}
    # Idle: 1000 turns a minute, recorded at 1200; full throttle, no speed: half of the volume.
    assert played["motor.wav"] == pytest.approx((0.5, 1000 / 1200))
    assert played["sounds/blinker.wav"] == (1.0, 1.0)


def test_a_silent_car_makes_no_sounds(attach: Attach):
    there = loopback()
    car = attach(there)
    car.setIndicator(Driver.INDICATOR_LEFT)
    car.setThrottle(1)
    car.step()
    assert there["engine_speaker"].commands == []
