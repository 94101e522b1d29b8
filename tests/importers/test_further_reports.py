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
from wbridge.wbcore.physics.pose import axis_angle, matrix
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

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


IN = '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'
ARM = f'<body name="a" %s>{IN}<body name="b" %s>{IN}<joint name="j" %s/></body></body>'
FREE = '<body name="a"><freejoint/>%s</body>'
DRIVEN = f"{ARM % ('', '', '%s')}</worldbody><actuator>%s</actuator><worldbody>"
CLASSES = (
    '<default><joint damping="1"/><default class="ambient"><joint damping="7"/></default><default '
    'class="explicit"><joint armature="0.1"/></default><default class="finger"><joint type="slide" '
    'damping="40"/><default class="left"><joint axis="0 0 -1" range="0 0.041"/></default></default></default>'
)
CUBE = '<geom type="box" size="0.5 0.5 0.5" density="3"/>'
SHELL = '<asset><mesh name="t" file="t.stl" inertia="shell"/></asset>'
MESH = '<geom type="mesh" mesh="t" size="1 2" density="10"/>'
FORCES = DRIVEN % ('actuatorfrcrange="-5 5"', '<motor joint="j" gear="150" ctrlrange="-1 1"/>')
TARGETS = DRIVEN % ("", '<position joint="j" kp="20" gear="2" ctrlrange="-1 3"/>')
HINGE, MOTOR = "HingeJointParameters", "RotationalMotor"
REPORTS = {
    "newton#3682": (
        ARM % ('childclass="ambient"', "", 'class="explicit"'),
        CLASSES,
        HINGE,
        "dampingConstant",
        1,
    ),
    "newton#1206": (ARM % ("", "", 'class="left"'), CLASSES, "JointParameters", "axis", (0, 0, -1)),
    "strands#2675": (ARM % ("", "", 'class="left"'), CLASSES, "JointParameters", "dampingConstant", 40),
    "newton#2492": (ARM % ("", "", 'range="-1 1"'), '<compiler angle="radian"/>', HINGE, "maxStop", 1),
    "newton#4263": (ARM % ("", "", 'limited="false" range="0 9"'), "", HINGE, "maxStop", 0),
    "newton#107": (ARM % ("", "", 'ref="30" range="0 90"'), "", HINGE, "position", math.pi / 6),
    "drake#20367": (ARM % ("", 'pos="0 1 6"', 'pos="0 2 3"'), "", HINGE, "anchor", (0, 3, 9)),
    "newton#771": (FREE % '<geom type="cylinder" size="1 3"/>', "", "Cylinder", "height", 6),
    "mujoco#225": (FREE % '<geom type="capsule" fromto="0 0 1 3 0 1" size="1"/>', "", "Capsule", "height", 3),
    "newton#3741": (FREE % IN, '<compiler boundmass="5"/>', "Physics", "mass", 5),
    "newton#3596": (FREE % (IN + CUBE), '<compiler inertiafromgeom="true"/>', "Physics", "mass", 3),
    "newton#3593": (FREE % (IN + CUBE), "", "Physics", "mass", 1),
    "mujoco#2479": (
        FREE % '<geom size="1" mass="2"/>',
        '<default><geom density="0"/></default>',
        "Physics",
        "mass",
        2,
    ),
    "newton#3315": (FREE % MESH.replace("density", "mass"), SHELL, "Physics", "mass", 10),
    "newton#3753": (FREE % MESH, SHELL, "Physics", "mass", 90),
    "newton#3753, center": (FREE % MESH, SHELL, "Physics", "centerOfMass", [(2 / 9, 5 / 9, 8 / 9)]),
    "newton#3739": (FREE % IN, '<option><flag gravity="disable"/></option>', "WorldInfo", "gravity", 0),
    "genesis#3328": (FORCES, "", MOTOR, "maxTorque", 5),
    "genesis#461": (TARGETS, "", MOTOR, "maxPosition", 1.5),
}
"""Reports with a world's body, what precedes it, and the value of a field by MuJoCo's XML reference. A
tetrahedron with legs 1, 2, 3 has faces of 1 + 1.5 + 3 + 3.5 m^2."""


@pytest.mark.parametrize("report", REPORTS)
def test_reported_mjcf_has_the_values_of_mujoco(tmp_path: Path, report: str):
    inside, top, kind, field, expected = REPORTS[report]
    stl(tmp_path / "t.stl")
    node = next(node for node in mjcf(tmp_path, inside, top).walk() if node.type == kind)
    assert np.array(node.get(field)) == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize(("order", "axes"), [("xyz", (0, 1, 2)), ("XYZ", (2, 1, 0))])
def test_drake_20620_euler_angles_are_about_the_axes_of_the_body_or_its_parent(
    tmp_path: Path, order: str, axes: tuple[int, ...]
):
    world = mjcf(tmp_path, ARM % ("", 'euler="20 30 40"', ""), f'<compiler eulerseq="{order}"/>')
    turns = np.diag(np.radians([20, 30, 40]))
    x, y, z = (rpy(*turns[axis]) for axis in axes)
    *axis, angle = named(world, "b").get("rotation")
    assert matrix(axis_angle(tuple(axis), angle)) == pytest.approx(x @ y @ z, abs=1e-6)


