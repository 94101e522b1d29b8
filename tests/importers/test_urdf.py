"""URDF to PROTO: masses, joints, limits, sensors, and findings.

Judges: the URDF specification of ROS, Webots' chapters on joints and motors, and formulas.
"""

from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wbridge.wbcore.importers import Converted, ConvertOptions, convert
from wbridge.wbcore.importers.xacro_files import is_xacro
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import World, load_world
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation

ROVER = Path(__file__).parent / "rover.urdf"
LINK = '<link name="{}"><inertial><mass value="1"/>{}</inertial></link>'
INERTIA = '<inertia ixx="1e-2" ixy="0" ixz="0" iyy="1e-2" iyz="0" izz="1e-2"/>'


@pytest.fixture
def made(tmp_path: Path) -> World:
    """The rover in its world."""
    done = convert(ROVER, ConvertOptions(output=tmp_path, world=tmp_path / "rover.wbt"))
    assert list(done.report) == []
    return load_world(tmp_path / "rover.wbt")


def urdf(folder: Path, body: str, **options: Any) -> Converted:
    """Convert a robot with two links, "a" and "b", and what else is in it."""
    links = LINK.format("a", INERTIA) + LINK.format("b", INERTIA)
    file = folder / "robot.urdf"
    file.write_text(f'<robot name="test">\n{links}\n{body}</robot>\n')
    return convert(file, ConvertOptions(output=folder, world=folder / "test.wbt", **options))


def joint(
    kind: str = "revolute", extra: str = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
) -> str:
    return f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{extra}</joint>'


def loaded(done: Converted) -> World:
    """The world that was written."""
    assert done.report.errors == []
    return load_world(done.files[1])


def messages(done: Converted) -> str:
    return "\n".join(map(str, done.report))


def named(world: World, name: str) -> Node:
    return next(one for one in world.walk() if one.is_a("Solid") and one.get("name") == name).root


def device(world: World, name: str) -> Node:
    return next(one for one in world.walk() if one.is_a("Device") and one.get("name") == name)


def parameters(world: World, sensor: str) -> Node:
    """The parameters of the joint with this position sensor."""
    above = device(world, sensor).parent
    assert above is not None
    return above.get("jointParameters")


def test_the_rover_loads_without_findings(made: World):
    check_world(made)
    assert list(made.report) == []


def test_inertia_turns_with_the_inertial_frame(made: World):
    """I = R diag(4, 3, 2) R^T with R of 45 degrees about z: xx = yy = 3.5, xy = 0.5 (1e-4 kg m^2)."""
    physics = named(made, "mast").get("physics")
    moments, products = physics.get("inertiaMatrix")
    assert np.allclose(moments, (3.5e-4, 3.5e-4, 2e-4))
    assert np.allclose(products, (0.5e-4, 0, 0))
    assert tuple(physics.get("centerOfMass"))[0] == pytest.approx((0, 0, 0.05))


def test_axes_are_in_the_parent_frame(made: World):
    """URDF: the axis is in the joint's frame, here turned by -90 degrees about x, which takes z to y."""
    assert parameters(made, "left_sensor").get("axis") == pytest.approx((0, 1, 0))
    assert parameters(made, "left_sensor").get("anchor") == pytest.approx((0.06, 0.1, 0))
    assert parameters(made, "tilt_sensor").get("axis") == pytest.approx((0, 1, 0))


def test_limits_become_stops_and_soft_limits_those_of_the_motor(made: World):
    """Manual, chapter JointParameters: stops are hard limits, minPosition and maxPosition soft ones."""
    stops, motor = parameters(made, "tilt_sensor"), device(made, "tilt")
    assert (stops.get("minStop"), stops.get("maxStop")) == (-0.5, 1)
    assert (motor.get("minPosition"), motor.get("maxPosition")) == (-0.4, 0.9)
    assert (motor.get("maxTorque"), motor.get("maxVelocity")) == (2, 3)
    assert device(made, "lift").get("maxForce") == 20


def test_a_mimic_joint_is_a_coupled_motor(made: World):
    """Manual, chapter Motor: coupled motors are named "group::one", limits are multiples of each other."""
    leader, other = device(made, "grip::grip"), device(made, "grip::grip_right")
    assert other.get("multiplier") == -1
    assert (leader.get("minPosition"), leader.get("maxPosition")) == (-0.01, 0.02)
    assert (other.get("minPosition"), other.get("maxPosition")) == (-0.02, 0.01)


