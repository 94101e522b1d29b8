"""Contacts: sliding, sticking, rolling and bouncing, against closed forms.

Contacts are soft (softCFM 0.001, softERP 0.2) and act one step after they were found, so positions at rest
are off by the weight times the compliance, and times by a few steps.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import FLOOR, G, box, simulation, world
from wbridge.wbcore.simulation import Simulation

LIGHT = "mass 1 density -1"
HARD = "contactProperties ContactProperties { coulombFriction %s bounce %s bounceVelocity 0 softCFM 1e-8 }"


def incline(slope: float, friction: float) -> Simulation:
    """A box on a plane that is inclined about y, so that it goes down along x."""
    angle = math.atan(slope)
    height = 0.05
    place = f"{height * math.sin(angle)} 0 {height * math.cos(angle)}"
    text = f'Solid {{ name "ramp" rotation 0 1 0 {angle} boundingObject Plane {{ }} }}' + box(
        fields=f"translation {place} rotation 0 1 0 {angle}", size="0.2 0.2 0.1", physics="mass 1 density -1"
    )
    return simulation(text, info=HARD % (friction, 0))


def test_a_box_sticks_below_the_friction_threshold():
    s = incline(slope=0.48, friction=0.5)
    before = s.node("BOX").translation
    s.run(2.0)
    assert np.linalg.norm(s.node("BOX").translation - before) < 1e-3


def test_a_box_slides_above_the_friction_threshold():
    s = incline(slope=0.6, friction=0.5)
    s.run(1.0)
    angle = math.atan(0.6)
    acceleration = G * (math.sin(angle) - 0.5 * math.cos(angle))
    # The first step has contacts already; the box settles into the plane within a few steps.
    assert np.linalg.norm(s.node("BOX").linear_velocity) == pytest.approx(acceleration, rel=0.01)


@pytest.mark.parametrize("friction", [0.2, 0.5, 1.0])
def test_the_stopping_distance_is_v2_over_2_mu_g(friction: float):
    text = FLOOR + box(fields="translation 0 0 0.05 linearVelocity 2 0 0", size="0.4 0.4 0.1")
    s = simulation(text, info=HARD % (friction, 0))
    s.run(3.0)
    # Discrete steps add at most v dt / 2 = 1 mm.
    assert s.node("BOX").translation[0] == pytest.approx(4 / (2 * friction * G), rel=0.01, abs=1e-3)


def test_without_friction_a_box_slides_on():
    text = FLOOR + box(fields="translation 0 0 0.05 linearVelocity 2 0 0", size="0.4 0.4 0.1")
    s = simulation(text, info=HARD % (0, 0))
    s.run(2.0)
    assert s.node("BOX").linear_velocity[0] == pytest.approx(2, rel=1e-6)


def test_infinite_friction_holds_on_any_slope():
    s = incline(slope=1.5, friction=-1)
    before = s.node("BOX").translation
    s.run(0.5)
    assert np.linalg.norm(s.node("BOX").translation - before) < 5e-3


@pytest.mark.parametrize(
    ("shape", "factor"),
    [
        ("Sphere { radius 0.1 }", 5 / 7),
        ("Pose { rotation 1 0 0 1.5707963 children [ Cylinder { radius 0.1 height 0.3 } ] }", 2 / 3),
    ],
)
def test_round_bodies_roll_down_without_slipping(shape: str, factor: float):
    """a = g sin(angle) / (1 + I / (m r^2)): 5/7 for a ball, 2/3 for a cylinder."""
    angle = 0.2
    place = f"{0.1 * math.sin(angle)} 0 {0.1 * math.cos(angle)}"
    text = (
        f'Solid {{ name "ramp" rotation 0 1 0 {angle} boundingObject Plane {{ }} }}'
        f"DEF R Solid {{ translation {place} boundingObject {shape} physics Physics {{ }} }}"
    )
    s = simulation(text, info=HARD % (1, 0))
    s.run(1.0)
    speed = np.linalg.norm(s.node("R").linear_velocity)
    assert speed == pytest.approx(factor * G * math.sin(angle), rel=0.01)
    assert s.node("R").angular_velocity[1] == pytest.approx(speed / 0.1, rel=0.005)


def test_a_sliding_ball_ends_up_rolling_at_five_sevenths_of_its_speed():
    text = FLOOR + (
        "DEF R Solid { translation 0 0 0.1 linearVelocity 1 0 0 boundingObject "
        "Sphere { radius 0.1 } physics Physics { } }"
    )
    s = simulation(text, info=HARD % (0.5, 0))
    s.run(0.5)
    assert s.node("R").linear_velocity[0] == pytest.approx(5 / 7, rel=0.005)


def test_rolling_friction_stops_a_ball():
    """Rolling resistance rho m g decelerates a ball by 5/7 rho g / r."""
    properties = "contactProperties ContactProperties { rollingFriction 0.002 0 0 bounce 0 softCFM 1e-8 }"
    text = FLOOR + (
        "DEF R Solid { translation 0 0 0.1 linearVelocity 1 0 0 angularVelocity 0 10 0 "
        "boundingObject Sphere { radius 0.1 } physics Physics { } }"
    )
    s = simulation(text, info=properties)
    s.run(1.0)
    assert s.node("R").linear_velocity[0] == pytest.approx(1 - 5 / 7 * 0.002 * G / 0.1, rel=0.02)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 0.8, 1.0])
def test_a_ball_bounces_to_the_square_of_the_coefficient(bounce: float):
    text = (
        FLOOR + "DEF B Solid { translation 0 0 1.1 boundingObject Sphere { radius 0.1 } physics Physics { } }"
    )
    # softERP 0: what is inside of the floor is not pushed out, which would add to the speed.
    info = (HARD % (1, bounce)).replace("softCFM 1e-8", "softCFM 1e-8 softERP 0")
    s = simulation(text, info=info, step_ms=0.5)
    s.run(math.sqrt(2 / G) + 0.005)
    highest = 0.1
    for _ in range(2000):
        s.step()
        highest = max(highest, s.node("B").translation[2])
    # One step of falling more or less changes the height by v dt = 2 mm, and the squared speed accordingly.
    assert highest - 0.1 == pytest.approx(bounce**2, abs=6e-3)


def test_below_the_bounce_velocity_nothing_bounces():
    properties = "contactProperties ContactProperties { bounce 1 bounceVelocity 10 softCFM 1e-8 }"
    text = (
        FLOOR + "DEF B Solid { translation 0 0 1.1 boundingObject Sphere { radius 0.1 } physics Physics { } }"
    )
    s = simulation(text, info=properties)
    s.run(1.5)
    assert abs(s.node("B").linear_velocity[2]) < 0.01


def test_the_first_matching_properties_count_in_either_order():
    properties = """contactProperties [
      ContactProperties { material1 "ice" coulombFriction 0 bounce 0 }
      ContactProperties { material2 "ice" coulombFriction 1 bounce 0 } ]"""
    text = FLOOR + box(
        fields='translation 0 0 0.05 linearVelocity 2 0 0 contactMaterial "ice"', size="0.4 0.4 0.1"
    )
    s = simulation(text, info=properties)
    s.run(1.0)
    assert s.node("BOX").linear_velocity[0] == pytest.approx(2, rel=1e-6)


def test_a_box_at_rest_sleeps_and_wakes():
    text = f"WorldInfo {{ basicTimeStep 8 }} {FLOOR}" + box(fields="translation 0 0 0.5", physics=LIGHT)
    s = Simulation(world(text))
    s.run(3.0)
    body, _ = s.physics.carrier(s.node("BOX").node)
    assert not body.awake
    s.node("BOX").set_velocity(linear=(1, 0, 0))
    assert body.awake


@pytest.mark.parametrize("count", [3, 4, 6])
@pytest.mark.parametrize("solver", ["sparse", "dense"])
def test_a_pile_of_boxes_stays(count: int, solver: str):
    """The dense solver gives up on such regular stacks; the step must then be made by the iterative one."""
    boxes = "".join(box(f"B{i}", f"translation 0 0 {0.5 + i}", physics=LIGHT) for i in range(count))
    s = simulation(FLOOR + boxes, step_ms=8, solver=solver)
    s.run(2.0)
    assert (s.solver_fallbacks > 0) == (solver == "dense")
    assert s.solver_messages() == []
    for i in range(count):
        assert s.node(f"B{i}").translation == pytest.approx(np.array([0, 0, 0.5 + i]), abs=0.02)


def test_parts_of_one_robot_touch_each_other_only_with_self_collision():
    def arms(self_collision: str) -> str:
        def arm(name: str, x: float) -> str:
            return (
                "SliderJoint { jointParameters JointParameters { axis 1 0 0 } endPoint "
                + box(name, f"translation {x} 0 0", "0.2 0.2 0.2")
                + "}"
            )

        return f"Robot {{ selfCollision {self_collision} children [ {arm('A', -1)} {arm('B', 1)} ] }}"

    for choice, passes in (("FALSE", True), ("TRUE", False)):
        s = simulation(arms(choice), info="gravity 0")
        s.node("A").set_velocity(linear=(2, 0, 0))
        s.run(2.0)
        assert (s.node("A").translation[0] > s.node("B").translation[0]) == passes


@pytest.mark.parametrize(("soft_erp", "soft_cfm"), [(0.2, 0.001), (0.5, 0.001), (0.2, 0.004)])
def test_a_ball_at_rest_sinks_in_by_the_compliance(soft_erp: float, soft_cfm: float):
    """At rest the constraint reads ERP depth / dt = CFM force, with the weight as the force."""
    info = f"contactProperties ContactProperties {{ bounce 0 softERP {soft_erp} softCFM {soft_cfm} }}"
    text = FLOOR + (
        "DEF B Solid { translation 0 0 0.1 boundingObject Sphere { radius 0.1 } "
        "physics Physics { density -1 mass 2 } }"
    )
    s = simulation(text, info=info)
    s.run(2.0)
    depth = 2 * G * soft_cfm * 0.001 / soft_erp
    assert 0.1 - s.node("B").translation[2] == pytest.approx(depth, rel=1e-6)


@pytest.mark.parametrize(
    ("rotation", "along_x", "along_y"),
    [
        # Both solids have the coefficients 0.1 and 0.3 in the same directions: they add up.
        ("0 0", 0.2, 0.6),
        # The first solid's directions are turned by a quarter.
        (f"{math.pi / 2} 0", 0.4, 0.4),
        (f"{math.pi / 2} {math.pi / 2}", 0.6, 0.2),
    ],
)
def test_friction_by_direction(rotation: str, along_x: float, along_y: float):
    info = (
        "contactProperties ContactProperties "
        f"{{ coulombFriction [ 0.1 0.3 ] frictionRotation {rotation} bounce 0 softCFM 1e-8 }}"
    )
    for velocity, expected in (((4, 0, 0), along_x), ((0, 4, 0), along_y)):
        s = simulation(FLOOR + box(fields="translation 0 0 0.02", size="0.4 0.4 0.04"), info=info)
        s.run(0.2)
        s.node("BOX").set_velocity(velocity, (0, 0, 0))
        s.run(0.1)
        lost = 4 - np.linalg.norm(s.node("BOX").linear_velocity)
        assert lost == pytest.approx(expected * G * 0.1, abs=0.01 * G * 0.1)


def test_slip_on_a_slope_is_in_proportion_to_the_force():
    """Infinite friction that slips: four contacts share m g sin, each slips by k times its share."""
    angle = 0.3
    info = (HARD % (-1, 0)).replace("softCFM", "forceDependentSlip 0.01 softCFM")
    place = f"{0.02 * math.sin(angle)} 0 {0.02 * math.cos(angle)} rotation 0 1 0 {angle}"
    text = f'Solid {{ name "ramp" rotation 0 1 0 {angle} boundingObject Plane {{ }} }}' + box(
        fields=f"translation {place}", size="0.4 0.4 0.04", physics=LIGHT
    )
    s = simulation(text, info=info)
    s.run(1.0)
    expected = 0.01 * G * math.sin(angle) / 4
    assert np.linalg.norm(s.node("BOX").linear_velocity) == pytest.approx(expected, rel=0.02)


def prism(corners: int, radius: float, height: float) -> str:
    """A mesh that stands on a regular polygon."""
    angles = [2 * math.pi * i / corners for i in range(corners)]
    points = [
        f"{radius * math.cos(one):.9f} {radius * math.sin(one):.9f} {z}"
        for z in (-height / 2, height / 2)
        for one in angles
    ]
    following = [*range(1, corners), 0]
    faces = [[*reversed(range(corners))], [*range(corners, 2 * corners)]]
    faces += [[i, j, corners + j, corners + i] for i, j in enumerate(following)]
    index = ", ".join(f"{', '.join(map(str, face))}, -1" for face in faces)
    return f"IndexedFaceSet {{ coord Coordinate {{ point [ {', '.join(points)} ] }} coordIndex [ {index} ] }}"


@pytest.mark.parametrize(("most", "found"), [(10, 10), (31, 31), (100, 32)])
def test_the_deepest_contacts_of_a_mesh_count(most: int, found: int):
    """A part of the corners on one side is no firm stand: the body trembles unless all of them count."""
    text = FLOOR + (
        f"DEF R Solid {{ translation 0 0 0.02 boundingObject {prism(32, 0.05, 0.04)} "
        "physics Physics { density -1 mass 1 } }"
    )
    s = simulation(
        text, info=f"contactProperties ContactProperties {{ maxContactJoints {most} }}", step_ms=32
    )
    s.run(1.0)
    s.node("R").set_velocity(angular=(0.3, 0.2, 0))
    s.run(10.0)
    assert len(s.physics.engine.contacts()) == found
    fastest = 0.0
    for _ in range(50):
        s.step()
        fastest = max(fastest, float(np.abs(s.node("R").angular_velocity).max()))
    assert (fastest < 1e-9) == (most >= 32)
    assert [one.value for one in s.contact_limits()] == ([] if most > 32 else [most])


def test_a_crowd_of_contacts_is_told_while_it_is_awake():
    few = "WorldInfo { contactProperties ContactProperties { maxContactJoints 4 } }"
    for info, found in ((few, [("contact-limit", 4)]), ("WorldInfo { }", [])):
        s = Simulation(world(info + FLOOR + box(fields="translation 0 0 0.5", physics=LIGHT)))
        s.run(0.5)
        assert [(one.code, one.value) for one in s.contact_limits()] == found
        touching = 'BOX "box" and FLOOR "floor" touch at 4 or more points'
        assert all(touching in str(one) for one in s.contact_limits())
        s.run(3.0)
        assert s.contact_limits() == []
