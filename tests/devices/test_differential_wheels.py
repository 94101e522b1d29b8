"""DifferentialWheels of Webots 8, by its own functions and class (chapter of the 8.3.1 manual)."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.devices.rig import OLDEST, STEP_MS, Rig, world
from wbridge.hal import api as wb

STEP_S = STEP_MS / 1000
RADIUS, AXLE = 0.1, 0.4


def kinematic(fields: str = "", children: str = "", **options: int) -> Rig:
    """A robot without Physics that accelerates at once."""
    text = (
        f'DEF ROBOT DifferentialWheels {{ name "robot" controller "<extern>" wheelRadius {RADIUS} '
        f"axleLength {AXLE} slipNoise 0 maxAcceleration 1e9 encoderNoise 0 encoderResolution 100 "
        f"maxSpeed 20 {fields} children [ {children} ] }}"
    )
    return Rig(world(text), header=OLDEST, **options)


def wheel(name: str, x: float) -> str:
    return (
        f'Solid {{ name "{name}" translation {x} {RADIUS} 0 rotation 0 0 1 1.5707963 '
        f"boundingObject Cylinder {{ radius {RADIUS} height 0.02 }} physics Physics {{ }} }}"
    )


def physical(fields: str = "") -> Rig:
    """A robot with two wheels and a caster of little friction on a floor."""
    text = (
        "DEF ROBOT DifferentialWheels { "
        f'name "robot" controller "<extern>" maxForce 10 encoderNoise 0 encoderResolution 100 {fields} '
        f"children [ {wheel('left wheel', -AXLE / 2)} {wheel('right wheel', AXLE / 2)} ] "
        "boundingObject Transform { translation 0 0.1 0 children [ Box { size 0.2 0.1 0.2 } ] } "
        "physics Physics { } } "
    )
    floor = "Solid { boundingObject Plane { size 10 10 } }"
    return Rig(world(text, floor), header=OLDEST)


@pytest.mark.parametrize("unit", [1, 0.5])
def test_speeds_are_in_units_and_drive_forward(api: Callable[[Rig], None], unit: float):
    made = kinematic(f"speedUnit {unit}")
    api(made)
    wb.wb_differential_wheels_set_speed(4, 4)
    made.step(25)
    assert made.simulation.node("ROBOT").translation[2] == pytest.approx(-4 * unit * RADIUS * 25 * STEP_S)
    assert wb.wb_differential_wheels_get_speed_unit() == unit
    assert wb.wb_differential_wheels_get_max_speed() == 20
    assert (wb.wb_differential_wheels_get_left_speed(), wb.wb_differential_wheels_get_right_speed()) == (4, 4)


def test_every_speed_counts(api: Callable[[Rig], None]):
    """Also after the first steps, when commands of the same shape could reach motors directly."""
    made = kinematic()
    api(made)
    for speed in (1.0, 2.0, -3.0, 4.0, 0.0, 5.0):
        before = made.simulation.node("ROBOT").translation[2]
        wb.wb_differential_wheels_set_speed(speed, speed)
        made.step(3)
        travel = before - made.simulation.node("ROBOT").translation[2]
        assert travel == pytest.approx(speed * RADIUS * 3 * STEP_S)


@pytest.mark.parametrize("physics", ["", "physics Physics { }"])
def test_wheels_of_a_robot_without_physics_turn_by_speed_times_step(api: Callable[[Rig], None], physics: str):
    """Judge: WbDifferentialWheels::prePhysicsStep turns both wheels by the speed times the step."""
    shape = f"boundingObject Cylinder {{ radius {RADIUS} height 0.02 }} {physics}"
    wheels = (
        f'DEF LEFT Solid {{ name "left wheel" translation -0.2 {RADIUS} 0 {shape} }}'
        f'Solid {{ name "right wheel" translation 0.2 {RADIUS} 0 {shape} }}'
    )
    made = kinematic("maxSpeed 100", wheels)
    api(made)
    wb.wb_differential_wheels_set_speed(50, 50)
    before = made.simulation.node("LEFT").pose
    made.step()
    after = made.simulation.node("LEFT").pose
    assert before[2, 3] - after[2, 3] == pytest.approx(50 * RADIUS * STEP_S)
    turned = math.acos((float((before[:3, :3] * after[:3, :3]).sum()) - 1) / 2)
    assert turned == pytest.approx(50 * STEP_S)


def test_different_speeds_turn_the_robot(api: Callable[[Rig], None]):
    made = kinematic()
    api(made)
    wb.wb_differential_wheels_set_speed(-2, 2)
    made.step(25)
    angle = 4 * RADIUS / AXLE * 25 * STEP_S
    assert made.simulation.node("ROBOT").rotation[3] == pytest.approx(angle)


def test_encoders_count_increments_and_can_be_set(api: Callable[[Rig], None]):
    made = kinematic()
    api(made)
    assert wb.wb_differential_wheels_get_encoders_sampling_period() == 0
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    assert math.isnan(wb.wb_differential_wheels_get_left_encoder())
    wb.wb_differential_wheels_set_speed(3, -1)
    made.step(10)
    turned = 10 * STEP_S * 100
    assert wb.wb_differential_wheels_get_left_encoder() == pytest.approx(3 * turned)
    assert wb.wb_differential_wheels_get_right_encoder() == pytest.approx(-turned)
    wb.wb_differential_wheels_set_encoders(0, 500)
    made.step(10)
    assert wb.wb_differential_wheels_get_left_encoder() == pytest.approx(3 * turned)
    assert wb.wb_differential_wheels_get_right_encoder() == pytest.approx(500 - turned)
    wb.wb_differential_wheels_disable_encoders()
    assert wb.wb_differential_wheels_get_encoders_sampling_period() == 0


def test_encoders_may_be_noisy(api: Callable[[Rig], None]):
    made = kinematic("encoderNoise 0.2", seed=3)
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(2, 2)
    steps = []
    for _ in range(200):
        before = wb.wb_differential_wheels_get_left_encoder()
        made.step()
        steps.append(wb.wb_differential_wheels_get_left_encoder() - before)
    exact = 2 * STEP_S * 100
    assert all(0.8 * exact <= one <= 1.2 * exact for one in steps[1:])
    assert max(steps[1:]) - min(steps[1:]) > 0.3 * exact
    assert sum(steps[1:]) == pytest.approx(199 * exact, rel=0.02)


def test_encoders_that_are_not_simulated_stay(api: Callable[[Rig], None], capsys):
    made = kinematic("encoderNoise -1")
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(2, 2)
    made.step(5)
    assert wb.wb_differential_wheels_get_left_encoder() == 0
    assert "encoders are not simulated" in capsys.readouterr().err


def test_an_epuck_of_old_worlds_is_driven_in_steps_per_second(api: Callable[[Rig], None]):
    floor = "Solid { boundingObject Plane { size 10 10 } }"
    made = Rig(world('DEF ROBOT EPuck { name "robot" controller "<extern>" }', floor), header=OLDEST)
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(500, 500)
    made.step(20)  # it settles on its wheels
    start, first = made.simulation.node("ROBOT").translation[2], wb.wb_differential_wheels_get_left_encoder()
    made.step(50)
    assert start - made.simulation.node("ROBOT").translation[2] == pytest.approx(
        500 * 0.00628 * 0.02 * 50 * STEP_S, rel=0.03
    )
    counted = wb.wb_differential_wheels_get_left_encoder() - first
    assert counted == pytest.approx(500 * 50 * STEP_S, rel=0.03)


def test_slip_changes_the_way_and_what_encoders_count_by_chance(api: Callable[[Rig], None]):
    made = kinematic("slipNoise 0.3", seed=5)
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(2, 2)
    made.step(100)
    exact = 2 * STEP_S * 100 * 100
    left, right = wb.wb_differential_wheels_get_left_encoder(), wb.wb_differential_wheels_get_right_encoder()
    assert left != right
    assert left == pytest.approx(exact, rel=0.06)
    assert right == pytest.approx(exact, rel=0.06)


def test_with_physics_the_wheels_roll(api: Callable[[Rig], None]):
    made = physical()
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    made.step(20)
    start = float(made.simulation.node("ROBOT").translation[2])
    first = wb.wb_differential_wheels_get_left_encoder()
    wb.wb_differential_wheels_set_speed(3, 3)
    made.step(60)
    way = start - float(made.simulation.node("ROBOT").translation[2])
    turned = (wb.wb_differential_wheels_get_left_encoder() - first) / 100
    assert turned == pytest.approx(3 * 60 * STEP_S, rel=0.03)
    assert way == pytest.approx(RADIUS * turned, rel=0.05)


def test_the_maximum_speed_is_no_limit_but_told(api: Callable[[Rig], None], capsys):
    made = kinematic("maxSpeed 2")
    api(made)
    wb.wb_differential_wheels_set_speed(8, 8)
    made.step(10)
    assert made.simulation.node("ROBOT").translation[2] == pytest.approx(-8 * RADIUS * 10 * STEP_S)
    assert "maxSpeed" in capsys.readouterr().err


def test_the_class_of_webots_8_works(api: Callable[[Rig], None]):
    from wbridge.hal.controller import DifferentialWheels

    made = kinematic(children='DistanceSensor { name "ps0" }')
    api(made)
    robot = DifferentialWheels()
    robot.enableEncoders(STEP_MS)
    robot.setSpeed(1, 2)
    assert (robot.getLeftSpeed(), robot.getRightSpeed()) == (1, 2)
    robot.step(STEP_MS)
    assert robot.getRightEncoder() == pytest.approx(2 * robot.getLeftEncoder())
    robot.setEncoders(7, 8)
    assert (robot.getLeftEncoder(), robot.getRightEncoder()) == pytest.approx((7, 8))
    assert (robot.getMaxSpeed(), robot.getSpeedUnit()) == (20, 1)
    robot.disableEncoders()
    assert robot.getEncodersSamplingPeriod() == 0
    assert robot.getDevice("ps0") is not None


def test_other_robots_have_no_wheels(api: Callable[[Rig], None], capsys):
    made = Rig(world('Robot { name "robot" controller "<extern>" }'))
    api(made)
    wb.wb_differential_wheels_set_speed(1, 1)
    assert math.isnan(wb.wb_differential_wheels_get_max_speed())
    assert "not a DifferentialWheels" in capsys.readouterr().err


def test_its_energy_goes_with_the_speed():
    made = kinematic("motorConsumption 3 battery [ 100 100 1 ] cpuConsumption 0")
    for name, speed in (("left wheel motor", 4), ("right wheel motor", -2)):
        made[name].set_position(math.inf)
        made[name].set_velocity(speed)
    made.step(10)
    used = 3 * (4 + 2) / 2 * 10 * STEP_S
    assert made.robot.node.get("battery")[0] == pytest.approx(100 - used)


def test_it_stands_when_its_battery_is_empty():
    made = kinematic("battery [ 0.1 100 1 ] cpuConsumption 10")
    for side in ("left", "right"):
        made[f"{side} wheel motor"].set_position(math.inf)
        made[f"{side} wheel motor"].set_velocity(4)
    made.step(3)
    place = list(made.simulation.node("ROBOT").translation)
    made.step(5)
    assert list(made.simulation.node("ROBOT").translation) == place


def test_a_change_of_its_fields_is_told():
    made = kinematic()
    made.set("ROBOT", "maxSpeed", 3.0)
    made.set("ROBOT", "customData", "x")
    made.step()
    assert made["left wheel motor"].get_max_velocity() == 3
    assert made["right wheel motor"].get_max_velocity() == 3
    assert made.client.get_custom_data() == "x"


def test_a_reset_begins_anew(api: Callable[[Rig], None]):
    made = kinematic()
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(3, 3)
    made.step(10)
    made.simulation.reset()
    made.step()
    assert wb.wb_differential_wheels_get_left_encoder() == 0
    assert list(made.simulation.node("ROBOT").translation) == [0, 0, 0]


@pytest.mark.parametrize("direction", [1, -1])
def test_encoders_stand_while_an_obstacle_holds_the_robot(api: Callable[[Rig], None], direction: int):
    # Chapter DifferentialWheels: without physics the wheels do not slip before an obstacle.
    text = (
        'DEF ROBOT DifferentialWheels { name "robot" controller "<extern>" wheelRadius 0.1 axleLength 0.4 '
        "maxAcceleration 1e9 encoderNoise 0 encoderResolution 100 maxSpeed 20 slipNoise 0 "
        "boundingObject Box { size 0.2 0.2 0.2 } }"
    )
    wall = f"Solid {{ translation 0 0 {-direction * 0.5} boundingObject Box {{ size 4 1 0.2 }} }}"
    made = Rig(world(text, wall), header=OLDEST)
    api(made)
    wb.wb_differential_wheels_enable_encoders(STEP_MS)
    wb.wb_differential_wheels_set_speed(4 * direction, 4 * direction)
    made.step(150)  # 0.3 m to the wall, at 0.4 m/s
    before = wb.wb_differential_wheels_get_left_encoder()
    made.step(50)
    after = wb.wb_differential_wheels_get_left_encoder()
    way = abs(made.simulation.node("ROBOT").translation[2])
    assert way == pytest.approx(0.3, abs=0.01)
    assert direction * after == pytest.approx(way / 0.1 * 100, abs=10)
    assert after == pytest.approx(before, abs=1)