def test_sensors_look_along_x_and_a_one_sided_scan_is_turned(made: World):
    """SDFormat: angles of a scan count from the x axis; Webots' are symmetric about it."""
    lidar = device(made, "scan")
    assert lidar.get("fieldOfView") == 3
    assert lidar.get("rotation") == pytest.approx((0, 0, 1, 1.5))
    assert (lidar.get("minRange"), lidar.get("maxRange"), lidar.get("horizontalResolution")) == (0.1, 8, 90)
    assert (device(made, "eye").get("width"), device(made, "eye").get("fieldOfView")) == (64, 1.2)
    for name in ("balance inertial", "balance gyro", "balance accelerometer", "place"):
        device(made, name)


def test_the_rover_stands_on_the_floor_for_a_minute(made: World):
    """A robot without a controller rests: the body neither sinks, tips over nor drifts."""
    simulation = Simulation(made)
    robot = next(one for one in made.nodes if one.type == "Rover")
    simulation.step(7500)
    simulation.sync()
    x, y, z = robot.get("translation")
    assert abs(x) < 0.005 and abs(y) < 0.005
    assert z == pytest.approx(0.05, abs=0.003)


def test_all_problems_are_reported_in_one_pass_with_their_lines(tmp_path: Path):
    done = urdf(
        tmp_path,
        '<joint name="j" type="revolut"><parent link="a"/><child link="bb"/></joint>\n'
        '<link name="c"><visual><geometry><box size="1 2"/></geometry></visual></link>\n'
        '<link name="d"><visual><geometry><mesh filename="no.stl"/></geometry></visual></link>\n',
    )
    found = messages(done)
    assert done.files == []
    assert "robot.urdf:3:1: error: <joint> type is 'revolut'; allowed: revolute" in found
    assert "did you mean 'revolute'?" in found
    assert "no link named 'bb'" in found
    assert "robot.urdf:4:34: error: <box> size is '1 2'; expected 3 numbers, found 2" in found
    assert "'no.stl' not found" in found and "--allow-missing" in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not valid XML: no element found"),
        ("<robot", "not valid XML"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot/>', "document type declarations"),
        ("<robot name='x'/>", "the robot has no links"),
        ("<sdf/>", "the root element is <sdf>"),
        ("<a>" * 300, "nested deeper than 200"),
        ("<robot name='x'><link name='a'/><link name='b'/></robot>", "2 links have no parent: a, b"),
        ("<robot name='x'><link name='a'/><link name='a'/></robot>", "a second link is named 'a'"),
        ("<robot name='x'><link/></robot>", "<link> needs the attribute 'name'"),
    ],
)
def test_unusable_files_are_findings(tmp_path: Path, text: str, problem: str):
    (tmp_path / "robot.urdf").write_text(text)
    done = convert(tmp_path / "robot.urdf", ConvertOptions(output=tmp_path))
    assert problem in messages(done)
    assert done.files == []


@pytest.mark.parametrize("text", ["nan", "inf", "1e400", "1_0", "0x10", "٣", "1e13", "one"])
def test_a_mass_is_a_finite_number(tmp_path: Path, text: str):
    """Python reads more as numbers than the URDF specification (xs:double in ASCII) allows here."""
    done = urdf(tmp_path, f'<link name="c"><inertial><mass value="{text}"/></inertial></link>')
    assert f"<mass> value is '{text}'" in messages(done)


def test_a_start_outside_of_the_limits_moves_into_their_middle(tmp_path: Path):
    """As urdf2webots does; the child is turned by the same angle."""
    world = loaded(urdf(tmp_path, joint(extra='<limit lower="1" upper="2" effort="1" velocity="1"/>')))
    assert parameters(world, "j_sensor").get("position") == 1.5
    assert named(world, "b").get("rotation") == pytest.approx((1, 0, 0, 1.5))


