"""Kinematics and dynamics of robots.

Judges: the closed formulas of the planar two-link arm (Spong, Robot Modeling and Control, 7.4; Murray, Li,
Sastry, A Mathematical Introduction to Robotic Manipulation, 4.3), numeric differentiation, the simulated
motion, and ikpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import CHECKOUT, robot
from wbridge.api.joints import Joints
from wbridge.wbcore.physics.node_view import NodeView

M1, M2, L1, L2 = 2.0, 1.5, 0.8, 0.6
I1, I2 = (M * L**2 / 12 for M, L in ((M1, L1), (M2, L2)))
G = 9.81
UR5E = CHECKOUT / "worlds" / "ur5e.wbt"


def link(mass: float, length: float, motor: str, anchor: float, more: str = "", limits: str = "") -> str:
    """A thin rod that turns about y (down is a positive turn), from its end."""
    inertia = mass * length**2 / 12
    return (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 -1 0 anchor {anchor} 0 0 }} device [ "
        f'RotationalMotor {{ name "{motor}" maxTorque 1000 maxVelocity 100 {limits} }} '
        f'PositionSensor {{ name "{motor} sensor" }} ] endPoint Solid {{ translation {anchor} 0 0 '
        f'name "{motor} link" '
        f"children [ {more} ] boundingObject Pose {{ translation {length / 2} 0 0 children [ "
        f"Box {{ size {length} 0.01 0.01 }} ] }} "
        f"physics Physics {{ density -1 mass {mass} centerOfMass [ {length / 2} 0 0 ] "
        f"inertiaMatrix [ {inertia} {inertia} {inertia}, 0 0 0 ] }} }} }}"
    )


TIP = f'Solid {{ translation {L2} 0 0 name "tip" }}'
TWO_LINKS = "WorldInfo { basicTimeStep 1 CFM 1e-10 }\n" + robot(
    link(M1, L1, "a", 0, link(M2, L2, "b", L1, TIP)), "translation 0 0 1"
)


@pytest.fixture(scope="module")
def arm() -> Joints:
    return wbridge.from_text(TWO_LINKS).robot().joints


def lagrange(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass matrix, Coriolis and gravity forces of the two rods by the book."""
    c2, s2 = math.cos(q[1]), math.sin(q[1])
    cross = M2 * L1 * L2 / 2
    m = np.array(
        [
            [
                I1 + I2 + M1 * L1**2 / 4 + M2 * (L1**2 + L2**2 / 4) + 2 * cross * c2,
                I2 + M2 * L2**2 / 4 + cross * c2,
            ],
            [I2 + M2 * L2**2 / 4 + cross * c2, I2 + M2 * L2**2 / 4],
        ]
    )
    h = -cross * s2
    coriolis = np.array([h * v[1] * (2 * v[0] + v[1]), -h * v[0] ** 2])
    second = M2 * G * L2 / 2 * math.cos(q[0] + q[1])
    return m, coriolis, np.array([(M1 / 2 + M2) * G * L1 * math.cos(q[0]) + second, second])


@pytest.mark.parametrize("q", [(0.0, 0.0), (0.4, -1.1), (-2.0, 2.5), (1.5, 3.0)])
def test_the_two_link_arm_agrees_with_the_book(arm: Joints, q: tuple[float, float]):
    state, v, a = np.array(q), np.array([0.7, -1.3]), np.array([2.0, -0.5])
    m, coriolis, gravity = lagrange(state, v)
    np.testing.assert_allclose(arm.mass_matrix(state), m, atol=1e-12)
    np.testing.assert_allclose(arm.inverse_dynamics(0, 0, state), gravity, atol=1e-12)
    np.testing.assert_allclose(arm.inverse_dynamics(0, v, state), coriolis + gravity, atol=1e-12)
    np.testing.assert_allclose(arm.inverse_dynamics(a, v, state), m @ a + coriolis + gravity, atol=1e-12)
    s1, c1, s12, c12 = math.sin(q[0]), math.cos(q[0]), math.sin(sum(q)), math.cos(sum(q))
    np.testing.assert_allclose(
        arm.pose("tip", state)[:3, 3], [L1 * c1 + L2 * c12, 0, 1 + L1 * s1 + L2 * s12], atol=1e-12
    )
    rows = arm.jacobian("tip", positions=state)
    np.testing.assert_allclose(
        rows[[0, 2]], [[-L1 * s1 - L2 * s12, -L2 * s12], [L1 * c1 + L2 * c12, L2 * c12]], atol=1e-12
    )
    np.testing.assert_allclose(rows[3:], [[0, 0], [-1, -1], [0, 0]], atol=1e-12)


