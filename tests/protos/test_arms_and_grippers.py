"""Arms weigh, reach and hold what their makers say; grippers close, and hold a box against its weight."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import FILES, apply, made, named, parts, pose
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

# Mass (kg) without the base, and payload (kg), as the makers tell (UR: ur_description, BSD; ABB: product
# specification without 80 kg of base, or 560 kg; Franka: franka_description, Apache License, without link 0;
# Kinova: kortex_description, BSD, without base_link). PUMA: Armstrong, Khatib and Burdick, 1986.
ARMS = {
    "UR3e": (8.80, 3),
    "UR10e": (29.10, 12.5),
    "Irb4600-40": (360, 40),
    "Panda": (16.06, 3),
    "Irb4400": (480, 60),
    "Kinova_Gen3_7DOF": (6.492, 4),
    "Puma560": (36.45, 2.5),
}
SLOTS = {
    "UR3e": "toolSlot",
    "UR10e": "toolSlot",
    "Irb4600-40": "handSlot",
    "Panda": "endEffectorSlot",
    "Irb4400": "handSlot",
    "Kinova_Gen3_7DOF": "endEffectorSlot",
    "Puma560": "gripperSlot",
}
GRIPPERS = {
    "Robotiq3fGripper": 2.3,
    "Robotiq2f85Gripper": 0.925,
    "Robotiq2f140Gripper": 1.025,
    "PandaHand": 0.76,
}


def simulated(body: str) -> Simulation:
    """A world of the newest release with the models that `body` names."""
    names = [name for name in FILES if f"{name} {{" in body]
    externs = "".join(f'EXTERNPROTO "{FILES[name].as_posix()}"\n' for name in names)
    text = f"#VRML_SIM R2025a utf8\n{externs}WorldInfo {{\n  basicTimeStep 8\n}}\n{body}"
    return Simulation(load_text(text, str(CHECKOUT / "worlds" / "none.wbt")))


@pytest.mark.parametrize("name", ARMS)
def test_an_arm_weighs_what_its_maker_says(name: str):
    arm = made(f"{name} {{\n  {SLOTS[name]} [ ]\n}}\n")
    links = [one.get("mass") for one in parts(arm, "Physics") if one.parent is not arm]
    assert sum(links) == pytest.approx(ARMS[name][0], rel=0.02)


@pytest.mark.parametrize("name", GRIPPERS)
def test_a_gripper_weighs_what_its_maker_says(name: str):
    gripper = made(f"{name} {{\n}}\n")
    assert sum(one.get("mass") for one in parts(gripper, "Physics")) == pytest.approx(
        GRIPPERS[name], rel=0.02
    )


@pytest.mark.parametrize("name", ARMS)
def test_an_arm_holds_its_payload(name: str):
    load = (
        "Solid {\n  boundingObject Box {\n    size 0.05 0.05 0.05\n  }\n"
        f"  physics Physics {{\n    density -1\n    mass {ARMS[name][1]}\n  }}\n}}"
    )
    with simulated(f"{name} {{\n  {SLOTS[name]} [\n    {load}\n  ]\n}}\n") as simulation:
        axes = list(simulation.physics.handles.axes.values())
        before = [one.position for one in axes]
        simulation.run(0.5)
        after = [one.position for one in axes]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < math.radians(1)


@pytest.mark.parametrize(
    ("name", "d1", "a2", "a3", "d4", "d5", "d6"),
    [
        ("UR3e", 0.15185, 0.24355, 0.2132, 0.13105, 0.08535, 0.0921),
        ("UR10e", 0.1807, 0.6127, 0.57155, 0.17415, 0.11985, 0.11655),
    ],
)
def test_the_flange_of_an_arm_is_where_the_maker_s_figures_put_it(name, d1, a2, a3, d4, d5, d6):
    arm = made(f"{name} {{\n  toolSlot [\n    GPS {{\n    }}\n  ]\n}}\n")
    place, turn = pose(parts(arm, "GPS")[0], arm)
    assert place == pytest.approx((a2 + a3, d4 + d6, d1 - d5), abs=0.002)
    assert apply(turn, (0, 1, 0)) == pytest.approx((0, 1, 0), abs=1e-6)


def test_the_hand_of_the_panda_reaches_where_the_description_puts_it():
    # Modified Denavit-Hartenberg parameters of franka_description at q = 0 0 0 -1.7708 0 1.6 0.79.
    arm = made("Panda {\n  endEffectorSlot [\n    GPS {\n    }\n  ]\n}\n")
    place, turn = pose(parts(arm, "GPS")[0], arm)
    down = 1.7708 - 1.6  # how far the hand leans from straight down
    elbow = (0.0825, 0.333 + 0.316)
    a = -1.7708
    wrist = (
        elbow[0] - 0.0825 * math.cos(a) - 0.384 * math.sin(a),
        elbow[1] - 0.0825 * math.sin(a) + 0.384 * math.cos(a),
    )
    assert turn[2][2] == pytest.approx(-math.cos(down), abs=0.02)
    assert math.hypot(place[0] - wrist[0], place[2] - wrist[1]) == pytest.approx(
        math.hypot(0.088, 0.107), abs=0.002
    )


def test_the_flange_of_a_gen3_is_where_its_description_puts_it():
    # User guide of the Gen3 with seven joints: 1187.3 mm high when it stands straight up.
    arm = made("Kinova_Gen3_7DOF {\n  endEffectorSlot [\n    GPS {\n    }\n  ]\n}\n")
    place, turn = pose(parts(arm, "GPS")[0], arm)
    assert place == pytest.approx((0, -0.0246, 1.1873), abs=0.002)
    assert turn[2][2] == pytest.approx(1)


def test_the_flange_of_an_irb_4400_is_where_its_specification_puts_it():
    # Product specification 3HAC 9117-1: 680, 200, 890, 150, 880 and 140 mm; speeds in degrees per second.
    arm = made("Irb4400 {\n  handSlot [\n    GPS {\n    }\n  ]\n}\n")
    place, _ = pose(parts(arm, "GPS")[0], arm)
    assert place == pytest.approx((0.2 + 0.88 + 0.14, 0, 0.68 + 0.89 + 0.15), abs=0.001)
    speeds = [math.degrees(one.get("maxVelocity")) for one in parts(arm, "RotationalMotor")]
    assert speeds == pytest.approx([150, 120, 120, 225, 250, 330], abs=0.1)


def test_the_wrist_of_a_puma_560_is_where_its_figures_put_it():
    # Corke and Armstrong, 1994: a2 = 0.4318 m, d4 = 0.433 m, a3 = 0.0203 m; d3 is 0.15 m.
    arm = made("Puma560 {\n}\n")
    upper, fore, hand = (pose(named(arm, name), arm)[0] for name in ("upper_arm", "forearm", "hand"))
    assert math.hypot(fore[1] - upper[1], fore[2] - upper[2]) == pytest.approx(0.4318, rel=0.03)
    assert hand[2] - fore[2] == pytest.approx(0.433, rel=0.02)
    assert abs(hand[1] - fore[1]) == pytest.approx(0.0203, abs=0.001)
    assert math.hypot(hand[0]) == pytest.approx(0.15, abs=0.001)


def test_motors_and_ranges_of_the_irb_4600():
    arm = made("Irb4600-40 {\n}\n")
    assert [one.get("name") for one in parts(arm, "RotationalMotor")] == [
        f"{letter} motor" for letter in "ABCDEF"
    ]
    assert [one.get("name") for one in parts(arm, "PositionSensor")] == [
        f"{letter} sensor" for letter in "ABCDEF"
    ]
    # product specification 3HAC032885: 175, 175, 175, 250, 360 and 500 degrees per second
    speeds = [math.degrees(one.get("maxVelocity")) for one in parts(arm, "RotationalMotor")]
    assert speeds == pytest.approx([175, 175, 175, 250, 360, 500], abs=0.1)


def test_the_three_fingers_have_the_motors_that_users_call():
    gripper = made("Robotiq3fGripper {\n}\n")
    for finger in ("finger_1", "finger_2", "finger_middle"):
        for joint in (1, 2, 3):
            named(gripper, f"{finger}_joint_{joint}")
            named(gripper, f"{finger}_joint_{joint}_sensor")
    assert named(gripper, "finger_1_joint_1").get("minPosition") == 0.0495
    named(gripper, "palm_finger_1_joint")
    named(gripper, "palm_finger_2_joint_sensor")


CONTROLLER = """\
from controller import Robot