def test_initial_positions_are_given_in_order_or_by_name(tmp_path: Path):
    for options in ({"positions": (0.5,)}, {"named_positions": {"j": 0.5}}):
        world = loaded(urdf(tmp_path, joint(), **options))
        assert named(world, "b").get("rotation") == pytest.approx((1, 0, 0, 0.5))
    assert "is outside of -1 to 1" in messages(urdf(tmp_path, joint(), positions=(3.0,)))
    assert "no joint named 'k'; joints: j" in messages(urdf(tmp_path, joint(), named_positions={"k": 0.0}))


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_joints_that_webots_lacks_are_fixed_and_reported(tmp_path: Path, kind: str):
    done = urdf(tmp_path, joint(kind, ""))
    assert f"joint 'j' is {kind}, which Webots does not have; converted as fixed" in messages(done)
    loaded(done)


def test_a_base_fixed_to_the_link_world_is_static(tmp_path: Path):
    """ROS: a link named world is the environment."""
    fixed = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="a"/></joint>'
    world = loaded(urdf(tmp_path, fixed + joint()))
    assert named(world, "a").get("physics") is None
    assert named(world, "b").get("physics") is not None


def test_a_base_footprint_without_mass_takes_that_of_the_body_fixed_to_it(tmp_path: Path):
    """The robot is free: a Robot without Physics would be pinned to the environment."""
    foot = (
        '<link name="foot"/><joint name="f" type="fixed"><parent link="foot"/><child link="a"/>'
        '<origin xyz="0 0 0.2"/></joint>'
    )
    world = loaded(urdf(tmp_path, foot + joint()))
    physics, other = (named(world, one).get("physics") for one in ("test", "a"))
    assert physics.get("mass") + other.get("mass") == pytest.approx(1)
    assert physics.get("mass") > 0.99
    assert tuple(physics.get("centerOfMass"))[0] == pytest.approx((0, 0, 0.2))


def test_a_base_with_collisions_takes_the_mass_fixed_to_it_and_no_other(tmp_path: Path):
    """KDL wants a root without inertia, so descriptions put the base's inertia into a link fixed to it."""
    shape = "<collision><geometry><sphere radius='0.5'/></geometry></collision>"
    foot = f'<link name="foot">{shape}</link>'
    foot += '<joint name="f" type="fixed"><parent link="foot"/><child link="a"/></joint>'
    world = loaded(urdf(tmp_path, foot + joint()))
    masses = [named(world, one).get("physics").get("mass") for one in ("test", "a", "b")]
    assert sum(masses) == pytest.approx(2)


def test_a_moving_link_without_mass_gets_a_little_and_the_total_stays(tmp_path: Path):
    chain = (
        '<link name="m"/><joint name="k" type="continuous"><parent link="b"/><child link="m"/></joint>'
        + LINK.format("c", INERTIA)
        + '<joint name="l" type="continuous"><parent link="m"/><child link="c"/></joint>'
    )
    done = urdf(tmp_path, joint() + chain)
    world = loaded(done)
    masses = [named(world, one).get("physics").get("mass") for one in ("test", "b", "m", "c")]
    assert masses[2] > 0
    assert sum(masses) == pytest.approx(3)
    assert "link 'm' moves but has no mass" in messages(done)


def test_an_impossible_inertia_is_replaced_and_reported(tmp_path: Path):
    zero = INERTIA.replace("1e-2", "0")
    done = urdf(
        tmp_path,
        joint("fixed", "")
        + LINK.format("c", zero)
        + joint("fixed", "").replace('"j"', '"k"').replace('"b"', '"c"'),
    )
    assert "the inertia of link 'c' is not positive definite" in messages(done)
    loaded(done)


def test_a_chain_of_mimics_is_coupled_to_its_first_joint(tmp_path: Path):
    """c = 2 b + 0.1 and b = 3 a + 0.2 give c = 6 a + 0.5."""
    more = "".join(
        LINK.format(child, INERTIA)
        + f'<joint name="{name}" type="continuous"><parent link="a"/><child link="{child}"/>'
        f'<mimic joint="{leader}" multiplier="{factor}" offset="{offset}"/></joint>'
        for name, child, leader, factor, offset in (("jc", "c", "j", 3, 0.2), ("jd", "d", "jc", 2, 0.1))
    )
    world = loaded(urdf(tmp_path, joint("continuous", "") + more))
    assert device(world, "j::jd").get("multiplier") == 6
    assert named(world, "d").get("rotation") == pytest.approx((1, 0, 0, 0.5))
    assert parameters(world, "jd_sensor").get("position") == 0


