"""Reports about mass, meshes, sensors and angles in converters, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.importers.test_public_reports import (
    BODY,
    PLAIN,
    SPHERE,
    WORLD,
    converted,
    hinge,
    inertia,
    mjcf,
    named,
    rpy,
    stl,
    urdf,
)
from tests.supervisor.bench import ARM, Bench
from wbridge.hal.client import session
from wbridge.wbcore.physics.pose import axis_angle, matrix
from wbridge.wbcore.simulation import Simulation

LINKS = f'{WORLD}<link name="a">{PLAIN}</link><link name="b">%s{SPHERE}</link>'


@pytest.mark.parametrize("angles", ["0 0 1.5707963", "0.3 -0.4 0.5"])
def test_mujoco_3559_the_frame_of_an_inertia_turns_it_in_urdf(tmp_path: Path, angles: str):
    """google-deepmind/mujoco#3559: R diag(1, 2, 2.5) R^T; for a quarter turn about z diag(2, 1, 2.5)."""
    body = BODY % ("0 0 0", angles, 3, 1, 0, 0, 2, 0, 2.5)
    world = urdf(tmp_path, LINKS % body + hinge())
    turn = rpy(*map(float, angles.split()))
    assert inertia(named(world, "b")) == pytest.approx(turn @ np.diag([1, 2, 2.5]) @ turn.T, abs=1e-6)


@pytest.mark.parametrize("angles", ["0 0 0", "1.5707963 0.2 -0.3"])
def test_bullet_4240_the_frame_of_an_inertia_leaves_the_axis_alone(tmp_path: Path, angles: str):
    """bulletphysics/bullet3#4240: the axis 0 1 0 stays 0 1 0 whatever the inertial frame is."""
    body = BODY % ("0.1 0 0", angles, 3, 1, 0, 0, 2, 0, 2.5)
    limit = '<limit lower="-1" upper="1" effort="5" velocity="9"/>'
    world = urdf(tmp_path, LINKS % body + hinge(extra=f'<origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>{limit}'))
    joint = next(node for node in world.walk() if node.type == "HingeJoint")
    assert joint.get("jointParameters").root.get("axis") == pytest.approx((0, 1, 0), abs=1e-9)


def test_urdf2webots_92_the_center_of_mass_comes_with_the_inertia(tmp_path: Path):
    """cyberbotics/urdf2webots#92, #179: the origin of the inertia is the center of mass, 0 0 0 too."""
    for place in ("0 0 0", "0.1 -0.2 0.3"):
        world = urdf(tmp_path, LINKS % (BODY % (place, "0 0 0", 2, 0.1, 0, 0, 0.1, 0, 0.1)) + hinge())
        physics = named(world, "b").get("physics").root
        assert [tuple(one) for one in physics.get("centerOfMass")] == [
            pytest.approx(tuple(map(float, place.split())))
        ]
        assert (physics.get("mass"), physics.get("density")) == (2, -1)


def test_urdf2webots_153_a_mesh_in_two_sizes(tmp_path: Path):
    """cyberbotics/urdf2webots#153: each use of a mesh keeps its own scale and place."""
    stl(tmp_path / "m.stl")
    shapes = "".join(
        f'<visual><origin xyz="{x} 0 0"/><geometry><mesh filename="m.stl" scale="{s} {s} '
        f'{s}"/></geometry></visual>'
        for x, s in ((1, 0.001), (2, 0.5))
    )
    world = urdf(tmp_path, LINKS % (PLAIN + shapes) + hinge())
    simulation = Simulation(world)
    assert simulation.findings == []
    scales = sorted(
        node.get("scale")[0]
        for node in world.walk()
        if node.type == "Transform" and node.get("scale") != (1, 1, 1)
    )
    assert scales == [pytest.approx(0.001), pytest.approx(0.5)]


MIMIC = (
    '<link name="c">%s</link><joint name="k" type="%s"><parent link="a"/><child link="c"/><axis xyz="0 0 1"/>'
    '<limit lower="-3" upper="3" effort="50" velocity="9"/><mimic joint="j" multiplier="%s" '
    'offset="%s"/></joint>'
)


@pytest.mark.parametrize(("kind", "multiplier"), [("revolute", 1.0), ("revolute", -2.0), ("prismatic", 0.5)])
def test_genesis_3270_a_mimic_joint_follows_with_its_own_factor(tmp_path: Path, kind: str, multiplier: float):
    """Genesis-Embodied-AI/genesis-world#3270: q' = multiplier q: the coupled motor's factor."""
    extra = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="50" velocity="9"/>'
    world = urdf(
        tmp_path, LINKS % PLAIN + hinge(kind, extra=extra) + MIMIC % (PLAIN + SPHERE, kind, multiplier, 0)
    )
    factors = {
        node.get("name"): node.get("multiplier") for node in world.walk() if node.type.endswith("Motor")
    }
    assert len(factors) == 2, factors
    (leader,) = [name for name in factors if name.endswith("::j")]
    (follower,) = [name for name in factors if name != leader]
    assert factors[follower] / factors[leader] == pytest.approx(multiplier)
    assert leader.split("::")[0] == follower.split("::")[0], "coupled by name"