def test_the_simulation_accelerates_as_the_mass_matrix_says():
    """Judge: the engine's own steps: torques of inverse dynamics give the wanted accelerations."""
    sim = wbridge.from_text(TWO_LINKS)
    joints = sim.robot().joints
    joints.positions = 0.3, -0.8
    wanted = np.array([3.0, -2.0])
    sim.robot().motors.effort = joints.inverse_dynamics(wanted)
    sim.step()
    np.testing.assert_allclose(joints.velocities / 0.001, wanted, rtol=0.01)


def test_gravity_forces_hold_the_arm():
    sim = wbridge.from_text(TWO_LINKS)
    joints = sim.robot().joints
    joints.positions = 0.3, -0.8
    for _ in range(100):
        sim.robot().motors.effort = joints.inverse_dynamics(velocities=0)
        sim.step()
    np.testing.assert_allclose(joints.positions, [0.3, -0.8], atol=1e-3)


def test_the_state(arm: Joints):
    assert arm.names == ("a", "b") and len(arm) == 2 and not arm.is_floating
    arm.positions = 0.5
    assert arm.positions.tolist() == pytest.approx([0.5, 0.5]) and arm.velocities.tolist() == [0, 0]
    arm.targets = 0.5, 0.7
    assert arm.targets.tolist() == [0.5, 0.7]
    with pytest.raises(ValueError, match="positions: expected 2 finite numbers, or one for all"):
        arm.positions = 1, 2, 3
    with pytest.raises(ValueError, match="accelerations: expected 2 finite numbers"):
        arm.inverse_dynamics([math.nan, 0])
    with pytest.raises(wbridge.UnknownNameError, match=r'robot "robot" has no node "tipp"; did you mean'):
        arm.jacobian("tipp")


# All kinds of joints, fixed and floating.

MANY = """
HingeJoint { jointParameters HingeJointParameters { axis 1 2 0 anchor 0.1 0 0.2 position 0.3 }
  endPoint Solid { translation 0.2 0.1 0 rotation 0 1 0 0.4 name "one" %s children [
    SliderJoint { jointParameters JointParameters { axis 0 1 1 position 0.1 } endPoint Solid {
      translation 0.1 0 0 name "two" %s children [
      Hinge2Joint { jointParameters HingeJointParameters { axis 1 0 0 anchor 0 0 0.1 position 0.2 }
        jointParameters2 JointParameters { axis 0 1 0 position -0.4 }
        endPoint Solid { translation 0 0.2 0.3 name "three" %s children [
          BallJoint { jointParameters BallJointParameters { anchor 0.1 0 0 }
            endPoint Solid { translation 0.3 0 0 name "four" %s } } ] } } ] } } ] } }
SliderJoint { jointParameters JointParameters { axis 1 0 0 } endPoint Solid { translation 0 1 0 name "five"
%s } }
""".replace("%s", "boundingObject Box { size 0.1 0.2 0.3 } physics Physics { density -1 mass 0.7 }")
FLOATING = (
    "boundingObject Box { size 0.3 0.2 0.1 } "
    "physics Physics { density -1 mass 3 centerOfMass [ 0.02 0 0.05 ] }"
)


def many(fields: str) -> wbridge.Simulation:
    """A tree of joints of all kinds."""
    return wbridge.from_text("WorldInfo { basicTimeStep 1 }\n" + robot(MANY, fields + " rotation 1 1 0 0.5"))


@pytest.fixture(scope="module", params=["", FLOATING], ids=["fixed", "floating"])
def tree(request: pytest.FixtureRequest) -> Joints:
    return many(request.param).robot().joints