@pytest.mark.parametrize(
    ("inside", "top", "told"),
    [
        (FREE % IN, '<compiler coordinate="global"/>', "removed in MuJoCo 2.3.4"),
        (ARM % ("", "", 'type="free"'), "", "converted as fixed"),
        (FREE % "<inertial/>", "", "needs the attribute 'mass'"),
        (FREE % IN.replace("0.1 0.1 0.1", "1 1"), "", "expected 3 numbers"),
        (ARM % ("", "", 'stiffness="3" springref="30"'), "", "springs act towards 0"),
        (FREE % IN, '<option><flag contact="disable"/></option>', "without contacts"),
        (FREE % IN, '<option gravity="0 -9.81 0"/>', "along -z only"),
        (FREE % IN + '<body name="t" mocap="true"/>', "", "left out"),
    ],
)
def test_reported_mjcf_without_a_counterpart_is_named(tmp_path: Path, inside: str, top: str, told: str):
    """google-deepmind/mujoco#225, newton-physics/newton#107, #3315, #3675, #3739."""
    source = tmp_path / "robot.xml"
    source.write_text(f"<mujoco>{top}<worldbody>{inside}</worldbody></mujoco>")
    report = convert(source, ConvertOptions(output=tmp_path)).report
    assert any(told in str(finding) for finding in report)


@pytest.mark.parametrize("is_mjcf", [True, False])
def test_what_is_fixed_to_a_link_adds_its_inertia(tmp_path: Path, is_mjcf: bool):
    """google-deepmind/mujoco#2982, osrf/drcsim#308, gazebosim/sdformat#22: turned by a quarter about z,
    0.1 0.2 0.3 is 0.2 0.1 0.3; 1 m apart on x, two masses of 1 kg add 0.5 across it."""
    if is_mjcf:
        turned = IN.replace("0.1 0.1 0.1", "0.1 0.2 0.3")
        world = mjcf(tmp_path, FREE % f'{IN}<body pos="1 0 0" euler="0 0 90">{turned}</body>')
    else:
        turned = PLAIN.replace('iyy="0.1"', 'iyy="0.2"').replace('izz="0.1"', 'izz="0.3"')
        place = '<origin xyz="1 0 0" rpy="0 0 1.57079632679"/>'
        links = f'<link name="a">{PLAIN}</link><link name="b">{turned}</link>'
        world = urdf(tmp_path, links + hinge("fixed", place))
    with Simulation(world) as simulation:
        robot = next(node for node in world.walk() if node.is_a("Robot")).root
        mass = simulation.physics.carrier(robot)[0].mass
    assert np.array(mass.inertia).reshape(3, 3) == pytest.approx(np.diag([0.3, 0.7, 0.9]), abs=1e-6)


MIMIC = '<mimic joint="j" multiplier="-1"/>'
LIMIT = '<axis xyz="0 -1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
SECOND = (
    f'<link name="c">{PLAIN}</link><joint name="k" type="%s"><parent link="%s"/><child link="c"/>%s</joint>'
)


@pytest.mark.parametrize(
    ("inside", "kind", "field", "expected"),
    [
        (
            LINKS % "" + hinge() + SECOND % ("revolute", "a", LIMIT + MIMIC),
            HINGE,
            "axis",
            [(0, 0, 1), (0, -1, 0)],
        ),
        (
            LINKS % "" + hinge("continuous", "") + SECOND % ("continuous", "a", MIMIC),
            MOTOR,
            "multiplier",
            [1, -1],
        ),
        (
            LINKS.replace(PLAIN + SPHERE, "") % "" + hinge() + SECOND % ("revolute", "b", LIMIT),
            HINGE,
            "maxStop",
            [1, 1],
        ),
        (LINKS % "" + hinge(extra=f'{LIMIT}<dynamics friction="0.5"/>'), HINGE, "staticFriction", [0.5]),
    ],
    ids=["pinocchio#2761", "pinocchio#2753", "gz-sim#2815", "gazebo-classic#381"],
)
def test_reported_urdf_keeps_its_joints(tmp_path: Path, inside: str, kind: str, field: str, expected: list):
    world = urdf(tmp_path, inside)
    values = [node.get(field) for node in world.walk() if node.type == kind]
    assert np.array(values) == pytest.approx(np.array(expected), abs=1e-6)


def test_reported_urdf_shapes_and_inertias(tmp_path: Path):
    """o3de/o3de-extras#166: a cylinder collides as one; newton-physics/newton#2243: an inertia that is equal
    about all axes does not turn; google-deepmind/mujoco#2469: a mesh keeps each of its scales."""
    stl(tmp_path / "t.stl")
    turned = PLAIN.replace('rpy="0 0 0"', 'rpy="3 4 5"')
    mesh = '<visual><geometry><mesh filename="t.stl" scale="{0} {0} {0}"/></geometry></visual>'
    shape = '<collision><geometry><cylinder radius="0.5" length="2.0"/></geometry></collision>'
    scales = (1, 2, 1, 2)
    world = urdf(tmp_path, f'<link name="a">{turned}{shape}{"".join(map(mesh.format, scales))}</link>')
    nodes = {node.type: node for node in world.walk()}
    assert (nodes["Cylinder"].get("radius"), nodes["Cylinder"].get("height")) == (0.5, 2)
    assert nodes["Physics"].get("inertiaMatrix")[0] == pytest.approx((0.1, 0.1, 0.1))
    found = [node.get("scale")[0] for node in world.walk() if node.type == "Transform"]
    assert (found, sum(node.type == "Mesh" for node in world.walk())) == ([2, 2], 4)


def test_isaac_sim_9_a_joint_that_mimics_a_fixed_one_is_named(tmp_path: Path):
    """isaac-sim/urdf-importer-extension#9."""
    source = tmp_path / "robot.urdf"
    text = LINKS % "" + hinge("fixed", "") + SECOND % ("revolute", "a", LIMIT + MIMIC)
    source.write_text(f'<robot name="r">{text}</robot>')
    report = convert(source, ConvertOptions(output=tmp_path)).report
    assert any("'k' is not coupled: joint 'j' is a fixed" in str(finding) for finding in report)
