"""The NAO has the devices that controllers call and the masses of its maker, and stands, walks and turns."""

from __future__ import annotations

import math

import pytest

from tests.conftest import CHECKOUT
from tests.protos.bench import Bench, bench, play
from tests.protos.models import load, made, named, parts

MOTIONS = CHECKOUT / "motions"
GROUND = """basicTimeStep 20
  contactProperties [
    ContactProperties {
      material1 "NAO foot material"
      coulombFriction [
        7
      ]
    }
  ]"""

# Joints and devices by the names in the maker's documentation and in the demo controllers of Webots.
SIDED = """
ShoulderPitch ShoulderRoll ElbowYaw ElbowRoll HipYawPitch HipRoll HipPitch KneePitch AnklePitch AnkleRoll
""".split()
JOINTS = ["HeadYaw", "HeadPitch", *(side + name for side in "LR" for name in SIDED)]
WITH_HANDS = ["WristYaw", *(f"Phalanx{number}" for number in range(1, 9))]
OTHERS = {
    "Camera": ["CameraTop", "CameraBottom"],
    "DistanceSensor": ["Sonar/Left", "Sonar/Right"],
    "TouchSensor": [
        *(f"{side}Foot/Bumper/{word}" for side in "LR" for word in ("Left", "Right")),
        *("LFsr", "RFsr"),
    ],
    "LED": [
        *("ChestBoard/Led", "RFoot/Led", "LFoot/Led"),
        *(f"{part}/Led/{side}" for part in ("Face", "Ears") for side in ("Right", "Left")),
    ],
    "Accelerometer": ["accelerometer"],
    "Gyro": ["gyro"],
    "GPS": ["gps"],
    "InertialUnit": ["inertial unit"],
    "Emitter": ["emitter", "super_emitter"],
    "Receiver": ["receiver"],
}

# Sum of the links' masses (kg) in nao_description, naoV50 and naoV33, without those of 2 mg.
MASSES = {"V5 (red)": 5.3053, "V3.3": 5.0059}


@pytest.mark.parametrize(("version", "hands"), [("V5 (blue)", True), ("V4 (orange)", False)])
def test_it_has_the_devices_that_controllers_call(version: str, hands: bool):
    robot = made(f'Nao {{\n  version "{version}"\n  degreeOfFreedom 21\n}}\n')
    joints = [*JOINTS, *(side + name for side in "LR" for name in WITH_HANDS if hands)]
    assert sorted(one.get("name") for one in parts(robot, "RotationalMotor")) == sorted(joints)
    assert sorted(one.get("name") for one in parts(robot, "PositionSensor")) == sorted(
        f"{one}S" for one in joints
    )
    for kind, names in OTHERS.items():
        assert sorted(one.get("name") for one in parts(robot, kind)) == sorted(names)
    assert robot.get("model") == ("NAO_H25_V5 (blue)" if hands else "NAO_H21_V4 (orange)")


def test_limits_are_those_of_the_maker():
    robot = made("Nao {\n}\n")
    for name, low, high, speed in [
        ("HeadPitch", -0.671952, 0.514872, 7.19407),
        ("LShoulderRoll", -0.314159, 1.32645, 7.19407),
        ("RShoulderRoll", -1.32645, 0.314159, 7.19407),
        ("LKneePitch", -0.0923279, 2.11255, 6.40239),
        ("RAnkleRoll", -0.768992, 0.397761, 4.16174),
    ]:
        motor = named(robot, name)
        found = (motor.get("minPosition"), motor.get("maxPosition"), motor.get("maxVelocity"))
        assert found == pytest.approx((low, high, speed))


@pytest.mark.parametrize("version", MASSES)
def test_it_weighs_what_the_maker_says_and_stands(version: str):
    with bench(f'Nao {{\n  version "{version}"\n}}\n', GROUND) as one:
        assert one.mass == pytest.approx(MASSES[version], rel=0.005)
        one.run(10)
        # The height of the torso above the sole: hips 0.085 m, thigh 0.1, shank 0.1029, ankle 0.04511.
        assert one.place == pytest.approx((0, 0, 0.333), abs=0.002)
        assert one.tilt < math.radians(1)


def test_fixed_hands_weigh_as_much_as_hands_with_fingers():
    with bench('Nao {\n  version "V4 (blue)"\n  degreeOfFreedom 21\n}\n', GROUND) as one:
        assert one.mass == pytest.approx(5.1953, rel=0.001)


def bent(one: Bench) -> None:
    """Bring arms and legs to where the walks start."""
    for side, sign in (("L", 1), ("R", -1)):
        one.move(
            {f"{side}ShoulderPitch": 1.5, f"{side}ShoulderRoll": 0.15 * sign, f"{side}ElbowRoll": -0.5 * sign}
        )
        one.move({f"{side}HipPitch": -0.5, f"{side}KneePitch": 1.0, f"{side}AnklePitch": -0.5})
    one.run(1)


@pytest.mark.parametrize(
    ("name", "way", "angle"),
    [
        ("Forwards50", (0.225, 0), 0),
        ("TurnLeft40", (0, 0), 40),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in [
                ("Backwards", (-0.075, 0), 0),
                ("SideStepLeft", (0, 0.04), 0),
                ("TurnRight60", (0, 0), -60),
                ("Shoot", (0, 0), 0),
            ]
        ),
    ],
)
def test_it_walks_and_turns_with_motion_files(name: str, way: tuple[float, float], angle: float):
    with bench("Nao {\n}\n", GROUND) as one:
        bent(one)
        start = one.place
        play(one, MOTIONS / f"{name}.motion")
        one.run(1)
        moved = one.place - start
        assert tuple(moved[:2]) == pytest.approx(way, abs=0.03)
        assert math.degrees(one.yaw) == pytest.approx(angle, abs=4)
        assert one.tilt < math.radians(2)
        assert one.place[2] == pytest.approx(0.306, abs=0.005)


@pytest.mark.slow
def test_it_walks_on_plain_ground_in_steps_of_32_ms():
    with bench("Nao {\n}\n", "basicTimeStep 32") as one:
        bent(one)
        play(one, MOTIONS / "Forwards50.motion")
        one.run(1)
        assert one.place[0] > 0.18
        assert one.tilt < math.radians(2)


def test_motions_that_controllers_load_have_the_joints_of_the_model():
    joints = {one.get("name") for one in parts(made("Nao {\n}\n"), "RotationalMotor")}
    paths = sorted(MOTIONS.glob("*.motion"))
    assert {"Forwards", "Forwards50", "Backwards", "TurnLeft40", "TurnRight40", "HandWave"} <= {
        path.stem for path in paths
    }
    for path in paths:
        header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
        assert header[:2] == ["#WEBOTS_MOTION", "V1.0"]
        assert set(header[2:]) <= joints


def test_more_than_one_custom_color_is_told():
    world = load("Nao {\n  customColor [\n    1 0 0\n    0 1 0\n  ]\n}\n")
    assert any("customColor has 2 colors" in note for note in world.report.notes)
