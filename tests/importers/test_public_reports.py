"""What users of converters reported as wrong, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.physics.node_view import NodeView
from wbridge.wbcore.scene.load import World, load_world
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation

WORLD = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="a"/></joint>'
BODY = (
    '<inertial><origin xyz="%s" rpy="%s"/><mass value="%s"/>'
    '<inertia ixx="%s" ixy="%s" ixz="%s" iyy="%s" iyz="%s" izz="%s"/></inertial>'
)
PLAIN = BODY % ("0 0 0", "0 0 0", 1, 0.1, 0, 0, 0.1, 0, 0.1)
SPHERE = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


def converted(folder: Path, text: str, suffix: str) -> World:
    source = folder / f"robot.{suffix}"
    source.write_text(text)
    done = convert(source, ConvertOptions(output=folder, world=folder / "test.wbt"))
    assert done.report.errors == [], list(map(str, done.report))
    return load_world(folder / "test.wbt")


def urdf(folder: Path, inside: str) -> World:
    return converted(folder, f'<robot name="r">{inside}</robot>', "urdf")


def mjcf(folder: Path, inside: str, top: str = "") -> World:
    return converted(folder, f'<mujoco model="r">{top}<worldbody>{inside}</worldbody></mujoco>', "xml")


def named(world: World, name: str) -> Node:
    return next(n for n in world.walk() if n.is_a("Solid") and n.get("name") == name).root


def inertia(node: Node) -> np.ndarray:
    """3 x 3 about the center of mass, in the solid's axes (kg m^2)."""
    (xx, yy, zz), (xy, xz, yz) = node.get("physics").root.get("inertiaMatrix")
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rpy(r: float, p: float, y: float) -> np.ndarray:
    cx, sx, cy, sy, cz, sz = math.cos(r), math.sin(r), math.cos(p), math.sin(p), math.cos(y), math.sin(y)
    return (
        np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
        @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    )


def hinge(
    kind: str = "revolute",
    extra: str = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="9"/>',
) -> str:
    return f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{extra}</joint>'


