"""TIAGos weigh what their maker says, stand, and lift, nod and reach as far as they should."""

from __future__ import annotations

import math

import pytest

from tests.protos.bench import bench
from tests.protos.models import made, named, parts, pose
from wbridge.wbcore.scene.load import load_text

# Sums of the links' masses (kg) in pmb2_description and tiago_description (wrist of 2010);
# the gripper and the cover of the base are those of Webots.
BASE = 28.26649 + 0.25821 + 2 * 1.82362 + 4 * (0.05144761 + 0.08855784)
BODY = BASE + 14.0136 + 6.93198 + 0.6222 + 0.66123
ARM = 1.563428 + 1.800397 + 1.8 + 1.432697 + 1.655819 + 0.370063 + 0.234252 + 0.1
GRIPPER = 1 + 2 * 0.10998
SIDES = ("Right", "Left")


@pytest.mark.parametrize(
    ("name", "mass"),
    [
        ("TiagoLite", BODY),
        ("TiagoIron", BODY),
        ("TiagoSteel", BODY + ARM + GRIPPER),
        ("Tiago", BODY + ARM + GRIPPER),
    ],
)
def test_it_weighs_what_its_maker_says_and_stands_still(name: str, mass: float):
    with bench(f'{name} {{\n  controller "<none>"\n  cameraSlot [ ]\n  lidarSlot [ ]\n}}\n') as one:
        assert one.mass == pytest.approx(mass, rel=0.001)
        one.run(1)
        start = one.place
        one.run(4)
        assert abs(one.place - start).max() < 0.003
        assert one.tilt < 0.02


def test_the_torso_lifts_by_35_cm_and_the_head_turns_and_nods():
    gps = 'cameraSlot [\n    GPS {\n      name "eye"\n    }\n  ]'
    with bench(f'TiagoLite {{\n  controller "<none>"\n  {gps}\n}}\n') as one:
        one.run(0.1)
        eye = named(one.robot, "eye")
        low = pose(eye, one.robot)[0][2] + one.place[2]
        # Data sheet: 1.1 to 1.45 m tall.
        assert low == pytest.approx(1.07, abs=0.04)
        one.move({"torso_lift_joint": 0.35, "head_1_joint": 1.2, "head_2_joint": 0.7})
        one.run(6)
        axes = one.simulation.physics.handles.axes
        ends = {str(node.get("name")): axis.position for node, axis in axes.items()}
    assert ends["torso_lift_joint_sensor"] == pytest.approx(0.35, abs=0.001)
    assert ends["head_1_joint_sensor"] == pytest.approx(1.2, abs=0.001)
    assert ends["head_2_joint_sensor"] == pytest.approx(0.7, abs=0.001)


def test_the_stretched_arm_is_as_long_as_the_sum_of_its_links():
    arm = made("TiagoFrontArm {\n  endEffectorSlot [\n    GPS {\n    }\n  ]\n}\n")
    x, y, _ = pose(parts(arm, "GPS")[0], arm)[0]
    # Origins of the joints in arm.urdf.xacro and wrist.urdf.xacro.
    length = 0.125 + 0.0895 + 0.222 + 0.162 + 0.15 + 0.0573
    assert math.hypot(x - 0.15505, y - 0.014) == pytest.approx(length, abs=0.02)
    assert math.atan2(y - 0.014, x - 0.15505) == pytest.approx(-math.pi / 2 + 0.07, abs=0.05)


def test_the_arms_of_a_tiago_with_two_start_stretched_out_to_the_sides():
    """Places of the links in Webots' PROTOs of the arms: the right ones mirror the left ones."""
    slots = "".join(
        f'  endEffector{side}Slot [\n    GPS {{\n      name "{side}"\n    }}\n  ]\n' for side in SIDES
    )
    robot = made("Tiago++ {\n" + slots + "}\n")
    for name in ("1", "2", "3", "4", "5", "6", "7"):
        right, left = (pose(named(robot, f"arm_{side.lower()}_{name}_link"), robot)[0] for side in SIDES)
        assert right == pytest.approx((left[0], -left[1], left[2]), abs=2e-3)
    ends = {side: pose(named(robot, side), robot) for side in SIDES}
    # From shoulder to wrist: 0.194 + 0.125 + 0.0872 + 0.222 + 0.162 + 0.15 + 0.055 + 0.0127 m.
    assert {side: place[1] for side, (place, _) in ends.items()} == pytest.approx(
        {"Right": -1.0079, "Left": 1.0079}, abs=1e-3
    )
    # Grippers point along their y axis: outwards.
    assert {side: turn[1][1] for side, (_, turn) in ends.items()} == pytest.approx(
        {"Right": -1, "Left": 1}, abs=1e-4
    )


def test_two_arms_go_to_their_limits():
    """Ranges of Webots' PROTOs."""
    with bench('Tiago++ {\n  controller "<none>"\n}\n') as one:
        one.run(0.1)
        one.move({f"arm_{side}_{joint}_joint": 9 for side in ("left", "right") for joint in (4, 7)})
        one.run(6)
        axes = one.simulation.physics.handles.axes
        ends = {str(node.get("name")): axis.position for node, axis in axes.items()}
    for side in ("left", "right"):
        assert ends[f"arm_{side}_4_joint_sensor"] == pytest.approx(2.29, abs=0.01)
        assert ends[f"arm_{side}_7_joint_sensor"] == pytest.approx(2.07, abs=0.01)


@pytest.mark.parametrize(
    ("release", "sensors"),
    [
        ("R2019a", "finger_joint_sensor"),
        ("R2022b", "finger_joint_sensor"),
        ("R2023b", "sensor_finger_joint"),
        ("R2025a", "sensor_finger_joint"),
    ],
)
def test_the_gripper_s_sensors_have_the_names_of_the_release(release: str, sensors: str):
    text = f"#VRML_SIM {release} utf8\nWorldInfo {{\n}}\nTiagoSteel {{\n}}\n"
    world = load_text(text)
    names = [str(node.get("name")) for node in parts(world.nodes[-1], "PositionSensor")]
    assert {f"gripper_{side}_{sensors}" for side in ("left", "right")} <= set(names)
