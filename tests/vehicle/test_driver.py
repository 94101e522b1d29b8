"""What the driver commands: speeds and torques of the wheels, brakes, angles."""

from __future__ import annotations

import math

import pytest

from tests.vehicle.conftest import Attach
from tests.vehicle.figures import CAR, FRONT, REAR, WHEELS, loopback, turn
from wbridge.hal import api
from wbridge.hal.api import SPEED, TORQUE

SLOW = 36.0
"""km/h: 10 m/s."""


def drive(car, steps: int = 1) -> None:
    for _ in range(steps):
        assert car.step() == 0


@pytest.mark.parametrize(("driven", "kind"), [(FRONT, 0), (REAR, 1), (WHEELS, 2)])
def test_cruising_turns_the_driven_wheels(attach: Attach, driven: tuple[str, ...], kind: int):
    there = loopback(driven=driven)
    car = attach(there)
    assert (car.getType(), car.type) == (kind, kind)
    car.setCruisingSpeed(SLOW)
    drive(car)
    for wheel in driven:
        radius = CAR.front_wheel_radius if wheel in FRONT else CAR.rear_wheel_radius
        motor = there[f"{wheel}_wheel"]
        assert motor.last("set_position") == (math.inf,)
        assert motor.last("set_velocity")[0] == pytest.approx(10 / radius)
    assert (car.getControlMode(), car.getTargetCruisingSpeed()) == (SPEED, SLOW)


def test_steering_turns_the_front_wheels_and_shares_the_speed_anew(attach: Attach):
    there = loopback(driven=REAR)
    car = attach(there)
    car.setCruisingSpeed(SLOW)
    car.setSteeringAngle(0.2)
    drive(car)
    center = CAR.wheelbase / math.tan(0.2)
    for wheel, side in (("right_steer", -1), ("left_steer", 1)):
        angle = there[wheel].last("set_position")[0]
        assert math.tan(angle) == pytest.approx(CAR.wheelbase / (center + side * CAR.track_front / 2))
    for wheel, side in (("right_rear", -1), ("left_rear", 1)):
        speed = there[f"{wheel}_wheel"].last("set_velocity")[0]
        assert speed == pytest.approx(10 * (center + side * CAR.track_rear / 2) / center / 0.4)


def test_the_measured_angle_is_the_mean_of_both_wheels(attach: Attach):
    there = loopback()
    car = attach(there)
    there["right_steer_sensor"].send("value", 0.3)
    there["left_steer_sensor"].send("value", 0.2)
    drive(car)
    assert car.getSteeringAngle() == pytest.approx(0.25)
    assert (car.right_steering_angle, car.left_steering_angle) == (0.3, 0.2)


def test_speeds_are_differences_of_positions(attach: Attach):
    there = loopback(driven=FRONT)
    car = attach(there)
    turn(there, 20.0, 22.0, 5.0, 5.0)
    drive(car)
    assert math.isnan(car.getCurrentSpeed())
    drive(car, 3)
    assert car.getCurrentSpeed() == pytest.approx(21 * 0.35 * 3.6)
    assert [car.getWheelSpeed(index) for index in range(4)] == pytest.approx([20, 22, 5, 5])
    assert car.getWheelEncoder(car.WHEEL_FRONT_LEFT) == pytest.approx(4 * 22 * 0.032)


def test_throttle_gives_the_torque_of_the_engine_in_its_gear(attach: Attach):
    there = loopback(driven=REAR)
    car = attach(there)
    turn(there, 30.0, 30.0, 30.0, 30.0)
    car.setThrottle(0.5)
    car.setGear(2)
    drive(car, 5)
    rpm = 30 * 60 / (2 * math.pi) * 5
    torque = (150 + 0.1 * rpm - 0.00001 * rpm**2) * 0.5 * 5
    assert (car.getRpm(), car.getGear(), car.getControlMode()) == (pytest.approx(rpm), 2, TORQUE)
    assert [there[f"{wheel}_wheel"].last("set_force")[0] for wheel in REAR] == pytest.approx([torque / 2] * 2)


@pytest.mark.parametrize(("gear", "ratio"), [(-1, -12), (0, 0), (3, 2.5)])
def test_reverse_turns_back_and_neutral_not_at_all(attach: Attach, gear: int, ratio: float):
    there = loopback(driven=REAR)
    car = attach(there)
    car.setThrottle(1)
    car.gear = gear
    drive(car)
    forces = [there[f"{wheel}_wheel"].last("set_force")[0] for wheel in REAR]
    assert forces == pytest.approx([(150 + 100 - 10) * ratio / 2] * 2)
    assert there["backwards_lights"].last("set") == (int(gear == -1),)
    assert car.getBackwardsLights() is (gear == -1)


