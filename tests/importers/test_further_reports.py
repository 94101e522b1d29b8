"""More of what users of converters reported as wrong, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.importers.test_public_reports import PLAIN, SPHERE, WORLD, hinge, mjcf, named, rpy, stl, urdf
from tests.supervisor.bench import Bench
from wbridge.hal.client import session
from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.scene.load import load_world

LINKS = f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{PLAIN}{SPHERE}%s</link>'


@pytest.mark.parametrize("angles", ["0 0 0", "1.5707963 0 0", "0 -1.5707963 0", "0.3 0.5 -0.7"])
def test_urdf2webots_42_an_axis_is_one_of_the_joint_s_frame(tmp_path: Path, angles: str):
    """cyberbotics/urdf2webots#42: the axis 0 1 0 of a joint that is turned by rpy is R (0 1 0)."""
    limit = '<limit lower="-2" upper="2" effort="9" velocity="9"/>'
    extra = f'<origin xyz="1 2 3" rpy="{angles}"/><axis xyz="0 1 0"/>{limit}'
    world = urdf(tmp_path, LINKS % "" + hinge(extra=extra))
    joint = next(node for node in world.walk() if node.type == "HingeJoint")
    turn = rpy(*map(float, angles.split()))
    # HingeJointParameters.axis is one of the parent's frame: the joint's axis, turned by rpy.
    parameters = joint.get("jointParameters").root
    assert parameters.get("axis") == pytest.approx(turn @ [0, 1, 0], abs=1e-6)
    assert parameters.get("anchor") == pytest.approx((1, 2, 3))
    *axis, angle = named(world, "b").get("rotation")
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    assert np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k == pytest.approx(turn, abs=1e-6)


@pytest.mark.parametrize(
    "name", ["C:\\\\Users\\\\vec\\\\base_link.STL", "package://arm/meshes/base_link.STL"]
)
def test_urdf2webots_145_a_mesh_is_found_by_its_package_or_named_in_a_message(tmp_path: Path, name: str):
    """cyberbotics/urdf2webots#145, NVIDIA/warp#204: paths of Windows and of packages: what is there is used,
    what is not is named, and the world loads."""
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    stl(tmp_path / "arm" / "meshes" / "base_link.STL")
    (tmp_path / "arm" / "urdf").mkdir()
    (tmp_path / "arm" / "package.xml").write_text("<package><name>arm</name></package>")
    source = tmp_path / "arm" / "urdf" / "robot.urdf"
    shape = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    source.write_text(f'<robot name="r">{LINKS % shape}{hinge()}</robot>')
    done = convert(source, ConvertOptions(output=tmp_path, world=tmp_path / "test.wbt"))
    told = " ".join(map(str, done.report))
    assert ("base_link.STL" in told) == name.startswith("C:")
    meshes = [node for node in load_world(tmp_path / "test.wbt").walk() if node.type == "Mesh"]
    assert len(meshes) == (0 if name.startswith("C:") else 1)


def test_urdf2webots_23_a_camera_of_gazebo_with_an_unknown_format(tmp_path: Path):
    """cyberbotics/urdf2webots#23: the format B8G8R8 is told at most; the camera has its size."""
    camera = (
        '<gazebo reference="b"><sensor type="camera" name="eye"><camera><horizontal_fov>1.2</horizontal_fov>'
        "<image><width>64</width><height>48</height><format>B8G8R8</format></image></camera></sensor></gazebo>"
    )
    world = urdf(tmp_path, LINKS % "" + hinge() + camera)
    eye = next(node for node in world.walk() if node.type == "Camera")
    assert (eye.get("width"), eye.get("height"), eye.get("fieldOfView")) == (64, 48, pytest.approx(1.2))


def test_warp_204_effort_and_velocity_are_those_of_the_limit(tmp_path: Path):
    """NVIDIA/warp#204: the motor has the effort and the velocity of the joint's limit."""
    world = urdf(tmp_path, LINKS % "" + hinge())
    motor = next(node for node in world.walk() if node.type == "RotationalMotor")
    assert (motor.get("maxTorque"), motor.get("maxVelocity")) == (5, 9)


def test_urdf2mjcf_35_the_scale_of_a_mesh_counts(tmp_path: Path):
    """kscalelabs/urdf2mjcf#35: scale 2 1 0.5: the tetrahedron's corners are at 2, 2 and 1.5 m."""
    stl(tmp_path / "t.stl")
    shape = '<visual><geometry><mesh filename="t.stl" scale="2 1 0.5"/></geometry></visual>'
    world = urdf(tmp_path, LINKS % shape + hinge())
    scales = [tuple(node.get("scale")) for node in world.walk() if node.type == "Transform"]
    assert scales == [(2, 1, 0.5)]


@pytest.mark.parametrize(("groups", "mass"), [("0 0", 1000), ("0 5", 1008)])
def test_strands_181_only_shapes_of_the_named_groups_weigh(tmp_path: Path, groups: str, mass: float):
    """strands-labs/robots#181: inertiagrouprange: a cube of 1 m in group 0, one of 0.2 m in group 2."""
    text = (
        '<body name="a"><freejoint/><geom type="box" size="0.5 0.5 0.5" density="1000" group="0"/>'
        '<geom type="box" size="0.1 0.1 0.1" density="1000" group="2"/></body>'
    )
    world = mjcf(tmp_path, text, f'<compiler inertiagrouprange="{groups}"/>')
    physics = next(one for one in world.walk() if one.type == "Physics")
    assert physics.get("mass") == pytest.approx(mass)


@pytest.mark.parametrize("motor", ["", 'device LinearMotor { name "m" minPosition -0.2 maxPosition 0.3 }'])
def test_webots_2072_the_limits_of_a_slider_are_exported(motor: str):
    """cyberbotics/webots#2072: with a motor the limits are there; without one nothing crashes."""
    slider = (
        f"SliderJoint {{ jointParameters JointParameters {{ axis 1 0 0 }} {motor} endPoint Solid {{ "
        'name "end" translation 0.5 0 0 boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } }'
    )
    bench = Bench("")
    try:
        bench.api.getSelf().getField("children").importMFNodeFromString(-1, slider)
        bench.tick()
        root = ElementTree.fromstring(bench.api.getUrdf())
    finally:
        session.activate(None)
    limits = [joint.find("limit") for joint in root.iter("joint") if joint.get("type") == "prismatic"]
    if motor:
        (limit,) = limits
        assert limit is not None
        assert (float(limit.get("lower", 0)), float(limit.get("upper", 0))) == (-0.2, 0.3)
        (joint,) = [one for one in root.iter("joint") if one.get("type") == "prismatic"]
        origin = joint.find("origin")  # cyberbotics/webots#2212
        assert origin is not None
        assert [float(x) for x in origin.get("xyz", "").split()] == pytest.approx([0.5, 0, 0])
