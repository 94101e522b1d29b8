"""The Servo of Webots 8, by its own functions and class, against the law of motors."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature

import pytest

from tests.devices.joints import BODY, FREE, STEP_S, manual_law
from tests.devices.rig import OLDEST, STEP_MS, Rig, robot, world
from wbridge.hal import api as wb


def servo(fields: str = "", name: str = "neck") -> Rig:
    text = robot(f'DEF NECK Servo {{ name "{name}" maxForce 100000 {fields} {BODY} }}')
    return Rig(world(text, info=FREE), header=OLDEST)


@pytest.mark.parametrize("kind", ["rotational", "linear"])
def test_it_follows_the_law_of_its_controller(drive, api: Callable[[Rig], None], kind: str):
    made = servo(f'type "{kind}" controlP 8 acceleration 6')
    api(made)
    tag = wb.wb_robot_get_device("neck")
    wb.wb_servo_enable_position(tag, STEP_MS)
    wb.wb_servo_set_position(tag, 0.8)
    wb.wb_servo_set_velocity(tag, 2)
    found = []
    for _ in range(50):
        wb.wb_robot_step(STEP_MS)
        found.append(wb.wb_servo_get_position(tag))
    assert found == pytest.approx(manual_law(0.8, 50, (8, 0, 0), 2, 6), rel=3e-3)
    assert wb.wb_servo_get_type(tag) == (kind == "linear")
    assert wb.wb_servo_get_position_sampling_period(tag) == STEP_MS
    assert wb.wb_servo_get_target_position(tag) == 0.8


def test_limits_are_those_of_the_node(api: Callable[[Rig], None]):
    made = servo("minPosition -0.5 maxPosition 0.25")
    api(made)
    tag = wb.wb_robot_get_device("neck")
    assert (wb.wb_servo_get_min_position(tag), wb.wb_servo_get_max_position(tag)) == (-0.5, 0.25)
    wb.wb_servo_enable_position(tag, STEP_MS)
    wb.wb_servo_set_position(tag, 2)
    made.step(100)
    assert wb.wb_servo_get_position(tag) == pytest.approx(0.25, abs=1e-3)


def test_forces_and_gains_can_be_set(api: Callable[[Rig], None]):
    made = servo('type "linear"')
    api(made)
    tag = wb.wb_robot_get_device("neck")
    wb.wb_servo_enable_position(tag, STEP_MS)
    wb.wb_servo_set_force(tag, 12)
    made.step(10)
    assert made.model("neck").engine.wanted_force == 12
    wb.wb_servo_set_motor_force(tag, 3)
    wb.wb_servo_set_control_p(tag, 4)
    wb.wb_servo_set_acceleration(tag, 5)
    made.step()
    motor = made.model("neck").engine
    assert (motor.available_force, motor.pid, motor.acceleration) == (3, (4, 0, 0), 5)


FUNCTIONS = [name for name in wb.__all__ if name.startswith("wb_servo_")]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_message_names_the_function_that_was_called(
    function: str, api: Callable[[Rig], None], capsys: pytest.CaptureFixture[str]
):
    """Functions of Servo call others, some of which once told their own names."""
    api(servo())
    called = getattr(wb, function)
    called(99, *[1] * (len(signature(called).parameters) - 1))
    assert capsys.readouterr().err.startswith(f"Error: {function}() called with an invalid device tag (99 ")


@pytest.mark.filterwarnings("ignore:Robot.getServo is deprecated")
def test_the_class_of_webots_8_works(api: Callable[[Rig], None]):
    from wbridge.hal.controller import Robot, Servo

    made = servo()
    api(made)
    neck = Robot().getServo("neck")
    assert isinstance(neck, Servo)
    neck.enablePosition(STEP_MS)
    assert math.isnan(neck.getPosition())
    neck.setPosition(math.inf)
    neck.setVelocity(1)
    neck.setMotorForce(500)
    made.step(10)
    assert neck.getPosition() == pytest.approx(10 * STEP_S, rel=1e-3)
    assert made.model("neck").engine.available_force == 500
    neck.setControlP(3)
    neck.disablePosition()
    made.step()
    assert neck.getPositionSamplingPeriod() == 0
    assert made.model("neck").engine.pid == (3, 0, 0)


@pytest.mark.filterwarnings("ignore:Robot.getServo is deprecated")
def test_an_unknown_servo_is_none(api: Callable[[Rig], None]):
    from wbridge.hal.controller import Robot

    api(servo())
    assert Robot().getServo("tail") is None


def test_a_supervisor_may_change_its_limits():
    made = servo()
    made.set("NECK", "maxVelocity", 0.5)
    made.step()
    assert made["neck"].get_max_velocity() == 0.5
    made["neck"].set_position(math.inf)
    made["neck"].set_velocity(3)
    made.enable("neck sensor")
    made.step(20)
    assert made["neck sensor"].get_value() == pytest.approx(0.5 * 20 * STEP_S, rel=1e-3)
