"""Robots on wheels weigh, stand and drive as their makers say."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

from tests.protos.bench import Bench, bench
from tests.protos.models import made, parts
from wbridge.remote_controls import create2

KINDS = ["RotationalMotor", "PositionSensor", "TouchSensor", "DistanceSensor", "LED"]


class Drive(NamedTuple):
    """What the maker of a robot with driven wheels on both sides says, or what follows from its sizes."""

    left: list[str]
    right: list[str]
    turned: float
    """Speed of the motors in rad/s."""
    speed: float
    """Speed of the robot in m/s then."""
    axle: float | None
    """Distance in m between the outer edges of the wheels, on which robots turn; None: they skid in turns."""
    mass: float
    """Mass in kg."""


ROBOTS = {
    # Thymio II specifications: 0.2 m/s, 250 g.
    "Thymio2": Drive(["motor.left"], ["motor.right"], 9.53, 0.2, 0.115, 0.25),
    # Khepera IV user manual: 1 m/s, wheels 105.4 mm apart and 3 mm wide, and 566 g, which in Webots the body
    # weighs without wheels and balls.
    "Khepera4": Drive(["left wheel motor"], ["right wheel motor"], 47.61, 1.0, 0.1084, 0.606),
    # Khepera of K-Team: 55 mm wide, 70 g, wheels with a radius of 7.5 mm; motors at the default speed.
    "Khepera1": Drive(["left wheel motor"], ["right wheel motor"], 10, 0.075, 0.055, 0.07),
    # Khepera II of K-Team: 80 g; wheels with a radius of 7.5 mm, 52 mm apart; motors at the default speed.
    "Khepera2": Drive(["left wheel motor"], ["right wheel motor"], 10, 0.075, 0.055, 0.08),
    # Khepera III user manual: 690 g; wheels with a radius of 21.2 mm; greatest speed of the motors.
    "Khepera3": Drive(["left wheel motor"], ["right wheel motor"], 19.1, 0.405, 0.0946, 0.69),
    # Hemisson of K-Team: 200 g; wheels with a radius of 19 mm, 90 mm apart.
    "Hemisson": Drive(["left wheel motor"], ["right wheel motor"], 10, 0.19, 0.1, 0.2),
    # Elisa-3 wiki of GCtronic: 39 g, 0.6 m/s, wheels with a diameter of 9 mm, 40.8 mm apart.
    "Elisa3": Drive(["left wheel motor"], ["right wheel motor"], 133.33, 0.6, 0.042, 0.039),
    # Parallax' continuous rotation servo: 50 rpm; wheels with a diameter of 65 mm; mass of the original.
    "BoeBot": Drive(["left wheel motor"], ["right wheel motor"], 5.24, 0.17, 0.1, 0.83),
    # Sizes and masses of the original; SRV-1 data sheet: 0.2 to 0.4 m/s. Its motors turn backward.
    "SurveyorSrv1": Drive(
        [f"wheel_motor0{number}" for number in range(5)],
        [f"wheel_motor0{number}" for number in range(5, 10)],
        -28.6,
        0.4,
        None,
        0.374,
    ),
    # e-Manual of the TurtleBot3: Waffle Pi of 1.8 kg with 0.26 m/s, wheels 287 mm apart.
    "TurtleBot3Waffle": Drive(["left wheel motor"], ["right wheel motor"], 7.88, 0.26, 0.306, 1.8),
    # rosbot_xl_description of Husarion: 3.704 kg, and 0.19 kg of the lidar; data sheet: 0.8 m/s.
    "RosbotXl": Drive(
        ["fl_wheel_joint", "rl_wheel_joint"], ["fr_wheel_joint", "rr_wheel_joint"], 16, 0.8, None, 3.894
    ),
    # Create open interface: up to 500 mm/s, wheels 258 mm apart; sizes and mass of the original model.
    "Create": Drive(["left wheel motor"], ["right wheel motor"], 16.129, 0.5, 0.298, 2.4),
    # Pioneer 3-AT data sheet: 12 kg, 0.7 m/s.
    "Pioneer3at": Drive(
        ["front left wheel", "back left wheel"], ["front right wheel", "back right wheel"], 6.4, 0.7, None, 12
    ),
    # Sizes of the original model: wheels with a radius of 29.9 mm.
    "JetBot": Drive(["left_wheel_hinge"], ["right_wheel_hinge"], 10, 0.299, 0.1194, 0.64),
    # pmb2_description of PAL Robotics: 28.27 kg, wheels with a radius of 98.5 mm; data sheet: 1 m/s.
    "TiagoBase": Drive(["wheel_left_joint"], ["wheel_right_joint"], 10.1523, 1.0, 0.444, 32.474),
    # moose_description of Clearpath: 1590 kg and eight wheels of 16.8 kg with a radius of 317.5 mm.
    "Moose": Drive(
        [f"left motor {number}" for number in (1, 2, 3, 4)],
        [f"right motor {number}" for number in (1, 2, 3, 4)],
        7,
        2.22,
        None,
        1724.4,
    ),
    # summit_xl_description of Robotnik: 125 kg and four wheels of 6.5 kg.
    "SummitXlSteel": Drive(
        ["front_left_wheel_joint", "back_left_wheel_joint"],
        ["front_right_wheel_joint", "back_right_wheel_joint"],
        10,
        1.23,
        None,
        151,
    ),
}


def spin(one: Bench, drive: Drive, left: float, right: float) -> None:
    """Turn the wheels of both sides."""
    one.spin({**dict.fromkeys(drive.left, left), **dict.fromkeys(drive.right, right)})


@pytest.mark.parametrize("name", ROBOTS)
def test_it_weighs_and_drives_straight_as_fast_as_its_maker_says(name: str):
    drive = ROBOTS[name]
    with bench(f'{name} {{\n  controller "<none>"\n}}\n') as one:
        assert one.mass == pytest.approx(drive.mass, rel=0.02)
        spin(one, drive, drive.turned, drive.turned)
        one.run(2)
        start = one.place
        one.run(1)
        way = one.place - start
        assert float(np.hypot(way[0], way[1])) == pytest.approx(drive.speed, rel=0.05)
        assert way[0] > 0
        assert abs(one.yaw) < 0.02
        assert one.tilt < 0.05


@pytest.mark.parametrize("name", ROBOTS)
def test_it_turns_on_the_spot(name: str):
    drive = ROBOTS[name]
    with bench(f'{name} {{\n  controller "<none>"\n}}\n') as one:
        spin(one, drive, -drive.turned / 4, drive.turned / 4)
        one.run(2)  # casters swivel first
        turned = one.turning(2)
        assert turned > 0
        if drive.axle is not None:
            assert turned / 2 == pytest.approx(2 * drive.speed / 4 / drive.axle, rel=0.08)
        # The JetBot's origin circles about the axle's middle, a quarter of the axle behind it.
        assert math.hypot(*one.place[:2]) < 0.55 * (drive.axle or 1)


@pytest.mark.parametrize("name", [*ROBOTS, "BB-8", "Crazyflie", "Mavic2Pro", "Nao"])
def test_it_stands_still(name: str):
    with bench(f'{name} {{\n  controller "<none>"\n}}\n', "basicTimeStep 32") as one:
        one.run(1)
        start = one.place
        one.run(59)
        assert float(np.abs(one.place - start).max()) < 0.002
        assert abs(one.yaw) < 0.01


def test_a_bb_8_rolls_where_its_weight_leads_and_turns_its_head():
    # Its film size rolls at 2.19 m/s (4.9 mph) at 8.72 rad/s.
    with bench("BB-8 {\n}\n") as one:
        assert one.mass == pytest.approx(26.05)
        one.run(5)
        assert float(np.abs(one.place[:2]).max()) < 0.01
        one.drive(body_pitch_motor=2.0, head_yaw_motor=1.0)
        one.run(4)
        start = one.place
        one.run(2)
        assert float(np.linalg.norm(one.place - start)) / 2 == pytest.approx(2.0 * 0.25, rel=0.15)


def test_a_summit_drives_sideways_on_its_mecanum_wheels():
    mats = "".join(
        f'''
    ContactProperties {{
      material1 "{kind}WheelMat"
      coulombFriction [
        0, 2, 0
      ]
      frictionRotation {turn} 0
      bounce 0
      forceDependentSlip [
        10, 0
      ]
    }}'''
        for kind, turn in (("Interior", -0.785398), ("Exterior", 0.785398))
    )
    with bench(
        'SummitXlSteel {\n  controller "<none>"\n}\n', f"basicTimeStep 16\n  contactProperties [{mats}\n  ]"
    ) as one:
        one.spin(
            {
                f"{end}_{side}_wheel_joint": 4.0 * sign
                for end, side, sign in [
                    ("front", "left", 1),
                    ("back", "right", 1),
                    ("front", "right", -1),
                    ("back", "left", -1),
                ]
            }
        )
        one.run(4)
        x, y, _ = one.place
        assert abs(y) > 4 * abs(x)
        assert abs(y) > 0.5


def test_a_create_has_the_devices_of_its_remote_control():
    robot = made("Create {\n}\n")
    names = {one.get("name") for kind in KINDS for one in parts(robot, kind)}
    assert {*create2.MOTORS, *create2.COUNTERS, *create2.CLIFFS, create2.POWER_LED} <= names
    assert {"bumper_left", "bumper_right", "led_play", "led_step"} <= names