robot = Robot()
for name in {motors}:
    robot.getDevice(name).setPosition({target})
robot.step(800)
robot.getDevice("lift").setPosition(0.1)
while robot.step(8) != -1:
    pass
"""
WORLD = """\
#VRML_SIM R2025a utf8
EXTERNPROTO "{model}"
WorldInfo {{
  basicTimeStep 8
}}
Robot {{
  translation 0 0 1
  controller "grip"
  children [
    SliderJoint {{
      jointParameters JointParameters {{
        axis 0 0 1
      }}
      device LinearMotor {{
        name "lift"
        maxVelocity 0.1
        maxForce 300
      }}
      endPoint Solid {{
        children [
          {name} {{
            translation 0 0 0
            rotation {turn}
          }}
        ]
        boundingObject Box {{
          size 0.02 0.02 0.02
        }}
        physics Physics {{
          density -1
          mass 1
        }}
      }}
    }}
  ]
}}
Solid {{
  translation 0 0 {table}
  boundingObject Box {{
    size 0.04 0.04 0.02
  }}
}}
Solid {{
  translation 0 0 {place}
  name "load"
  boundingObject Box {{
    size {size} {size} 0.06
  }}
  physics Physics {{
    density -1
    mass 0.2
  }}
}}
"""
PAIR = ["NAME::left finger joint", "NAME::right finger joint"]
THREE = ["finger_1_joint_1", "finger_2_joint_1", "finger_middle_joint_1"]
# Rotation of the gripper that points it down, size (m) of the box and its distance below, motors, target.
GRIPS = {
    "Robotiq2f85Gripper": ("1 0 0 3.1415927", 0.04, 0.14, PAIR, 0.8),
    "Robotiq2f140Gripper": ("1 0 0 3.1415927", 0.06, 0.2, PAIR, 0.7),
    "Robotiq3fGripper": ("1 0 0 -1.5707963", 0.05, 0.18, THREE, 1.0),
}


@pytest.mark.parametrize("name", GRIPS)
def test_a_gripper_lifts_a_box_of_200_grams(name: str, tmp_path: Path):
    turn, size, below, motors, target = GRIPS[name]
    folder = tmp_path / "controllers" / "grip"
    folder.mkdir(parents=True)
    motors = [one.replace("NAME", made(f"{name} {{\n}}\n").get("name")) for one in motors]
    (folder / "grip.py").write_text(CONTROLLER.format(motors=motors, target=target))
    (tmp_path / "worlds").mkdir()
    world = tmp_path / "worlds" / "grip.wbt"
    model, place = FILES[name].as_posix(), 1 - below
    world.write_text(
        WORLD.format(model=model, name=name, turn=turn, size=size, place=place, table=place - 0.04)
    )
    recording = tmp_path / "run.npz"
    options = ["--inline", "--duration", "2.5", "--record", str(recording), "--quiet"]
    command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    with np.load(recording) as recorded:
        heights = recorded["positions"][:, list(recorded["names"]).index("load"), 2]
    # three fingers also draw the box into the palm while they close
    assert 0.09 < heights[-1] - heights[0] < 0.16
