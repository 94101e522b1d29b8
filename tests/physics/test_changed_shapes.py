"""Collision shapes that change while a world runs, wherever the changed node is; and end points that drift.

The judge is Webots: a changed geometry changes the ODE geometry of every bounding object that uses it, and
enables the bodies that it then touches (applyToOdeData and lastChangeTime in WbBox.cpp and its like).
"""

from __future__ import annotations

import pytest

from tests.physics.worlds import NEW, simulation, world
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.node import adopt
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.simulation import Simulation

BALL = (
    'DEF BALL Solid {{ translation 0 0 {height} name "ball" boundingObject Sphere {{ radius 0.5 }} '
    "physics Physics {{ density -1 mass 0.1 }} }}"
)
SHOWN = 'Solid {{ translation 9 0 0 name "shown" children [ {definition} ] }}\n'
PAD = 'DEF PAD Solid {{ name "pad" boundingObject {used} }}\n'
COORD = "DEF C Coordinate { point [ -1 -1 0.1, 1 -1 0.1, 1 1 0.1, -1 1 0.1 ] }"
FACES = f"IndexedFaceSet {{ coord {COORD} coordIndex [ 0 1 2 3 -1 ] }}"


def resting(definition: str, used: str) -> Simulation:
    """A ball of radius 0.5 that lies on a pad 0.1 high, whose shape stands elsewhere, too."""
    text = SHOWN.format(definition=definition) + PAD.format(used=used) + BALL.format(height=0.6)
    s = simulation(text, step_ms=8)
    s.run(0.4)
    assert height(s) == pytest.approx(0.6, abs=0.01)
    return s


def height(s: Simulation) -> float:
    return float(s.node("BALL").translation[2])


BOX = "DEF B Box { size 2 2 0.2 }"


@pytest.mark.parametrize(
    ("definition", "used"),
    [
        (f"DEF D Shape {{ geometry {BOX} }}", "USE D"),
        (f"DEF D Group {{ children [ Shape {{ geometry {BOX} }} ] }}", "USE D"),
        (f"DEF D Pose {{ children [ Shape {{ geometry {BOX} }} ] }}", "USE D"),
        (f"Shape {{ geometry {BOX} }}", "USE B"),
        (f"Shape {{ geometry {BOX} }}", "Group { children [ USE B ] }"),
    ],
)
def test_a_used_geometry_changes_wherever_it_is_used(definition: str, used: str):
    s = resting(definition, used)
    s.set_field(s.node("B").node, "size", (2.0, 2.0, 0.02))
    s.run(1)
    assert height(s) == pytest.approx(0.51, abs=0.01)


def test_a_used_pose_moves_wherever_it_is_used():
    s = resting(f"DEF D Pose {{ children [ Shape {{ geometry {BOX} }} ] }}", "USE D")
    s.set_field(s.node("D").node, "translation", (0.0, 0.0, -0.3))
    s.run(1)
    assert height(s) == pytest.approx(0.3, abs=0.01)


def test_what_is_added_to_a_used_group_is_felt_wherever_it_is_used():
    s = resting(f"DEF D Group {{ children [ Shape {{ geometry {BOX} }} ] }}", "USE D")
    (node,) = load_text(NEW + "Shape { geometry Box { size 2 2 0.6 } }", "import.wbt").nodes
    group = s.node("D").node
    group.get("children").append(node)
    adopt(group, node)
    s.physics.added(node)
    s.run(4)
    assert height(s) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("definition", "used"),
    [
        ("", FACES),
        (f"DEF D Shape {{ geometry {FACES} }}", "USE D"),
        (f"Shape {{ geometry {FACES} }}", FACES.replace(COORD, "USE C")),
    ],
)
def test_moved_points_of_a_mesh_are_where_they_are_now(definition: str, used: str):
    s = resting(definition, used)
    coord = s.node("C").node
    s.set_field(coord, "point", VecArray(3, [(x, y, z - 0.3) for x, y, z in coord.get("point")]))
    s.run(1)
    assert height(s) == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize("used", [BOX, f"Group {{ children [ Shape {{ geometry {BOX} }} ] }}"])
def test_a_changed_shape_wakes_what_lies_on_it_or_what_it_reaches_into(used: str):
    text = PAD.format(used=used) + BALL.format(height=0.6)
    s = Simulation(world("WorldInfo { basicTimeStep 8 }\n" + text))
    s.run(3)
    ball = s.physics.handles.bodies[s.physics.solid(s.node("BALL").node).body]
    assert not ball.awake
    s.set_field(s.node("B").node, "size", (2.0, 2.0, 0.4))
    s.run(1)
    assert height(s) == pytest.approx(0.7, abs=0.01)


HINGE = """Robot {{ name "base" {place} children [ DEF J HingeJoint {{
  jointParameters HingeJointParameters {{ axis 0 0 1 }} device RotationalMotor {{ name "m" }}
  endPoint DEF END Solid {{
    translation 1 0 0 name "end" {fields} boundingObject Box {{ size 0.1 0.1 0.1 }} }} }} ] }}
"""


def test_an_end_point_without_physics_moves_by_its_velocity():
    """WbSolid::prePhysicsStep moves every solid without Physics by its velocities."""
    s = simulation(HINGE.format(place="", fields="linearVelocity 0 0 0.5"), step_ms=10)
    s.run(1)
    assert s.node("END").translation == pytest.approx([1, 0, 0.5])


def test_the_velocity_may_be_set_later_and_the_joint_goes_on_from_there():
    s = simulation(HINGE.format(place="", fields=""), step_ms=10)
    s.physics.set_velocity(s.node("END").node, (0.0, 0.0, 0.5), None)
    s.run(1)
    s.physics.set_velocity(s.node("END").node, (0.0, 0.0, 0.0), None)
    s.physics.set_joint_position(s.node("J").node, 1.5707963267948966)
    s.run(0.1)
    assert s.node("END").translation == pytest.approx([0, 1, 0.5], abs=1e-9)


def test_a_state_remembers_how_far_an_end_point_has_drifted():
    s = simulation(HINGE.format(place="", fields="linearVelocity 0 0 0.5"), step_ms=10)
    s.run(0.5)
    state = s.physics.save()
    s.run(1)
    s.physics.restore(state)
    s.run(0.1)
    assert s.node("END").translation == pytest.approx([1, 0, 0.3])
