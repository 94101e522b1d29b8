"""What users of supervisors reported as wrong, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.devices.rig import STEP_MS
from tests.supervisor.bench import ARM, BALL, FLOOR, Bench

Maker = Callable[..., Bench]
STILL = "gravity 0"
DT = STEP_MS / 1000


def test_webots_6345_a_torque_turns_and_a_force_pushes(bench: Maker):
    """cyberbotics/webots#6345, #6879: w = T dt / I without a push, v = F dt / m without a turn."""
    box = 'DEF B Solid { name "b" boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 6 } }'
    b = bench(box, info=STILL)
    node = b.api.getFromDef("B")
    node.addTorque([0, 0, 3], False)
    b.tick()
    assert node.getVelocity() == pytest.approx([0, 0, 0, 0, 0, 3 * DT])
    node.setVelocity([0] * 6)
    node.addForce([3, 0, 0], False)
    b.tick()
    assert node.getVelocity() == pytest.approx([3 * DT / 6, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("relative", [False, True])
def test_webots_1248_a_force_with_an_offset_in_a_turned_solid(bench: Maker, relative: bool):
    """cyberbotics/webots#1248; manual: the offset is always in the solid's frame, the force in either."""
    box = (
        'DEF B Solid { rotation 0 0 1 1.5707963267948966 name "b" boundingObject Box { size 1 1 1 } '
        "physics Physics { density -1 mass 6 } }"
    )
    b = bench(box, info=STILL)
    node = b.api.getFromDef("B")
    node.addForceWithOffset([3, 0, 0], [0.5, 0, 0], relative)
    b.tick()
    v = node.getVelocity()
    if relative:  # force and offset are parallel
        assert v == pytest.approx([0, 3 * DT / 6, 0, 0, 0, 0], abs=1e-12)
    else:  # at (0, 0.5, 0) in the world: torque -1.5 N m
        assert v == pytest.approx([3 * DT / 6, 0, 0, 0, 0, -1.5 * DT], abs=1e-12)


LINKED = (
    'DEF R Robot { name "r" controller "<none>" children [ DEF T %s { %s children [ '
    "%s endPoint DEF E Solid { translation 0 0 0.2 %s } } ] } ] }"
)


@pytest.mark.parametrize("physics", ["", "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }"])
@pytest.mark.parametrize("kind", ["Pose", "Transform", "Solid"])
@pytest.mark.parametrize(
    "joint",
    [
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }",
        (
            "Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 } jointParameters2 "
            "JointParameters { axis 1 0 0 }"
        ),
        "SliderJoint { jointParameters JointParameters { axis 0 0 1 }",
        "BallJoint { jointParameters BallJointParameters { anchor 0 0 0 }",
    ],
    ids=["hinge", "hinge2", "slider", "ball"],
)
def test_webots_3751_a_turned_frame_takes_the_joints_below_along(
    bench: Maker, kind: str, joint: str, physics: str
):
    """cyberbotics/webots#3751: rotation and translation of a node above a joint reach its end point."""
    b = bench(LINKED % (kind, 'name "t"' if kind == "Solid" else "", joint, physics), info=STILL)
    b.tick()
    b.get("T", "rotation").setSFRotation([1, 0, 0, math.pi / 2])
    b.get("T", "translation").setSFVec3f([1, 0, 0])
    b.tick(3)
    assert b.api.getFromDef("E").getPosition() == pytest.approx([1, -0.2, 0], abs=2e-3)


def test_webots_6594_a_place_that_is_set_is_there(bench: Maker):
    """cyberbotics/webots#6594; manual: the field reads the new value at once, the place is that of the
    next step.
    """
    b = bench(BALL, info=STILL)
    b.tick(5)
    b.get("BALL", "translation").setSFVec3f([4, 5, 6])
    assert b.get("BALL", "translation").getSFVec3f() == pytest.approx([4, 5, 6])
    assert b.api.getFromDef("BALL").getPosition() == pytest.approx([1, 2, 3])
    b.tick()
    assert b.api.getFromDef("BALL").getPosition() == pytest.approx([4, 5, 6])


def test_webots_2770_resets_of_physics_in_each_step_leave_sensors_in_place(bench: Maker):
    """cyberbotics/webots#2770: jerking joints, resetPhysics in each step: parts keep their distances."""
    arm = (
        'DEF R Robot { name "r" controller "<none>" boundingObject Box { size 0.2 0.2 0.2 } '
        "physics Physics { } children [ "
        "DEF J HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } device DEF M "
        "RotationalMotor { maxTorque 100 maxVelocity 50 } "
        'endPoint DEF E Solid { translation 0 0 0.3 name "e" boundingObject Box { size 0.1 0.1 '
        "0.2 } physics Physics { } children [ "
        'DEF S TouchSensor { translation 0 0 0.15 name "s" boundingObject Box { size 0.05 0.05 '
        "0.05 } physics Physics { density -1 mass 0.05 } } ] } } ] }"
    )
    b = bench(arm, info=STILL)
    motor = b.simulation.physics.handles.motors[b.node("M")]
    robot = b.api.getFromDef("R")
    for step in range(100):
        robot.resetPhysics()
        motor.set_position(step % 2)
        b.tick()
        pose = b.api.getFromDef("S").getPose(b.api.getFromDef("E"))
        assert [pose[3], pose[7], pose[11]] == pytest.approx([0, 0, 0.15], abs=5e-3)


def test_webots_2992_a_negative_index_after_a_reset(bench: Maker):
    """cyberbotics/webots#2992: -1 means behind the last node that is there after the reset."""
    b = bench("")
    root = b.api.getRoot().getField("children")
    count = root.getCount()
    text = 'DEF N Solid { name "n" translation 0 0 3 }'
    for _ in range(3):
        root.importMFNodeFromString(-1, text)
        assert root.getCount() == count + 1
        assert root.getMFNode(-1).getDef() == "N"
        b.tick()
        b.api.simulationReset()
        b.tick()
        assert root.getCount() == count
        assert b.api.getFromDef("N") is None


def test_webots_2292_an_insertion_keeps_what_was_set_before(bench: Maker):
    """cyberbotics/webots#2292: set, append, read."""
    b = bench(
        'Robot { name "l" controller "<none>" children [ DEF L LED { color [ 0 0 0, 1 0 0, 0 1 0 ] } ] }'
    )
    colors = b.get("L", "color")
    colors.setMFColor(2, [0, 0, 1])
    colors.insertMFColor(-1, [1, 1, 0])
    assert [colors.getMFColor(i) for i in range(colors.getCount())] == [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
        [1, 1, 0],
    ]
    b.tick()
    assert colors.getMFColor(2) == [0, 0, 1]
    colors.removeMF(-1)
    colors.setMFColor(-1, [0.5, 0, 0])
    assert [colors.getMFColor(i) for i in range(colors.getCount())] == [[0, 0, 0], [1, 0, 0], [0.5, 0, 0]]


POINTS = (
    'DEF G Solid { name "g" children [ Shape { geometry IndexedLineSet { coord DEF C '
    "Coordinate { point [ %s ] } "
    "coordIndex [ %s ] } } ] }"
)


def test_webots_5574_vectors_are_set_and_inserted(bench: Maker):
    """cyberbotics/webots#5574: setMFVec3f, insertMFVec3f, setMFRotation ... take lists of their length."""
    b = bench(POINTS % ("0 0 0, 1 1 1", "0 1 -1"))
    points = b.get("C", "point")
    points.setMFVec3f(0, [1, 2, 3])
    points.insertMFVec3f(1, [4, 5, 6])
    points.insertMFVec3f(0, (7, 8, 9))
    b.tick()
    assert [points.getMFVec3f(i) for i in range(4)] == [[7, 8, 9], [1, 2, 3], [4, 5, 6], [1, 1, 1]]


def test_webots_6058_a_line_that_grows_for_long_does_no_harm(bench: Maker):
    """cyberbotics/webots#6058: a trail by hundreds of setMFVec3f and setMFInt32."""
    many = 200
    b = bench(POINTS % (", ".join(["0 0 0"] * many), ""))
    points = b.get("C", "point")
    index = (
        b.api.getFromDef("G")
        .getField("children")
        .getMFNode(0)
        .getField("geometry")
        .getSFNode()
        .getField("coordIndex")
    )
    for i in range(many):
        points.setMFVec3f(i, [i, 0, 0])
        index.insertMFInt32(-1, i)
        if i % 20 == 0:
            b.tick()
    b.tick()
    assert (index.getCount(), points.getMFVec3f(many - 1)) == (many, [many - 1, 0, 0])


def test_webots_557_a_copy_weighs_what_the_original_weighs(bench: Maker):
    """cyberbotics/webots#557: the center of mass is the same in the world file and after an import."""
    b = bench(ARM, info=STILL)
    node = b.api.getFromDef("ARM")
    text = node.exportString().replace("DEF ARM ", "DEF COPY ").replace('"arm"', '"copy"')
    b.api.getRoot().getField("children").importMFNodeFromString(-1, text)
    b.tick()
    assert b.api.getFromDef("COPY").getCenterOfMass() == pytest.approx(node.getCenterOfMass())


def test_webots_5966_contact_points_lie_where_things_touch(bench: Maker):
    """cyberbotics/webots#5966: four corners of a box on the floor, numbers like 1e-185 never."""
    b = bench(
        FLOOR + 'DEF B Solid { name "b" translation 2 1 0.5 boundingObject Box { size 1 1 1 } physics '
        "Physics { density -1 mass 1 } }"
    )
    b.tick(20)
    points = b.api.getFromDef("B").getContactPoints()
    assert sorted((round(p.point[0], 2), round(p.point[1], 2)) for p in points) == [
        (1.5, 0.5), (1.5, 1.5), (2.5, 0.5), (2.5, 1.5)
    ]  # fmt: skip
    assert all(abs(p.point[2]) < 0.01 for p in points)


def test_webots_3837_a_driving_robot_that_is_put_back_keeps_its_wheels(bench: Maker):
    """cyberbotics/webots#3837, #2095: translation, rotation, resetPhysics while the wheels spin, again and
    again.
    """
    wheel = (
        "HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0 }} "
        'device RotationalMotor {{ name "m{n}" maxTorque 20 }} '
        'endPoint DEF W{n} Solid {{ name "w{n}" translation 0 {y} 0 rotation 1 0 0 1.5707963 '
        "boundingObject Cylinder {{ radius 0.1 height 0.04 }} "
        "physics Physics {{ }} }} }}"
    )
    car = (
        f'DEF R Robot {{ translation 0 0 0.1 name "car" controller "<none>" children [ '
        f"{wheel.format(n=1, y=0.2)} {wheel.format(n=2, y=-0.2)} ] "
        "boundingObject Box { size 0.4 0.3 0.1 } physics Physics { } }"
    )
    b = bench(FLOOR + car)
    motors = [m for m in b.simulation.physics.handles.motors.values() if m.max_force == 20]
    node = b.api.getFromDef("R")
    for turn in range(6):
        for i, motor in enumerate(motors):
            motor.set_position(math.inf)
            motor.set_velocity(8 - turn * i * 3)
        b.tick(30)
        node.getField("translation").setSFVec3f([0, 0, 0.1])
        node.getField("rotation").setSFRotation([0, 0, 1, 0])
        node.resetPhysics()
        b.tick()
        for name, y in (("W1", 0.2), ("W2", -0.2)):
            pose = b.api.getFromDef(name).getPose(node)
            assert [pose[3], pose[7], pose[11]] == pytest.approx([0, y, 0], abs=5e-3)
    assert abs(node.getPosition()[0]) < 0.05 and abs(node.getPosition()[2] - 0.1) < 0.01


def test_webots_1805_a_field_set_in_the_step_of_a_reset(bench: Maker):
    """cyberbotics/webots#1805: what is set after simulationReset() and a step is there."""
    b = bench(BALL, info=STILL)
    b.tick(5)
    b.api.simulationReset()
    b.tick()
    b.get("BALL", "translation").setSFVec3f([0.5, 0.5, 0.5])
    b.tick()
    assert b.api.getFromDef("BALL").getPosition() == pytest.approx([0.5, 0.5, 0.5])


DRONE = """#VRML_SIM R2023b utf8
PROTO Drone [ field SFVec3f translation 0 0 0.015 field SFRotation rotation 0 0 1 0 field SFString name
    "drone"
  field SFString controller "<none>" field MFBool locked [ FALSE, FALSE ] field MFNode slot [ ] ] {
  Robot { translation IS translation rotation IS rotation name IS name controller IS controller children [
    Group { children IS slot } DEF BODY Pose { translation 0 0 1 } ]
    boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } translation 0 0 0.015 } }
"""
NEST = """#VRML_SIM R2023b utf8
EXTERNPROTO "Drone.proto"
PROTO Nest [ field SFVec3f translation 0 0 0 field SFString name "nest" field MFBool locked [ FALSE, FALSE
    ] field MFNode slot [ ] ] {
  Group { children [ DEF INNER Drone { translation IS translation name IS name locked IS locked slot IS
    slot } ] } }
"""
SHIFT = """#VRML_SIM R2023b utf8
# template language: javascript
PROTO Shift [ field SFVec3f at 0 0 0 ] {
  Pose { translation %<= fields.at.value.x >% %<= fields.at.value.y >% %<= fields.at.value.z >% children [
    DEF TIP Pose { } ] } }
"""
SHIFTED = """#VRML_SIM R2023b utf8
EXTERNPROTO "Shift.proto"
PROTO Shifted [ field SFVec3f at 0 0 0 ] { Group { children [ DEF IN Shift { at IS at } ] } }
"""
OWN = """#VRML_SIM R2023b utf8
PROTO Own [ field MFNode children [ ] field SFString name "own" field SFVec3f translation 0 0 0 field
    SFFloat size 2 ] {
  Solid { translation IS translation name IS name children [ Group { children IS children } DEF B Shape {
    geometry Box { size 1 1 1 } } ] } }
"""
OWNER = """#VRML_SIM R2023b utf8
EXTERNPROTO "Own.proto"
PROTO Owner [ field MFNode children [ ] field SFString name "owner" field SFVec3f translation 0 0 0 field
    SFVec3f size 3 3 3 ] {
  Own { translation IS translation name IS name children [ Pose { translation 0 0 1 children IS children }
    ] size 7 } }
"""


@pytest.fixture
def project(tmp_path: Path, bench: Maker) -> Maker:
    (tmp_path / "worlds").mkdir()
    (tmp_path / "protos").mkdir()
    texts = {"Drone": DRONE, "Nest": NEST, "Shift": SHIFT, "Shifted": SHIFTED, "Own": OWN, "Owner": OWNER}
    for name, text in texts.items():
        (tmp_path / "protos" / f"{name}.proto").write_text(text)
    header = "#VRML_SIM R2023b utf8\n" + "".join(
        f'IMPORTABLE EXTERNPROTO "../protos/{one}.proto"\n' for one in texts
    )
    return lambda around, **options: bench(
        around, header=header, path=tmp_path / "worlds" / "test.wbt", **options
    )


def test_webots_6467_a_reset_brings_an_instance_back_to_its_own_place(project: Maker):
    """cyberbotics/webots#6467: the place of the instance counts, not one that the PROTO's body repeats."""
    b = project("DEF D Drone { translation -5 -2 0.1 }", info=STILL)
    node = b.api.getFromDef("D")
    start = node.getPosition()
    assert start == pytest.approx([-5, -2, 0.1])
    b.tick(3)
    node.setVelocity([1, 0, 1, 0, 0, 0])
    b.tick(10)
    b.api.simulationReset()
    b.tick()
    assert node.getPosition() == pytest.approx(start)
    assert node.getField("translation").getSFVec3f() == pytest.approx([-5, -2, 0.1])


def test_webots_1604_booleans_of_a_nested_proto_are_set(project: Maker):
    """cyberbotics/webots#1604: MFBool of an inner PROTO through the outer one."""
    b = project("DEF N Nest { }")
    field = b.api.getFromDef("N").getField("locked")
    for i in range(2):
        field.setMFBool(i, True)
    b.tick()
    assert [field.getMFBool(i) for i in range(2)] == [True, True]
    inner = b.api.getFromDef("N").getFromProtoDef("INNER").getField("locked")
    assert [inner.getMFBool(i) for i in range(2)] == [True, True]


def test_webots_3979_a_nested_proto_in_a_group_moves(project: Maker):
    """cyberbotics/webots#3979: translation of the outer PROTO moves the inner one, also the second time."""
    b = project("DEF N Nest { }", info=STILL)
    node = b.api.getFromDef("N")
    for place in ([1, 2, 3], [3, 2, 1]):
        node.getField("translation").setSFVec3f(place)
        b.tick()
        assert node.getFromProtoDef("INNER").getPosition() == pytest.approx(place)


def test_webots_3236_a_template_within_a_slot_is_made_anew(project: Maker):
    """cyberbotics/webots#3236: the value of a PROTO in a slot of another reaches the template below it."""
    b = project("DEF N Nest { slot [ DEF S Shifted { at 0.1 0 0 } ] }", info=STILL)
    for x in (0.4, 0.2):
        b.get("S", "at").setSFVec3f([x, 0, 0])
        b.tick()
        tip = b.api.getFromDef("S").getFromProtoDef("IN").getFromProtoDef("TIP")
        assert tip.getPosition()[0] == pytest.approx(x)


def test_webots_2392_a_supervisor_that_is_a_proto_knows_it(tmp_path: Path, project: Maker):
    """cyberbotics/webots#2392: isProto of the own node."""
    b = project("DEF D Drone { }")
    assert b.api.getFromDef("D").isProto()
    assert not b.api.getSelf().isProto()
    assert b.api.getFromDef("D").getFromProtoDef("BODY") is not None
    assert b.api.getFromDef("BODY") is None


def test_webots_6354_fields_of_each_layer_of_a_proto(project: Maker):
    """cyberbotics/webots#6354, #5757: the same name means another field in each layer."""
    b = project("DEF O Owner { }")
    node = b.api.getFromDef("O")
    assert node.getField("size").getSFVec3f() == [3, 3, 3]
    layer = node.getProto()
    assert layer.getTypeName() == "Owner"
    assert layer.getField("size").getSFVec3f() == [3, 3, 3]
    inner = layer.getParent()
    assert inner.getTypeName() == "Own"
    assert inner.getField("size").getSFFloat() == 7
    assert node.getField("size").getSFVec3f() == [3, 3, 3]


def test_webots_6630_a_proto_that_hands_its_children_down_ends(project: Maker):
    """cyberbotics/webots#6630: children IS children within a list of that name: nothing contains itself."""
    b = project("DEF O Owner { children [ DEF P Pose { translation 1 0 0 } ] }")
    assert b.api.getFromDef("P").getPosition() == pytest.approx([1, 0, 1])
    b.get("O", "translation").setSFVec3f([0, 0, 2])
    b.tick()
    assert b.api.getFromDef("P").getPosition() == pytest.approx([1, 0, 3])


def test_webots_3034_a_link_inside_of_a_proto_moves_along(project: Maker):
    """cyberbotics/webots#3034: getPosition of a node found once is that of now."""
    b = project("DEF D Drone { translation 0 0 1 }", info=STILL)
    link = b.api.getFromDef("D").getFromProtoDef("BODY")
    assert link.getPosition() == pytest.approx([0, 0, 2])
    b.api.getFromDef("D").setVelocity([1, 0, 0, 0, 0, 0])
    b.tick(10)
    assert link.getPosition() == pytest.approx([10 * DT, 0, 2])


def test_webots_6602_each_target_of_a_radar_is_another(bench: Maker):
    """cyberbotics/webots#6602: four targets at four distances."""
    targets = "".join(
        (
            f'Solid {{ translation {4 + i} {i - 1} 0 name "t{i}" radarCrossSection 1 boundingObject '
            f"Box {{ size 0.1 0.1 0.1 }} }}"
        )
        for i in range(4)
    )
    b = bench(targets)
    root = b.api.getSelf().getField("children")
    root.importMFNodeFromString(-1, 'Radar { name "radar" maxRange 50 }')
    b.tick()
    radar = b.api.getDevice("radar")
    radar.enable(STEP_MS)
    b.tick(2)
    found = sorted(t.distance for t in radar.getTargets())
    assert found == pytest.approx(sorted(math.hypot(4 + i, i - 1) for i in range(4)), rel=0.05)
    assert len({round(t.distance, 3) for t in radar.getTargets()}) == 4


def test_webots_2106_the_export_to_urdf_turns_axes_by_frames_above(bench: Maker):
    """cyberbotics/webots#2106: a joint below a turned Pose has the axis that the Pose gives it."""
    arm = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor "
        '{ name "m" } '
        'endPoint Solid { name "end" translation 0 0 0.5 boundingObject Box { size 0.1 0.1 0.1 } '
        "physics Physics { } } }"
    )
    b = bench("")
    turned = f"Pose {{ rotation 1 0 0 4.712388980384690 children [ {arm} ] }}"
    b.api.getSelf().getField("children").importMFNodeFromString(-1, turned)
    b.tick()
    joint = next(
        j for j in ElementTree.fromstring(b.api.getUrdf()).iter("joint") if j.find("axis") is not None
    )
    origin, axis = joint.find("origin"), np.array([float(x) for x in joint.find("axis").get("xyz").split()])
    r, p, y = (
        float(x) for x in (origin.get("rpy") if origin is not None and origin.get("rpy") else "0 0 0").split()
    )
    cx, sx, cy, sy, cz, sz = math.cos(r), math.sin(r), math.cos(p), math.sin(p), math.cos(y), math.sin(y)
    rotation = (
        np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
        @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    )
    # Rx(270 degrees) turns z to y.
    assert rotation @ axis == pytest.approx([0, 1, 0], abs=1e-6)


def test_webots_6670_values_after_a_reset_are_those_of_now(bench: Maker):
    """cyberbotics/webots#6670, #3302: also if the time is the same; what a supervisor had moved is back."""
    b = bench("DEF P PointLight { location 1 2 3 }")
    field = b.api.getFromDef("P").getField("location")
    b.tick(1)
    field.setSFVec3f([9, 9, 9])
    b.tick(1)
    b.api.simulationReset()
    b.tick(1)
    assert field.getSFVec3f() == [1, 2, 3]
