"""The ROBOTIS OP2 and the DARwIn-OP weigh what their maker says, and stand."""

from __future__ import annotations

import math

import pytest

from tests.conftest import CHECKOUT
from tests.protos.bench import bench
from tests.protos.models import findings, made, named, parts, pose
from wbridge.wbcore.scene.load import load_text

MOTORS = set("Neck Head".split()) | {
    name + side
    for name in "Shoulder ArmUpper ArmLower PelvY Pelv LegUpper LegLower Ankle Foot".split()
    for side in "LR"
}


@pytest.mark.parametrize(("name", "height"), [("RobotisOp2", 0.236), ("DARwInOP", 0.236)])
def test_it_weighs_what_its_maker_says_and_stays_on_its_feet(name: str, height: float):
    with bench(f'{name} {{\n  translation 0 0 {height}\n  controller "<none>"\n}}\n') as one:
        assert set(one.motors) == MOTORS
        # Data sheet of the DARwIn-OP: 2.9 kg.
        assert one.mass == pytest.approx(2.9, abs=0.05)
        one.run(3)
        assert one.tilt < 0.1
        assert one.place[2] == pytest.approx(height, abs=0.01)


@pytest.mark.parametrize("name", ["RobotisOp2", "RobotisOp2Hinge2", "Darwin-op", "Darwin-opHinge2"])
def test_it_starts_sitting(name: str):
    """Start positions in Webots' PROTO of R2022b, which that of RobotisOp2 of R2023b is made of."""
    robot = made(f"{name} {{\n}}\n")
    starts = {
        motor.get("name"): joint.get("jointParameters").get("position")
        for joint in parts(robot, "HingeJoint")
        for motor in joint.get("device")[:1]
    }
    assert (starts["LegUpperR"], starts["LegLowerR"]) == pytest.approx((-1.15, 2.25))


def test_legs_of_op2_are_as_long_as_its_maker_says():
    robot = made("RobotisOp2 {\n}\n")
    lengths = []
    for above, below in (("LegUpperL", "LegLowerL"), ("LegLowerR", "AnkleR")):
        upper, lower = pose(named_solid(robot, above), robot)[0], pose(named_solid(robot, below), robot)[0]
        lengths.append(math.dist(upper, lower))
    assert lengths == pytest.approx([0.093, 0.093])


def named_solid(robot, name: str):
    """The link with this name."""
    return next(one for one in parts(robot, "Solid") if one.get("name") == name)


def test_darwin_looks_along_z_in_worlds_of_its_time():
    text = "#VRML_SIM V7.2.5 utf8\nWorldInfo {\n}\nViewpoint {\n}\nDARwInOP {\n}\n"
    world = load_text(text, str(CHECKOUT / "worlds" / "none.wbt"))
    assert findings(world) == []
    robot = world.nodes[-1].root
    place, turn = pose(named(robot, "Camera"), robot)
    # 0.19 rad above the 45 degrees down at which the head rests.
    assert (turn[0][0], turn[1][0], turn[2][0]) == pytest.approx(
        (0, -math.sin(0.5954), math.cos(0.5954)), abs=1e-3
    )
    left = pose(next(one for one in parts(robot, "Solid") if one.get("name") == "FootL"), robot)[0]
    assert left[0] == pytest.approx(0.037, abs=1e-3)
    assert place[1] > 0.05