def test_a_joint_beyond_half_a_turn_has_no_stops(tmp_path: Path):
    """Manual, chapter JointParameters: stops of hinges are within -pi and pi."""
    world = loaded(urdf(tmp_path, joint(extra='<limit lower="-4" upper="4" effort="1" velocity="1"/>')))
    assert parameters(world, "j_sensor").get("maxStop") == 0
    assert device(world, "j").get("maxPosition") == 4 > pi


def test_files_of_packages_are_found_above_the_description(tmp_path: Path):
    """package://NAME/... names a file of the package whose folder has this name."""
    folder = tmp_path / "some_robot" / "urdf"
    folder.mkdir(parents=True)
    mesh = tmp_path / "some_robot" / "meshes" / "part.obj"
    mesh.parent.mkdir()
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = '<geometry><mesh filename="package://some_robot/meshes/part.obj" scale="0.1 0.1 0.1"/></geometry>'
    extra = f'<link name="c"><visual>{shape}</visual><collision>{shape}</collision></link>'
    extra += '<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>'
    world = loaded(urdf(folder, joint() + extra))
    check_world(world)
    assert [one for one in world.report if "mesh" in str(one).lower()] == []
    assert any(one.get("url")[0] == "../meshes/part.obj" for one in world.walk() if one.type == "CadShape")
    copied = urdf(folder, joint() + extra, copy_meshes=True)
    assert (folder / "Test_files" / "part.obj").is_file()
    assert all(one.is_file() for one in copied.files)


def test_files_of_others_are_not_replaced(tmp_path: Path):
    (tmp_path / "Test.proto").write_text("mine")
    assert "use --overwrite" in messages(urdf(tmp_path, joint()))
    assert (tmp_path / "Test.proto").read_text() == "mine"
    urdf(tmp_path, joint(), overwrite=True)
    loaded(urdf(tmp_path, joint()))


def test_a_tool_slot_without_mass_can_carry_tools(tmp_path: Path):
    """A tool is a Solid with Physics; the Solid above it needs Physics, too (manual, chapter Physics)."""
    extra = (
        '<link name="flange"/><joint name="f" type="fixed"><parent link="b"/><child link="flange"/></joint>'
    )
    done = urdf(tmp_path, joint() + extra, tool_slot="flange")
    file = done.files[1]
    tool = "Solid { physics Physics { mass 1 } boundingObject Box { } }"
    file.write_text(file.read_text().replace('controller "void"', f"toolSlot [ {tool} ]"))
    world = loaded(done)
    check_world(world)
    assert [one for one in world.report if "Physics" in one.message] == []
    assert named(world, "flange").get("physics").get("mass") > 0


def test_names_that_files_cannot_have_are_replaced(tmp_path: Path):
    """DEF names and PROTO names are identifiers; names of Solids are strings of any kind."""
    (tmp_path / "robot.urdf").write_text(
        '<robot name="2nd robot (v1.0)"><link name="a &quot;b&quot; {"/><link name="9"/>'
        '<joint name="#" type="fixed"><parent link="a &quot;b&quot; {"/><child link="9"/></joint></robot>'
    )
    options = ConvertOptions(output=tmp_path, world=tmp_path / "t.wbt", link_to_def=True, joint_to_def=True)
    done = convert(tmp_path / "robot.urdf", options)
    assert done.files[0].name == "Robot2ndRobotV10.proto"
    assert loaded(done).report.errors == []


def test_boxes_replace_collisions(tmp_path: Path):
    """A cylinder with a radius of 0.1 m and a length of 0.4 m fills a box of 0.2 x 0.2 x 0.4 m."""
    shape = '<geometry><cylinder radius="0.1" length="0.4"/></geometry>'
    extra = f'<link name="c"><collision><origin xyz="0 0 1"/>{shape}</collision></link>'
    extra += '<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>'
    world = loaded(urdf(tmp_path, joint() + extra, box_collision=True))
    (box,) = [one for one in world.walk() if one.type == "Box"]
    assert box.get("size") == pytest.approx((0.2, 0.2, 0.4))


