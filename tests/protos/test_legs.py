"""Robots on legs weigh, stand and move as their makers and their original models say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import made, parts, pose

ATLAS_JOINTS = ["BackLbz", "BackMby", "BackUbx", "NeckAy"] + [
    f"{side}{joint}"
    for side in "LR"
    for joint in "ArmUsy ArmShx ArmEly ArmElx ArmUwy ArmMwx LegUhz LegMhx LegLhy LegKny LegUay LegLax".split()
]
KHR_JOINTS = ["Head", "Waist"] + [
    f"{side}{joint}"
    for side in ("Left", "Right")
    for joint in "Shoulder Arm Elbow Forearm FemurHead1 FemurHead2 Femur Crus Ankle Foot".split()
]


def highest(name: str) -> float:
    """Height in m of the highest joint above the lowest one."""
    robot = made(f"{name} {{\n}}\n")
    heights = [pose(one, robot)[0][2] for one in parts(robot, "Solid")]
    return max(heights) - min(heights)


@pytest.mark.parametrize(
    ("name", "joints", "mass", "height"),
    [
        # atlas_description of drcsim, simple shapes: 89 kg and the head; from the ankles to the neck.
        ("Atlas", ATLAS_JOINTS, 90.4, 1.416),
        # Kondo: 1.5 kg; from the feet to the neck of the 401 mm.
        ("Khr3hv", KHR_JOINTS, 1.5, 0.327),
    ],
)
def test_a_humanoid_has_the_joints_and_the_mass_of_its_source(name, joints, mass, height):
    robot = made(f"{name} {{\n}}\n")
    assert sorted(one.get("name") for one in parts(robot, "RotationalMotor")) == sorted(joints)
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(mass, rel=0.02)
    assert highest(name) == pytest.approx(height, rel=0.02)


@pytest.mark.parametrize("name", ["Atlas", "Khr3hv"])
def test_the_sides_of_a_humanoid_mirror_each_other(name: str):
    robot = made(f"{name} {{\n}}\n")
    places = {one.get("name"): pose(one, robot)[0] for one in parts(robot, "Solid")}
    sides = [("Left", "Right")] if name == "Khr3hv" else [("LArm", "RArm"), ("LLeg", "RLeg")]
    for left, right in sides:
        for one, (x, y, z) in places.items():
            if one.startswith(left):
                assert places[one.replace(left, right)] == pytest.approx((x, -y, z), abs=4e-4)


def test_a_khr_3hv_stands_and_raises_an_arm():
    with bench('Khr3hv {\n  translation 0 0 0.3398\n  controller "<none>"\n}\n') as one:
        one.run(1)
        one.move({"LeftShoulder": -1.5})
        one.run(3)
        angles = {
            node.get("name"): axis.position for node, axis in one.simulation.physics.handles.axes.items()
        }
        assert any(angle == pytest.approx(-1.5, abs=0.02) for angle in angles.values())
        assert one.tilt < 0.05


def test_a_ghostdog_stands_for_a_minute_on_its_springs_and_leans_as_its_hips_turn():
    with bench('GhostDog {\n  translation 0 0 0.287\n  controller "<none>"\n}\n') as one:
        one.run(2)
        start = one.place
        one.run(58)
        assert float(np.abs(one.place - start).max()) < 0.02
        assert one.tilt < math.radians(3)
        # The hips turn the legs forward, so that the body moves backward over its feet.
        one.move({f"hip{number}": 0.2 for number in range(4)})
        one.run(1)
        assert abs(one.place[0] - start[0]) > 0.02
        assert one.tilt < math.radians(10)