@pytest.mark.parametrize("fixed", ["0 0 0", "0.4 -0.2 0.9"])
def test_sdformat_378_a_sensor_of_a_fixed_link_keeps_its_pose(tmp_path: Path, fixed: str):
    """gazebosim/sdformat#378, #65: a camera 1 2 3 from a link that is fixed to another one with a turn."""
    text = (
        f'{WORLD}<link name="a">{PLAIN}</link><link name="tool">{PLAIN}</link>'
        f'<joint name="f" type="fixed"><parent link="a"/><child link="tool"/><origin xyz="0.5 0 0" '
        f'rpy="{fixed}"/></joint>'
        '<gazebo reference="tool"><sensor type="camera" name="eye"><pose>1 2 3 0 0 0</pose><camera><image>'
        "<width>8</width><height>8</height></image></camera></sensor></gazebo>"
    )
    world = urdf(tmp_path, text)
    node = next(node for node in world.walk() if node.type == "Camera")
    place = np.eye(4)
    while node is not None:
        if "translation" in node.spec.fields:
            step = np.eye(4)
            *axis, angle = node.root.get("rotation")
            step[:3, :3] = matrix(axis_angle(tuple(axis), angle))
            step[:3, 3] = node.root.get("translation")
            place = step @ place
        node = node.parent
    turn = rpy(*map(float, fixed.split()))
    assert place[:3, 3] == pytest.approx(np.array([0.5, 0, 0]) + turn @ [1, 2, 3], abs=1e-6)


def test_sdformat_131_a_fixed_joint_stays_fixed(tmp_path: Path):
    """gazebosim/sdformat#131: no revolute joint comes of it."""
    text = (
        f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{PLAIN}{SPHERE}</link>'
        '<joint name="f" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>'
    )
    world = urdf(tmp_path, text)
    assert not [node for node in world.walk() if node.type.endswith("Joint")]


def test_gz_mujoco_68_angles_are_degrees_by_default(tmp_path: Path):
    """gazebosim/gz-mujoco#68, pinocchio#2526: no compiler element: degrees, xyz within the body's own
    axes.
    """
    world = mjcf(tmp_path, '<body name="b" euler="90 0 90"><geom size="0.1"/></body>')
    *axis, angle = named(world, "b").get("rotation")
    x, z = rpy(math.pi / 2, 0, 0), rpy(0, 0, math.pi / 2)
    assert matrix(axis_angle(tuple(axis), angle)) == pytest.approx(x @ z, abs=1e-6)


@pytest.mark.parametrize(("angle", "wanted"), [("radian", 0.863), ("degree", math.radians(0.863))])
def test_unreal_robotics_28_a_range_in_a_default_class_has_the_unit_of_the_file(
    tmp_path: Path, angle: str, wanted: float
):
    """URLab-Sim/UnrealRoboticsLab#28: `range` of a default class under angle="radian" is radians."""
    top = (
        f'<compiler angle="{angle}" autolimits="true"/><default><default class="x"><joint '
        f'range="-0.863 0.863"/></default></default>'
    )
    inside = '<body name="b"><joint name="j" class="x"/><geom size="0.1"/></body>'
    world = mjcf(tmp_path, inside, top)
    joint = next(node for node in world.walk() if node.type == "HingeJoint")
    parameters = joint.get("jointParameters").root
    assert (parameters.get("minStop"), parameters.get("maxStop")) == pytest.approx((-wanted, wanted))


@pytest.mark.parametrize("angle", ["radian", "degree"])
def test_mujoco_250_the_control_range_of_an_actuator_has_no_unit_of_the_compiler(tmp_path: Path, angle: str):
    """google-deepmind/mujoco#250: ctrlrange of a position actuator stays in radians."""
    top = (
        f'<compiler angle="{angle}"/><actuator><position joint="j" ctrlrange="-0.5 0.5" '
        f'ctrllimited="true"/></actuator>'
    )
    world = mjcf(tmp_path, '<body name="b"><joint name="j"/><geom size="0.1"/></body>', top)
    motor = next(node for node in world.walk() if node.type == "RotationalMotor")
    assert (motor.get("minPosition"), motor.get("maxPosition")) == pytest.approx((-0.5, 0.5))


def test_newton_2492_the_last_of_several_compiler_elements_wins(tmp_path: Path):
    """newton-physics/newton#2492: two compiler elements: attributes are merged, later ones win."""
    top = '<compiler angle="degree" eulerseq="xyz"/><compiler angle="radian"/>'
    world = mjcf(tmp_path, f'<body name="b" euler="0 0 {math.pi / 2}"><geom size="0.1"/></body>', top)
    *axis, angle = named(world, "b").get("rotation")
    assert matrix(axis_angle(tuple(axis), angle)) == pytest.approx(rpy(0, 0, math.pi / 2), abs=1e-6)


def test_urdf2webots_195_the_urdf_of_a_robot_converts_again(tmp_path: Path):
    """cyberbotics/urdf2webots#195: what getUrdf exports is read by the converter and loads."""
    b = Bench(ARM)
    try:
        b.api.getSelf().getField("children").importMFNodeFromString(
            -1, ARM[ARM.index("DEF HINGE") : ARM.rindex("]")]
        )
        b.tick()
        text = b.api.getUrdf()
    finally:
        session.activate(None)
    world = converted(tmp_path, text, "urdf")
    assert [node.type for node in world.walk() if node.type.endswith("Joint")] == ["HingeJoint"]