def differentiated(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Columns: derivatives by central differences."""
    step = 1e-6
    sides = [(function(at + d) - function(at - d)) / (2 * step) for d in step * np.eye(len(at))]
    return np.stack(sides, axis=-1)


def test_poses_are_those_of_the_simulation(tree: Joints):
    assert len(tree) == 8
    for name in ("one", "two", "three", "four", "five"):
        np.testing.assert_allclose(
            tree.pose(name), NodeView(tree._core.physics, tree._model.names[name]).pose, atol=1e-9
        )


def test_jacobians_are_derivatives_of_poses(tree: Joints):
    rng = np.random.default_rng(1)
    q, first = rng.uniform(-1, 1, len(tree)), 6 * tree.is_floating
    point = (0.1, -0.2, 0.3)
    for name in ("one", "three", "four", "five"):
        rows = tree.jacobian(name, point, q)[:, first:]
        numeric = differentiated(lambda p, name=name: tree.pose(name, p) @ (*point, 1), q)
        np.testing.assert_allclose(rows[:3], numeric[:3], atol=1e-8)
        turning = differentiated(lambda p, name=name: tree.pose(name, p)[:3, :3], q)
        spin = np.einsum("ijk,lj->ilk", turning, tree.pose(name, q)[:3, :3])
        np.testing.assert_allclose(rows[3:], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)


def test_the_mass_matrix_is_that_of_the_kinetic_energy(tree: Joints):
    """Inverse dynamics is linear in accelerations, and its matrix is the mass matrix, symmetric and
    positive."""
    rng = np.random.default_rng(2)
    q, count = rng.uniform(-1, 1, len(tree)), len(tree) + 6 * tree.is_floating
    v = rng.uniform(-1, 1, count)
    bias = tree.inverse_dynamics(0, v, q)
    columns = [tree.inverse_dynamics(one, v, q) - bias for one in np.eye(count)]
    matrix = tree.mass_matrix(q)
    np.testing.assert_allclose(np.stack(columns, axis=1), matrix, atol=1e-9)
    assert np.linalg.eigvalsh(matrix).min() > 0
    if tree.is_floating:
        np.testing.assert_allclose(matrix[:3, :3], np.eye(3) * (3 + 5 * 0.7), atol=1e-12)


def test_velocity_forces_are_derivatives_of_the_mass_matrix():
    """Lagrange: the forces of velocities follow from the derivatives of the mass matrix."""
    joints = many("").robot().joints
    rng = np.random.default_rng(3)
    q, v = rng.uniform(-1, 1, 8), rng.uniform(-1, 1, 8)
    d = differentiated(joints.mass_matrix, q)
    expected = np.einsum("ijk,j,k->i", d, v, v) - 0.5 * np.einsum("jki,j,k->i", d, v, v)
    np.testing.assert_allclose(
        joints.inverse_dynamics(0, v, q) - joints.inverse_dynamics(0, 0, q), expected, atol=1e-7
    )


def test_a_floating_robot_in_free_fall_needs_no_forces():
    joints = many(FLOATING).robot().joints
    fall = np.zeros(14)
    fall[2] = -G
    np.testing.assert_allclose(joints.inverse_dynamics(fall, 0), 0, atol=1e-9)


# Inverse kinematics.


def test_the_two_link_arm_reaches_both_ways(arm: Joints):
    """Judge: the law of cosines."""
    target = np.array([0.5, 0, 1.7])
    elbow = math.acos(((0.5**2 + 0.7**2) - L1**2 - L2**2) / (2 * L1 * L2))
    for start in ((0.2, 1.0), (1.5, -1.0)):
        found = arm.inverse_kinematics(target, node="tip", start=start)
        assert found.is_reached and found.distance <= 1e-6
        assert abs(found.positions[1]) == pytest.approx(elbow, abs=1e-5)
        np.testing.assert_allclose(arm.pose("tip", found.positions)[:3, 3], target, atol=1e-6)


def test_places_out_of_reach_give_the_nearest_posture(arm: Joints):
    """Stretched towards the place; singular there."""
    found = arm.inverse_kinematics((5, 0, 1), node="tip", start=(0.3, 0.4), attempts=1)
    assert not found.is_reached and found.distance == pytest.approx(5 - L1 - L2, abs=1e-3)
    with pytest.raises(ValueError, match="no joint of"):
        arm.inverse_kinematics((1, 0, 1), node="robot")


def test_limits_are_kept():
    text = TWO_LINKS.replace('name "b" maxTorque', 'name "b" minPosition 0 maxPosition 1 maxTorque')
    joints = wbridge.from_text(text).robot().joints
    assert joints.limits.tolist() == [[-math.inf, math.inf], [0, 1]]
    target = joints.pose("tip", (1.5, -0.7))[:3, 3]
    found = joints.inverse_kinematics(target, node="tip", start=(1.5, -0.7))
    assert found.is_reached and 0 <= found.positions[1] <= 1
    np.testing.assert_allclose(joints.pose("tip", found.positions)[:3, 3], target, atol=1e-6)


def test_an_arm_with_six_joints_reaches_poses():
    joints = wbridge.load(UR5E, controllers="none").robots[0].joints
    rng, reached = np.random.default_rng(4), 0
    assert len(joints) == 6
    for _ in range(50):
        goal = joints.pose(positions=rng.uniform(-2, 2, len(joints)))
        found = joints.inverse_kinematics(goal[:3, 3], goal[:3, :3], start=0.1)
        reached += found.is_reached
        if found.is_reached:
            np.testing.assert_allclose(joints.pose(positions=found.positions), goal, atol=1e-5)
    assert reached >= 45


def test_the_same_question_has_the_same_answer(arm: Joints):
    answers = [arm.inverse_kinematics((0.1, 0, 0.7), node="tip", start=(0, 0)).positions for _ in range(2)]
    assert np.array_equal(*answers)
    state, wide = arm.pose("tip", (0.2, 0.3)), arm.inverse_kinematics
    axis = wide(state[:3, 3], (0, -1, 0, 0.5), "tip", start=(0, 0.1))
    matrix = wide(state[:3, 3], state[:3, :3], "tip", start=(0, 0.1))
    np.testing.assert_allclose(axis.positions, matrix.positions, atol=1e-5)
    with pytest.raises(ValueError, match="rotation: expected an axis and an angle"):
        wide((0, 0, 1), (1, 2, 3))


AXES = ((0, 0, 1), (0, 1, 0), (0, 0, 1), (0, -1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1))
LENGTHS = (0.34, 0.0, 0.4, 0.0, 0.4, 0.0, 0.126)


def seven_joints() -> str:
    """A world with an arm with seven joints, like the LBR iiwa."""
    inner = ""
    for i in reversed(range(7)):
        axis = " ".join(map(str, AXES[i]))
        inner = (
            f"HingeJoint {{ jointParameters HingeJointParameters {{ axis {axis} anchor 0 0 {LENGTHS[i]} }} "
            f'device RotationalMotor {{ name "joint {i}" minPosition -2.9 maxPosition 2.9 }} endPoint '
            f"Solid {{ translation 0 0 {LENGTHS[i]} boundingObject Box {{ size 0.1 0.1 0.1 }} "
            f'physics Physics {{ }} name "link {i}" children [ {inner} ] }} }}'
        )
    return "WorldInfo { }\n" + robot(inner)


def test_ikpy_agrees_about_poses_and_is_not_better():
    """Judge: ikpy, which minimizes the same error with SciPy."""
    chain_of = pytest.importorskip("ikpy.chain").Chain
    links = pytest.importorskip("ikpy.link")
    parts = [
        links.URDFLink(f"joint {i}", [0, 0, LENGTHS[i]], [0, 0, 0], list(AXES[i]), bounds=(-2.9, 2.9))
        for i in range(7)
    ]
    judge = chain_of([links.OriginLink(), *parts], active_links_mask=[False] + [True] * 7)
    joints = wbridge.from_text(seven_joints()).robot().joints
    assert joints.limits.tolist() == [[-2.9, 2.9]] * 7
    rng = np.random.default_rng(6)
    for q in rng.uniform(-2, 2, (10, 7)):
        goal = joints.pose(positions=q)
        np.testing.assert_allclose(judge.forward_kinematics([0, *q]), goal, atol=1e-9)
        own = joints.inverse_kinematics(goal[:3, 3], goal[:3, :3], start=0.2)
        assert own.is_reached and (abs(own.positions) <= 2.9).all()
        np.testing.assert_allclose(judge.forward_kinematics([0, *own.positions]), goal, atol=1e-5)
    others = judge.inverse_kinematics(goal[:3, 3], initial_position=[0] + [0.2] * 7)
    gap = np.linalg.norm(judge.forward_kinematics(others)[:3, 3] - goal[:3, 3])
    assert joints.inverse_kinematics(goal[:3, 3], start=0.2).distance <= max(gap, 1e-6)