def test_cruising_after_torque_lets_the_motors_go_on_without_an_end(attach: Attach):
    there = loopback(driven=REAR)
    car = attach(there)
    car.setThrottle(1)
    drive(car)
    car.setCruisingSpeed(-SLOW)
    there["right_rear_wheel"].commands.clear()
    drive(car)
    motor = there["right_rear_wheel"]
    assert (motor.last("set_position"), motor.last("set_velocity")) == ((math.inf,), (-25.0,))
    assert motor.last("set_force") is None
    assert car.getBackwardsLights() is True


def test_the_brakes_torque_does_not_depend_on_the_speed(attach: Attach):
    there = loopback()
    car = attach(there)
    turn(there, 10.0, 20.0, 40.0, -5.0)
    car.setBrakeIntensity(0.3)
    drive(car, 3)
    dampings = [there[f"{wheel}_brake"].last("set_damping_constant")[0] for wheel in WHEELS]
    assert [d * s for d, s in zip(dampings, (10, 20, 40, 5), strict=True)] == pytest.approx([300] * 4)
    assert (car.getBrakeLights(), there["brake_lights"].last("set")) == (True, (1,))
    car.brake_intensity = 0
    drive(car)
    assert {there[f"{wheel}_brake"].last("set_damping_constant") for wheel in WHEELS} == {(0.0,)}
    assert (car.getBrakeLights(), car.getBrakeIntensity()) == (False, 0.0)


def test_wheels_that_stand_are_held(attach: Attach):
    there = loopback()
    car = attach(there)
    turn(there, 0.0, 0.0, 0.0, 0.0)
    car.setBrakeIntensity(1)
    drive(car, 3)
    assert there["right_front_brake"].last("set_damping_constant") == (math.inf,)


def test_before_anything_is_commanded_no_mode_is_chosen(attach: Attach):
    car = attach(loopback())
    assert (api.wbu_driver_get_control_mode(), car.control_mode) == (api.UNDEFINED_CONTROL_MODE, None)
    assert (car.getThrottle(), car.getBrakeIntensity(), car.getRpm(), car.getGear()) == (0, 0, 0, 0)
    assert car.getGearNumber() == 4


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            lambda car: car.setSteeringAngle(math.nan),
            "wbu_driver_set_steering_angle() called with an angle of nan",
        ),
        (
            lambda car: car.setCruisingSpeed(math.inf),
            "wbu_driver_set_cruising_speed() called with a speed of inf",
        ),
        (lambda car: car.setThrottle(math.nan), "wbu_driver_set_throttle() called with"),
        (lambda car: car.setThrottle(1.5), "a throttle of 1.5; allowed: 0 to 1; using 1"),
        (lambda car: car.setBrakeIntensity(-1), "called with an intensity of -1"),
        (lambda car: car.setGear(4), "called with gear 4; allowed: -1 to 3; using 3"),
        (lambda car: car.setGear(-2), "called with gear -2; allowed: -1 to 3; using -1"),
        (lambda car: car.setIndicator(3), "a state of 3; allowed: 0 off, 1 right, 2 left"),
        (lambda car: car.setWiperMode(-1), "mode -1; allowed: 0 down"),
        (lambda car: car.setIndicatorPeriod(0), "a period of 0.0 s; allowed: numbers above 0"),
        (lambda car: car.setRightSteeringAngle(math.nan), "wbu_car_set_right_steering_angle() called with"),
        (lambda car: car.getWheelSpeed(4), "called with wheel 4; allowed: 0 to 3"),
        (lambda car: car.getWheelEncoder(-1), "called with wheel -1; allowed: 0 to 3"),
    ],
)
def test_wrong_arguments_are_told_and_change_nothing_else(
    attach: Attach, capsys: pytest.CaptureFixture[str], call, told: str
):
    car = attach(loopback())
    call(car)
    assert told in capsys.readouterr().err
    drive(car)


@pytest.mark.parametrize("read", ["getRpm", "getGear"])
def test_while_cruising_there_is_no_engine(attach: Attach, capsys: pytest.CaptureFixture[str], read: str):
    car = attach(loopback())
    car.setCruisingSpeed(10)
    assert getattr(car, read)() == 0
    assert "is not available in speed control" in capsys.readouterr().err


def test_a_driver_steps_by_the_basic_time_step_only(attach: Attach):
    car = attach(loopback())
    assert car.step(32) == 0
    with pytest.raises(ValueError, match="invalid time step 64 ms; .* the basic time step, 32 ms"):
        car.step(64)
