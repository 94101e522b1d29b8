"""Axis and angle of rotation fields of solids that have moved: controllers read headings from them.

Judges: Webots' sources, as formulas of the turned angle. A body with mass: WbSolid::applyPhysicsTransform,
with the quaternion that ODE makes from a matrix; joints without physics: WbHingeJoint; robots that drive
without physics: WbKinematicDifferentialWheels and WbDifferentialWheels; other solids without physics:
WbAbstractPose::rotate; values that are set: WbRotation::normalizeAxis.
"""

from __future__ import annotations

import math

import pytest

from tests.devices.rig import OLDEST, STEP_MS
from tests.supervisor.bench import Bench

STEP_S = STEP_MS / 1000
SPIN_STEP = 2 * math.atan(0.5 * STEP_S * 10)
"""What a body turns in a step at 10 rad/s (rad)."""
PHYSICS = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 }"


def turned(made: Bench, name: str = "TOP") -> list[float]:
    """The rotation field of a node."""
    return list(made.get(name, "rotation").getSFRotation())


def wrapped(angle: float) -> float:
    """The angle in -pi to pi."""
    return math.remainder(angle, 2 * math.pi)


@pytest.mark.parametrize("start", [0.0, 1.0, 2.5, -2.5])
@pytest.mark.parametrize("direction", [1, -1])
def test_a_body_keeps_its_axis_beyond_half_a_turn(start: float, direction: int):
    """Both signs of a quaternion alternate with each whole turn about the axis."""
    around = f"DEF TOP Solid {{ rotation 0 0 1 {start} {PHYSICS} angularVelocity 0 0 {10 * direction} }}"
    made = Bench(around, "gravity 0")
    # ODE's quaternion of a matrix is positive in z where w is below 1/2, that is from 120 degrees on.
    angle = start if start > -2 * math.pi / 3 else start + 2 * math.pi
    for _ in range(150):
        made.tick()
        angle += direction * SPIN_STEP
        x, y, z, value = turned(made)
        # sin(angle / 2) is the quaternion's z: it gives the axis, and the angle is in -pi to pi.
        axis = math.copysign(1.0, math.sin(angle / 2))
        assert (x, y) == (0, 0)
        assert z == pytest.approx(axis)
        assert value == pytest.approx(wrapped(axis * angle), abs=1e-6)


def test_a_body_that_is_put_somewhere_starts_from_there():
    made = Bench(f"DEF TOP Solid {{ {PHYSICS} angularVelocity 0 0 10 }}", "gravity 0")
    made.tick(40)
    made.get("TOP", "rotation").setSFRotation([0, 0, 1, -2.5])
    made.tick(2)
    x, y, z, value = turned(made)
    assert (x, y, z) == pytest.approx((0, 0, 1))
    assert value == pytest.approx(-2.5 + 2 * SPIN_STEP, abs=1e-6)


def test_a_restored_state_has_the_same_axis():
    made = Bench(f"DEF TOP Solid {{ rotation 0 0 1 -2.5 {PHYSICS} angularVelocity 0 0 1 }}", "gravity 0")
    made.tick(3)
    state, before = made.simulation.state(), turned(made)
    made.get("TOP", "rotation").setSFRotation([0, 0, 1, 0.5])
    made.tick(3)
    made.simulation.restore(state)
    made.simulation.physics.sync()
    assert list(made.node("TOP").get("rotation")) == pytest.approx(before)


def test_an_end_point_with_mass_is_seen_from_its_parent():
    arm = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { "
        f'name "m" maxVelocity 100 }} ] endPoint DEF END Solid {{ {PHYSICS} }} }}'
    )
    made = Bench(f'DEF TOP Robot {{ name "arm" controller "<extern>" rotation 0 0 1 2 children [ {arm} ] }}')
    client = made.connect("arm")
    motor = made.of(client, "m")
    motor.set_position(math.inf)
    motor.set_velocity(5)
    angles = []
    for _ in range(60):
        made.step()
        x, y, z, value = turned(made, "END")
        angles.append(z * value)
        assert abs(value) <= math.pi
        assert (x, y) == pytest.approx((0, 0), abs=1e-6)
    joint = made.simulation.physics.handles.joints
    position = next(iter(joint.values())).positions[0]
    assert wrapped(angles[-1] - position) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("start", [0.0, 0.5])
@pytest.mark.parametrize("direction", [1, -1])
def test_an_end_point_without_mass_turns_up_to_a_whole_turn(start: float, direction: int):
    motor = 'RotationalMotor { name "m" maxVelocity 100 maxTorque 1e9 }'
    parameters = f"HingeJointParameters {{ axis 0 0 1 position {start} }}"
    arm = (
        f"HingeJoint {{ jointParameters {parameters} device [ {motor} ] "
        f"endPoint DEF END Solid {{ rotation 0 0 1 {start} boundingObject Box {{ }} }} }}"
    )
    made = Bench(f'DEF TOP Robot {{ name "arm" controller "<extern>" children [ {arm} ] }}')
    client = made.connect("arm")
    made.of(client, "m").set_position(math.inf)
    made.of(client, "m").set_velocity(direction * 10)
    for _ in range(120):
        made.step()
        position = next(iter(made.simulation.physics.handles.joints.values())).positions[0]
        x, y, z, value = turned(made, "END")
        # The quaternion (cos p/2, 0, 0, sin p/2) gives the axis; the angle is 2 acos of its first part.
        assert (x, y, z) == pytest.approx((0, 0, math.copysign(1, math.sin(position / 2))))
        assert value == pytest.approx(2 * math.acos(math.cos(position / 2)), abs=1e-6)


def test_a_solid_that_turns_by_its_velocity_has_an_angle_of_0_to_pi():
    made = Bench("DEF TOP Solid { angularVelocity 0 0 10 }")
    for steps in range(1, 60):
        made.tick()
        _, _, z, value = turned(made)
        angle = wrapped(steps * 10 * STEP_S)
        assert (z, value) == pytest.approx((math.copysign(1, angle), abs(angle)))


@pytest.mark.parametrize(("axis", "start"), [(1, 0.0), (-1, 0.25)])
def test_the_heading_of_a_robot_that_drives_without_physics_counts_turns(axis: int, start: float):
    robot = (
        f'DEF TOP DifferentialWheels {{ name "dw" controller "<extern>" rotation 0 {axis} 0 {start} '
        "wheelRadius 0.1 axleLength 0.4 slipNoise 0 maxAcceleration 1e9 maxSpeed 100 }"
    )
    made = Bench(robot, header=OLDEST)
    client = made.connect("dw")
    for side, speed in (("left", -20), ("right", 20)):
        made.of(client, f"{side} wheel motor").set_position(math.inf)
        made.of(client, f"{side} wheel motor").set_velocity(speed)
    for steps in range(1, 80):
        made.step()
        heading = start + axis * 40 * 0.1 / 0.4 * STEP_S * steps
        if steps % 7 == 0:
            assert turned(made) == pytest.approx([0, axis, 0, heading])
    made.get("TOP", "rotation").setSFRotation([0, 1, 0, 1])
    made.step(2)
    assert turned(made) == pytest.approx([0, 1, 0, 1 + 2 * 10 * STEP_S])


@pytest.mark.parametrize("node", ["TOP", "LAMP"])
def test_an_axis_of_any_length_is_read_back_as_a_unit_vector(node: str):
    made = Bench("DEF TOP Solid { } DEF LAMP Pose { }")
    made.get(node, "rotation").setSFRotation([0, 3, 4, 7.5])
    made.tick()
    assert turned(made, node) == pytest.approx([0, 0.6, 0.8, 7.5])
