"""Cars have the devices and figures that the vehicle library looks for, and their wheels in their places."""

from __future__ import annotations

import pytest

from tests.protos.models import FILES, apply, load, made, named, parts, pose
from tests.vehicle.parameters import Parameters

CARS = ["BmwX5", "Car", "CitroenCZero", "LincolnMKZ", "RangeRoverSportSVR", "TeslaModel3", "ToyotaPrius"]
SIMPLE = [f"{name}Simple" for name in CARS if name != "Car"]
WHEELS = {
    f"{axle} {side}": (axle == "front", 1 if side == "left" else -1)
    for axle in ("front", "rear")
    for side in ("left", "right")
}
DRIVEN = {"traction": ["front"], "propulsion": ["rear"], "4x4": ["front", "rear"]}


@pytest.mark.parametrize("name", CARS)
def test_wheels_stand_where_the_figures_say(name: str):
    robot = made(f"{name} {{\n}}\n")
    figures = Parameters.parse(robot.get("customData"))
    for wheel, (front, side) in WHEELS.items():
        (solid,) = [one for one in parts(robot, "Solid") if one.get("name").startswith(wheel)]
        place, turn = pose(solid, robot)
        track = figures.track_front if front else figures.track_rear
        assert place == pytest.approx((figures.wheelbase if front else 0, side * track / 2, 0))
        assert apply(turn, (0, 1, 0)) == pytest.approx((0, side, 0), abs=1e-9)  # the outer face
        (tire,) = parts(solid.get("boundingObject"), "Cylinder")
        assert tire.get("radius") == (figures.front_wheel_radius if front else figures.rear_wheel_radius)


@pytest.mark.parametrize("name", CARS)
def test_joints_turn_forward_and_to_the_right(name: str):
    robot = made(f"{name} {{\n}}\n")
    wheels = [sensor for sensor in parts(robot, "PositionSensor") if sensor.get("name") != "wiper_sensor"]
    for sensor in wheels:
        joint, turn = sensor.parent, pose(sensor.parent, robot)[1]
        steers = sensor.get("name").endswith("_steer_sensor")
        second = joint.type == "Hinge2Joint" and not steers
        axis = joint.get("jointParameters2" if second else "jointParameters").get("axis")
        assert apply(turn, axis) == pytest.approx((0, 0, -1) if steers else (0, 1, 0), abs=1e-9)


@pytest.mark.parametrize("type_", DRIVEN)
def test_the_type_says_which_wheels_have_motors(type_: str):
    robot = made(f'Car {{\n  type "{type_}"\n}}\n')
    motors = {one.get("name") for one in parts(robot, "RotationalMotor")}
    wanted = {f"{side}_{axle}_wheel" for axle in DRIVEN[type_] for side in ("left", "right")}
    assert motors == wanted | {"left_steer", "right_steer"}
    assert len(parts(robot, "Brake")) == 4
    named(robot, "engine_speaker")


def test_the_acceleration_takes_the_car_to_100_kilometers_an_hour_in_its_time():
    robot = made("Car {\n  time0To100 8\n}\n")
    assert named(robot, "left_front_wheel").get("acceleration") * 0.4 * 8 == pytest.approx(100 / 3.6)


def test_fields_of_the_engine_reach_the_figures():
    robot = made(
        'Car {\n  engineType "power-split hybrid"\n  engineMaxTorque 111\n  engineMaxPower 222\n'
        "  engineMinRPM 333\n  engineMaxRPM 4444\n  engineFunctionCoefficients 5 0.6 -0.007\n"
        "  gearRatio [ -8 9 7 ]\n  hybridPowerSplitRatio 0.5\n  hybridPowerSplitRPM 666\n"
        '  brakeCoefficient 77\n  engineSound "a b.wav"\n  engineSoundRpmReference 888\n}\n'
    )
    figures = Parameters.parse(robot.get("customData"))
    assert (figures.engine, figures.max_torque, figures.max_power) == (3, 111, 222)
    assert (figures.min_rpm, figures.max_rpm, figures.coefficients) == (333, 4444, (5, 0.6, -0.007))
    assert (figures.gear_ratios, figures.split_ratio, figures.split_rpm) == ((-8, 9, 7), 0.5, 666)
    assert (figures.brake_coefficient, figures.sound, figures.sound_rpm) == (77, "a b.wav", 888)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("gearRatio [ 1 ]", "gearRatio must have reverse and at least one gear"),
        ("time0To100 0", "time0To100 must be from"),
        ("hybridPowerSplitRatio 2", "hybridPowerSplitRatio must be from 0 to 1; 0.25 is used"),
        ("wheelFrontRight Solid { }", "the node in wheelFrontRight must have a positive field tireRadius"),
    ],
)
def test_wrong_fields_are_told(field: str, told: str):
    world = load(f"Car {{\n  {field}\n}}\n")
    assert any(told in text for text in [*map(str, world.report), *world.report.notes])
    assert Parameters.parse(world.nodes[0].root.get("customData")).wheelbase == 4


@pytest.mark.parametrize("name", SIMPLE)
def test_simple_cars_look_like_the_others_and_have_no_physics(name: str):
    simple, full = made(f"{name} {{\n}}\n"), made(f"{name.removesuffix('Simple')} {{\n}}\n")
    assert parts(simple, "Physics") == parts(simple, "RotationalMotor") == []
    boxes = [
        [tuple(box.get("size")) for box in parts(one.get("boundingObject"), "Box")] for one in (simple, full)
    ]
    assert boxes[0] == boxes[1]
    assert len(parts(simple, "Cylinder")) == 4
    assert name in FILES


def test_the_mirrors_of_a_bmw_have_cameras_displays_and_motors():
    """The names are those of Webots' BmwX5 of R2019a and R2025a."""
    robot = made(
        "BmwX5 {\n  rearMirror TRUE\n  leftWingMirror TRUE\n  rightWingMirror TRUE\n  mirrorFar 50\n}\n"
    )
    for mirror in ("left_wing", "right_wing", "rear"):
        camera = named(robot, f"{mirror}_camera")
        assert camera.get("far") == 50
        assert named(robot, f"{mirror}_display").get("width") == camera.get("width")
        assert apply(pose(camera, robot)[1], (1, 0, 0))[0] < -0.98  # it looks back
        assert {named(robot, f"{mirror}_{way}_mirror_motor").type for way in ("yaw", "pitch")} == {
            "RotationalMotor"
        }