def test_urdf_usd_converter_131_the_frame_of_the_inertia_turns_it(tmp_path: Path):
    """newton-physics/urdf-usd-converter#131: the values of a UR10e link with rpy 0 90 0."""
    body = BODY % (
        "-0.285775 0 0.0393",
        "0 1.57079632679 0",
        3.87,
        0.110793025489,
        0,
        0,
        0.110793025489,
        0,
        0.010884375,
    )
    world = urdf(tmp_path, f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{body}</link>{hinge()}')
    node = named(world, "b")
    assert np.diag(inertia(node)) == pytest.approx([0.010884375, 0.110793025489, 0.110793025489], rel=1e-6)
    assert node.get("physics").root.get("centerOfMass")[0] == pytest.approx((-0.285775, 0, 0.0393), abs=1e-6)
    assert node.get("physics").root.get("mass") == pytest.approx(3.87)


def test_urdf2webots_79_products_of_inertia_turn_as_a_tensor(tmp_path: Path):
    """cyberbotics/urdf2webots#79: R I R^T with all six values and a general rotation."""
    body = BODY % ("0 0 0", "0.3 -0.7 1.1", 2, 0.05, 0.004, -0.003, 0.06, 0.002, 0.03)
    world = urdf(tmp_path, f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{body}</link>{hinge()}')
    given = np.array([[0.05, 0.004, -0.003], [0.004, 0.06, 0.002], [-0.003, 0.002, 0.03]])
    r = rpy(0.3, -0.7, 1.1)
    assert inertia(named(world, "b")) == pytest.approx(r @ given @ r.T, abs=1e-8)


@pytest.mark.parametrize("size", [1e-7, 3e-9])
def test_urdf2webots_81_small_moments_do_not_become_zero(tmp_path: Path, size: float):
    """cyberbotics/urdf2webots#81: moments of 1e-7 kg m^2 are written with their digits."""
    body = BODY % ("0 0 0", "0 0 0", 0.001, size * 1.5, 0, 0, size * 1.25, 0, size)
    world = urdf(tmp_path, f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{body}</link>{hinge()}')
    assert np.diag(inertia(named(world, "b"))) == pytest.approx([size * 1.5, size * 1.25, size], rel=1e-5)


def test_genesis_2499_an_inertial_without_an_origin(tmp_path: Path):
    """Genesis-Embodied-AI/genesis-world#2499; URDF specification: the origin is the link's."""
    body = (
        '<inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" '
        'izz="0.25"/></inertial>'
    )
    world = urdf(tmp_path, f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{body}</link>{hinge()}')
    node = named(world, "b")
    assert tuple(node.get("physics").root.get("centerOfMass")[0]) == (0, 0, 0)
    assert np.diag(inertia(node)) == pytest.approx([0.1, 0.2, 0.25])


@pytest.mark.parametrize("massless", ["", '<visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>'])
def test_urdf2webots_88_what_hangs_on_fixed_joints_does_not_fall_off(tmp_path: Path, massless: str):
    """cyberbotics/urdf2webots#88, #212: links without inertial between fixed joints and behind a hinge."""
    fixed = '<joint name="%s" type="fixed"><parent link="%s"/><child link="%s"/><origin xyz="%s"/></joint>'
    text = (
        f'{WORLD}<link name="a">{PLAIN}</link><link name="m">{massless}</link><link '
        f'name="tip">{massless}</link>'
        f'<link name="b">{PLAIN}{SPHERE}</link><link name="end">{PLAIN}</link>'
        '<joint name="j" type="revolute"><parent link="m"/><child link="b"/><origin xyz="0.5 0 0"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="1"/></joint>'
    )
    text += (
        fixed % ("f", "a", "m", "0 0 1")
        + fixed % ("t", "b", "tip", "0.2 0 0")
        + fixed % ("u", "tip", "end", "0 0 0.1")
    )
    world = urdf(tmp_path, text)
    end = named(world, "end")
    s = Simulation(world)
    s.run(1)
    assert s.gaps() == []
    # Above the base by 1 m + 0.1 m, outward by 0.5 m + 0.2 m: the motor holds position 0.
    assert NodeView(s.physics, end).pose[:3, 3] == pytest.approx([0.7, 0, 1.1], abs=1e-3)


@pytest.mark.parametrize(("angles", "turn"), [("0 0 0", 0), ("0 1.5707963267948966 0", math.pi / 2)])
def test_urdf2webots_147_cylinders_stand_along_z(tmp_path: Path, angles: str, turn: float):
    """cyberbotics/urdf2webots#147: like URDF's, cylinders of today's worlds stand along z: no turn of
    their own.
    """
    shape = (
        '<{0}><origin xyz="0 0 0.2" rpy="%s"/><geometry><cylinder radius="0.05" '
        'length="0.4"/></geometry></{0}>'
    )
    text = (shape % angles).format("collision") + (shape % angles).format("visual")
    world = urdf(
        tmp_path, f'{WORLD}<link name="a">{PLAIN}</link><link name="b">{PLAIN}{text}</link>{hinge()}'
    )
    cylinders = [one for one in world.walk() if one.type == "Cylinder" and one.use_of is None]
    assert cylinders
    for cylinder in cylinders:
        frame = cylinder.parent
        while frame is not None and "rotation" not in frame.spec.fields:
            frame = frame.parent
        assert frame is not None
        assert frame.get("rotation")[3] == pytest.approx(turn, abs=1e-9)
        assert (cylinder.get("height"), cylinder.get("radius")) == (0.4, 0.05)


def test_mujoco_375_an_inertia_that_no_body_can_have_is_told(tmp_path: Path):
    """google-deepmind/mujoco#375: 1.486e-6 > 2e-7 + 8.31e-7: a finding that names the link, and a robot
    that loads.
    """
    body = BODY % ("0 0 0", "0 0 0", 0.01, 1.486e-06, 0, 0, 2e-07, 0, 8.31e-07)
    source = tmp_path / "robot.urdf"
    links = f'<link name="a">{PLAIN}</link><link name="index_fle">{body}</link>'
    joint = hinge().replace('child link="b"', 'child link="index_fle"')
    source.write_text(f'<robot name="r">{WORLD}{links}{joint}</robot>')
    done = convert(source, ConvertOptions(output=tmp_path, world=tmp_path / "test.wbt"))
    assert done.report.errors == []
    assert any("index_fle" in str(one) and "inertia" in str(one).lower() for one in done.report)
    Simulation(load_world(tmp_path / "test.wbt")).run(0.5)


MJ_BODY = (
    '<body name="a"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'
    '<body name="b">%s<inertial pos="0 0 0" mass="2" diaginertia="0.008 0.008 0.008"/></body></body>'
)


def parameters(world: World) -> Node:
    return next(n for n in world.walk() if n.type in ("HingeJointParameters", "JointParameters"))


def test_newton_2508_degrees_leave_damping_and_stiffness_alone(tmp_path: Path):
    """newton-physics/newton#2508: with angle="degree" only angles are converted; MuJoCo keeps N m / rad."""
    joint = (
        '<joint name="j" type="hinge" axis="0 0 1" range="-45 90" limited="true" damping="0.7" '
        'stiffness="3"/>'
    )
    world = mjcf(tmp_path, MJ_BODY % joint, '<compiler angle="degree"/>')
    node = parameters(world)
    assert node.get("dampingConstant") == pytest.approx(0.7)
    assert node.get("springConstant") == pytest.approx(3)
    assert (node.get("minStop"), node.get("maxStop")) == pytest.approx((-math.pi / 4, math.pi / 2))


def test_newton_2508_a_hinge_without_a_range_has_no_stops(tmp_path: Path):
    """newton-physics/newton#2508: an unlimited hinge in degrees stays unlimited."""
    world = mjcf(
        tmp_path, MJ_BODY % '<joint name="j" type="hinge" axis="0 0 1"/>', '<compiler angle="degree"/>'
    )
    node = parameters(world)
    assert (node.get("minStop"), node.get("maxStop")) == (0, 0)


def test_newton_3735_springdamper_gives_stiffness_and_damping(tmp_path: Path):
    """newton-physics/newton#3735: native MuJoCo derives 0.0888889 N m/rad and 0.08 N m s/rad (values of
    the report).
    """
    text = (
        '<body name="a"><joint name="joint" type="hinge" springdamper="0.2 1.5"/><geom '
        'type="sphere" size="0.1" mass="2"/></body>'
    )
    world = mjcf(tmp_path, text)
    node = parameters(world)
    assert node.get("springConstant") == pytest.approx(0.0888889, rel=1e-3)
    assert node.get("dampingConstant") == pytest.approx(0.08, rel=1e-3)


def stl(path: Path, scale: float = 1.0) -> None:
    """A tetrahedron with its right angle at the origin, legs 1, 2 and 3."""
    a, b, c, o = (scale, 0, 0), (0, 2 * scale, 0), (0, 0, 3 * scale), (0, 0, 0)
    faces = [(o, b, a), (o, a, c), (o, c, b), (a, b, c)]
    data = b"\0" * 80 + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<12fH", 0, 0, 0, *(x for p in face for x in p), 0)
    path.write_bytes(data)


@pytest.mark.parametrize("mirror", ["1 1 1", "-1 1 1", "1 -1 -1", "-1 -1 -1"])
def test_newton_3754_a_mirrored_mesh_weighs_what_the_other_weighs(tmp_path: Path, mirror: str):
    """newton-physics/newton#3754: negative scales are legal: volume 1 m^3, center at a quarter of each
    leg.
    """
    stl(tmp_path / "t.stl")
    text = '<body name="a"><freejoint/><geom type="mesh" mesh="t" density="1000"/></body>'
    world = mjcf(tmp_path, text, f'<asset><mesh name="t" file="t.stl" scale="{mirror}"/></asset>')
    physics = next(one for one in world.walk() if one.type == "Physics")
    assert physics.get("mass") == pytest.approx(1000, rel=1e-6)
    signs = [float(x) for x in mirror.split()]
    expected = [sign * leg / 4 for sign, leg in zip(signs, (1, 2, 3), strict=True)]
    assert physics.get("centerOfMass")[0] == pytest.approx(expected, abs=1e-5)


def test_mujoco_2152_a_mesh_that_is_not_convex_weighs_what_it_encloses(tmp_path: Path):
    """google-deepmind/mujoco#2152: volume of an L of boxes 2x1x1 + 1x1x1 = 3 m^3, not that of its hull."""
    points = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    text = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for x, y in points)
    text += "f 4 3 2\nf 4 2 1\nf 4 1 6\nf 4 6 5\nf 10 8 9\nf 10 7 8\nf 10 12 7\nf 10 11 12\n"
    for i in range(6):
        j = (i + 1) % 6
        text += f"f {i + 1} {j + 1} {j + 7}\nf {i + 1} {j + 7} {i + 7}\n"
    (tmp_path / "l.obj").write_text(text)
    (tmp_path / "test.wbt").write_text(
        "#VRML_SIM R2023b utf8\nWorldInfo { gravity 0 }\nDEF B Solid { boundingObject Mesh { url "
        '"l.obj" } physics Physics { density 1 } }\n'
    )
    s = Simulation(load_world(tmp_path / "test.wbt"))
    assert s.findings == []
    body, _ = s.physics.carrier(s.node("B").node)
    body.add_force((0, 0, 3.0))
    s.step()
    # The node's own point moves with the body; all of it is pushed through its center.
    assert body.linear_velocity[2] == pytest.approx(3.0 * s.step_s / 3, rel=1e-6)
