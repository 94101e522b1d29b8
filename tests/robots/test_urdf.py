"""Robots as URDF for controllers (wb_robot_get_urdf).

Judges: the URDF specification and its public readers ikpy and yourdfpy; the poses of the simulation; names by
the manual and Webots' sources (WbNode::urdfName, WbJoint::writeExport, WbRobot::urdfName); the importer.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tests.devices.rig import Rig, robot, world
from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Pose, matrix
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

ROBOTS = (
    *("UR5e", "UR10e", "Irb4600-40", "Panda", "Kinova_Gen3_7DOF", "Nao", "Spot", "Pioneer3at", "E-puck"),
    *("TiagoIron", "Youbot", "Khr3hv", "Atlas"),
)
CLOSE = 1e-9
BOX = "boundingObject Box { size 0.1 0.2 0.3 } physics Physics { density -1 mass 2 }"
MOTOR = 'RotationalMotor { name "arm motor" maxTorque 7 maxVelocity 3 minPosition -1 maxPosition 2 }'
ARM = (
    "HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0.1 0 0.5 position 0.4 "
    f'dampingConstant 0.5 staticFriction 0.2 }} device [ {MOTOR} PositionSensor {{ name "arm sensor" }} ] '
    "endPoint DEF TIP Solid { translation 0.3 0 0.5 rotation 0 1 0 0.4 "
    f'name "forearm" {BOX} children [ '
    "Pose { translation 0 0 0.2 rotation 0 1 0 1.5707963267948966 children [ "
    'GPS { name "eye & ear" } ] } ] } }'
)


def bundled(name: str) -> Rig:
    text = f'EXTERNPROTO "{name}.proto"\nWorldInfo {{ }}\n'
    place = "translation 1 2 3 rotation 0.6 0 0.8 1.1"
    return Rig(f'{text}{name} {{ name "robot" controller "<extern>" {place} }}')


def urdf(made: Rig, prefix: str = "") -> str:
    made.step()
    return str(made.client.get_urdf(prefix))


def array(pose: Pose) -> np.ndarray:
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = matrix(pose.orientation), pose.position
    return whole


def frames(made: Rig) -> dict[str, np.ndarray]:
    """The poses of all links in the robot, by name: of solids, and at the anchors of hinges."""
    physics = made.simulation.physics
    base = physics.pose(made.robot.node).rigid
    solids = [one for one in physics.solids() if one.robot is not None and one.robot.node is made.robot.node]
    result, repeated = {}, set()
    for solid in solids:
        name = str(solid.node.get("name"))
        repeated |= {name} & set(result)
        result[name] = array(base.relative(_link(made, solid)))
    return {name: pose for name, pose in result.items() if name not in repeated and name != "robot"}


def _link(made: Rig, solid: SolidPlan) -> Pose:
    physics, joint = made.simulation.physics, solid.joint
    place = physics.solid_pose(solid).rigid
    if solid.body.carrier is not None:  # the engine places it in the next step
        inner = solid.body.carrier.pose.relative(solid.body.pose) @ solid.offset
        place = (physics.body_pose(solid.body.carrier) @ inner).rigid
    if joint is None or joint.kind == "slider" or joint.parent is None:
        return place
    return Pose(physics.solid_pose(joint.parent).point(joint.anchor), place.orientation)


def bend(made: Rig, seed: int) -> dict[str, float]:
    """Move all joints somewhere in their limits; return their positions by the names in the URDF."""
    rng, positions = random.Random(seed), {}
    for node, joint in list(made.simulation.physics.handles.joint_plans.items()):
        for index, axis in enumerate(joint.axes):
            device = axis.motor.node if axis.motor is not None else axis.sensor
            if device is None or joint.by_reference:
                continue
            low, high = (
                (-0.3, 0.3) if axis.motor is None else (axis.motor.min_position, axis.motor.max_position)
            )
            low, high = (-0.3, 0.3) if low == high else (max(low, -3.0), min(high, 3.0))
            position = rng.uniform(low, high)
            made.simulation.physics.set_joint_position(node, position, index)
            positions[str(device.get("name"))] = made.simulation.physics.handles.joints[node].positions[index]
    return positions


@pytest.mark.parametrize("name", ROBOTS)
def test_public_readers_place_all_links_where_the_simulation_does(name: str, tmp_path: Path):
    yourdfpy = pytest.importorskip("yourdfpy")
    made = bundled(name)
    file = tmp_path / "robot.urdf"
    file.write_text(urdf(made))
    model = yourdfpy.URDF.load(str(file), build_scene_graph=True, load_meshes=False)
    assert model.validate()
    for seed in range(3):
        positions = bend(made, seed)
        model.update_cfg({name: one for name, one in positions.items() if name in model.actuated_joint_names})
        compared = frames(made)
        for link, pose in compared.items():
            assert np.abs(model.get_transform(link) - pose).max() < CLOSE, link
        assert len(compared) >= 2


@pytest.mark.filterwarnings("ignore:Link .* is of type 'fixed':UserWarning")
@pytest.mark.parametrize(
    ("name", "tip"),
    [
        pytest.param("UR5e", "wrist_3_link", marks=pytest.mark.slow),
        ("Panda", "panda_leftfinger"),
        ("Irb4600-40", "F link"),
    ],
)
def test_ikpy_reads_chains(name: str, tip: str, tmp_path: Path):
    chains = pytest.importorskip("ikpy.chain")
    made = bundled(name)
    file = tmp_path / "robot.urdf"
    file.write_text(urdf(made))
    tree = ET.fromstring(file.read_text())
    above = {one.find("child").get("link"): one for one in tree.iter("joint")}
    # ikpy wants the names of links and joints from the base to the tip.
    elements, link = [tip], tip
    while link in above:
        joint = above[link]
        link = joint.find("parent").get("link")
        elements = [link, joint.get("name"), *elements]
    chain = chains.Chain.from_urdf_file(str(file), base_elements=elements[:-1])
    for seed in range(3):
        positions = bend(made, seed)
        angles = [positions.get(one.name, 0.0) for one in chain.links]
        assert np.abs(chain.forward_kinematics(angles) - frames(made)[tip]).max() < CLOSE


def test_links_joints_and_devices_have_webots_names():
    tree = ET.fromstring(urdf(Rig(world(robot(ARM + "GPS { } GPS { }", BOX))), "left_"))
    assert tree.get("name") == "robot"
    links = [one.get("name") for one in tree.iter("link")]
    assert links == ["left_base_link", "left_forearm", "left_eye & ear", "left_gps", "left_gps_0"]
    joints = {one.get("name"): one for one in tree.iter("joint")}
    assert set(joints) == {
        "left_arm motor",
        "left_forearm_left_eye & ear_joint",
        "left_base_link_left_gps_joint",
        "left_base_link_left_gps_0_joint",
    }
    limit = joints["left_arm motor"].find("limit").attrib
    assert {name: float(value) for name, value in limit.items()} == {
        "effort": 7,
        "lower": -1,
        "upper": 2,
        "velocity": 3,
    }
    assert joints["left_arm motor"].find("dynamics").attrib == {"damping": "0.5", "friction": "0.2"}
    assert joints["left_arm motor"].get("type") == "revolute"


def test_the_frame_of_a_hinge_is_at_its_anchor_at_position_0():
    tree = ET.fromstring(urdf(Rig(world(robot(ARM, BOX)))))
    joint = next(one for one in tree.iter("joint") if one.get("name") == "arm motor")
    origin = joint.find("origin")
    assert [float(one) for one in origin.get("xyz").split()] == pytest.approx([0.1, 0, 0.5])
    assert [float(one) for one in origin.get("rpy").split()] == pytest.approx([0, 0, 0], abs=1e-12)
    link = next(one for one in tree.iter("link") if one.get("name") == "forearm")
    # The solid is 0.2 m along x of its parent from the anchor, seen in axes that are turned by 0.4.
    expected = [0.2 * np.cos(0.4), 0, 0.2 * np.sin(0.4)]
    inertial = link.find("inertial")
    assert [float(one) for one in inertial.find("origin").get("xyz").split()] == pytest.approx(expected)
    assert float(inertial.find("mass").get("value")) == 2
    moments = {name: float(value) for name, value in inertial.find("inertia").attrib.items()}
    assert moments["ixx"] == pytest.approx(2 / 12 * (0.2**2 + 0.3**2))
    assert moments["izz"] == pytest.approx(2 / 12 * (0.1**2 + 0.2**2))


@pytest.mark.parametrize(
    ("shape", "tags"),
    [
        ("Box { size 1 2 3 }", ["box"]),
        ("Sphere { radius 2 }", ["sphere"]),
        ("Cylinder { radius 1 height 2 }", ["cylinder"]),
        ("Capsule { radius 1 height 2 }", ["cylinder", "sphere", "sphere"]),
    ],
)
def test_shapes_of_bounding_objects_are_visible_and_collide(shape: str, tags: list[str]):
    tree = ET.fromstring(urdf(Rig(world(robot("", f"boundingObject {shape}")))))
    link = next(tree.iter("link"))
    for kind in ("visual", "collision"):
        assert [one.find("geometry")[0].tag for one in link.iter(kind)] == tags


def test_joints_of_several_axes_and_without_devices():
    two = (
        'Hinge2Joint { device [ PositionSensor { name "a" } ] device2 [ RotationalMotor { name "b" } ] '
        'endPoint Solid { name "x" } }'
    )
    rail = (
        "DEF RAIL SliderJoint { jointParameters JointParameters { minStop -1 maxStop 2 } "
        'endPoint Solid { name "z" } }'
    )
    text = two + 'HingeJoint { endPoint Solid { name "y" } }' + rail
    tree = ET.fromstring(urdf(Rig(world(robot(text)))))
    kinds = {one.get("name"): one.get("type") for one in tree.iter("joint")}
    assert kinds == {"a": "continuous", "b": "continuous", "hingejoint": "continuous", "RAIL": "prismatic"}
    assert [one.get("name") for one in tree.iter("link")] == ["base_link", "x_1", "x", "y", "z"]


def test_the_importer_reads_the_same_robot_back(tmp_path: Path):
    made = bundled("UR5e")
    (tmp_path / "robot.urdf").write_text(urdf(made))
    done = convert(tmp_path / "robot.urdf", ConvertOptions(output=tmp_path, world=tmp_path / "again.wbt"))
    assert done.report.errors == []
    again = Simulation(load_world(tmp_path / "again.wbt"))
    assert {**masses(made.simulation)} == pytest.approx(masses(again), rel=1e-6)
    assert limits(made.simulation) == pytest.approx(limits(again))


def masses(simulation: Simulation) -> dict[str, float]:
    names = ((str(one.node.get("name")), one) for one in simulation.physics.solids() if one.mass is not None)
    return {name: one.mass.mass for name, one in names if one.mass is not None and name != "robot"}


def limits(simulation: Simulation) -> dict[tuple[str, str], float]:
    motors = [
        (str(one.node.get("name")), one) for part in simulation.physics.plan.parts for one in part.motors()
    ]
    values = ("min_position", "max_position", "max_velocity", "max_force")
    return {(name, value): getattr(one, value) for name, one in motors for value in values}