def chain(length: int) -> str:
    """Links and joints below link b, which is below link a."""
    names = ["b", *(f"l{number}" for number in range(length - 2))]
    links = "".join(LINK.format(one, INERTIA) for one in names[1:])
    pairs = zip(names, names[1:], strict=False)
    return links + "".join(
        f'<joint name="to_{below}" type="continuous"><parent link="{above}"/><child link="{below}"/></joint>'
        for above, below in pairs
    )


def test_a_chain_may_have_100_links(tmp_path: Path):
    """The limit is stated in docs/convert.md; a longer chain is an error and no exhausted stack."""
    assert loaded(urdf(tmp_path, joint() + chain(100))).report.errors == []
    assert "a chain has 101 links; the limit is 100" in messages(urdf(tmp_path, joint() + chain(101)))


def test_a_robot_at_the_environment_keeps_its_place_and_a_free_one_stands_on_the_floor(tmp_path: Path):
    sunk = '<link name="c"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>'
    sunk += '<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>'
    world = loaded(urdf(tmp_path, joint() + sunk))
    assert world.nodes[-1].get("translation") == pytest.approx((0, 0, 0.301))
    fixed = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="a"/></joint>'
    world = loaded(urdf(tmp_path, joint() + sunk + fixed))
    assert world.nodes[-1].get("translation") == (0, 0, 0)


def test_gazebo_plugins_become_sensors(tmp_path: Path):
    """The devices have the names that urdf2webots gives them; f3d makes its link a force sensor."""
    plugins = (
        '<plugin filename="libgazebo_ros_imu.so"><topicName>pose</topicName>'
        "<gaussianNoise>0.1</gaussianNoise></plugin>"
        '<plugin filename="libgazebo_ros_p3d.so"><bodyName>b</bodyName></plugin>'
        '<plugin filename="libgazebo_ros_f3d.so"><bodyName>b</bodyName></plugin>'
    )
    world = loaded(urdf(tmp_path, joint() + f"<gazebo>{plugins}</gazebo>"))
    for name in ("pose inertial", "pose accelerometer", "pose gyro", "p3d gps", "p3d inertial", "p3d gyro"):
        device(world, name)
    assert device(world, "pose inertial").get("noise") == 0.1
    assert named(world, "b").type == "TouchSensor"


def test_a_sensor_without_a_counterpart_is_reported(tmp_path: Path):
    done = urdf(tmp_path, joint() + '<gazebo reference="b"><sensor name="s" type="camra"/></gazebo>')
    assert "sensor type 'camra' has no counterpart and was ignored" in messages(done)
    assert "did you mean 'camera'?" in messages(done)


def test_what_other_readers_pass_over(tmp_path: Path):
    """ROS and PyBullet read them: space before the declaration, a zero at the end, xacro in comments."""
    text = (
        '\n \n<?xml version="1.0"?>\n<!-- <xacro:load/> -->\n<robot name="x"><link name="a"/>\n'
        '<link name="a"/></robot>\n\0\n'
    )
    path = tmp_path / "x.urdf"
    path.write_text(text)
    (error,) = convert(path, ConvertOptions(output=tmp_path)).report.errors
    assert (error.message, error.line) == ("a second link is named 'a'", 6)


def test_an_unknown_material_costs_only_a_color(tmp_path: Path):
    """urdfdom 4.0, model.cpp: the failure of assignMaterial is reported and has no consequence."""
    visual = "<visual><geometry><sphere radius='1'/></geometry><material name='grey'/></visual>"
    path = tmp_path / "x.urdf"
    path.write_text(f"<robot name='x'><link name='a'>{visual}</link></robot>")
    converted = convert(path, ConvertOptions(output=tmp_path))
    assert not converted.report.errors and converted.files
    assert any("no material named 'grey'" in finding.message for finding in converted.report)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<xacro:include/>", True),
        ('<origin xyz="$(optenv OFFSET 0 0 0)"/>', True),
        ("<mass value='${2 * m}'/>", True),
        ("<!-- <xacro:include/> ${m} -->", False),
        ('<material name="5$"/> ${m}', False),
    ],
)
def test_files_that_need_xacro(text: str, expected: bool):
    assert is_xacro(Path("x.urdf"), f"<robot name='x'>{text}</robot>".encode()) is expected
