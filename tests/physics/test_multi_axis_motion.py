"""Joints of two and three axes: stops, springs, dampers, friction and motors on each axis."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import box, simulation
from wbridge.wbcore.simulation import Simulation

INERTIA = 1 / 6 * 0.04
"""Of the box: 1 kg, 0.2 m."""

# Per joint: type, and the parameter fields of each axis. Axes: hinge2 z, y; ball x, y, z.
JOINTS = {
    "hinge2": (
        "Hinge2Joint",
        ["HingeJointParameters { axis 0 0 1 %s }", "JointParameters { axis 0 1 0 %s }"],
    ),
    "ball": (
        "BallJoint",
        [
            "BallJointParameters { %s }",
            "JointParameters { axis 1 0 0 %s }",
            "JointParameters { axis 0 0 1 %s }",
        ],
    ),
}
AXES = [("hinge2", 0, (0, 0, 1)), ("hinge2", 1, (0, 1, 0))]
AXES += [("ball", 0, (1, 0, 0)), ("ball", 1, (0, 1, 0)), ("ball", 2, (0, 0, 1))]
EACH = pytest.mark.parametrize(("kind", "index", "axis"), AXES)


def jointed(kind: str, index: int, fields: str = "", device: str = "") -> Simulation:
    """A box on a joint of the world, with fields and a device at one axis."""
    name, parameters = JOINTS[kind]
    given = " ".join(
        f"jointParameters{'' if i == 0 else i + 1} {text % (fields if i == index else '')}"
        for i, text in enumerate(parameters)
    )
    devices = f"device{'' if index == 0 else index + 1} {device}" if device else ""
    end = box("END", "", "0.2 0.2 0.2", "mass 1 density -1")
    return simulation(
        f"Robot {{ children [ DEF J {name} {{ {given} {devices} endPoint {end} }} ] }}", info="gravity 0"
    )


def position(s: Simulation, index: int) -> float:
    return float(s.physics.handles.joints[s.node("J").node].positions[index])


def spin(s: Simulation, axis: tuple[int, int, int], speed: float) -> None:
    s.node("END").set_velocity(angular=tuple(speed * one for one in axis))


@EACH
def test_each_axis_turns_alone_and_counts_positive_about_its_direction(kind, index, axis):
    s = jointed(kind, index)
    spin(s, axis, 0.5)
    s.run(1.0)
    assert position(s, index) == pytest.approx(0.5, rel=1e-3)
    others = [position(s, i) for i in range(len(JOINTS[kind][1])) if i != index]
    assert others == pytest.approx([0] * len(others), abs=1e-6)


@EACH
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_stops_end_the_motion(kind, index, axis, speed: float):
    s = jointed(kind, index, "minStop -0.3 maxStop 0.5")
    spin(s, axis, speed)
    furthest = 0.0
    for _ in range(1000):
        s.step()
        furthest = max(furthest, position(s, index) * speed)
    assert furthest == pytest.approx(0.5 if speed > 0 else 0.3, abs=2e-3)


@EACH
def test_a_spring_swings_with_its_period(kind, index, axis):
    s = jointed(kind, index, "springConstant 0.5 dampingConstant 0")
    spin(s, axis, 0.5)
    crossings, before = [], 0.0
    for _ in range(3000):
        s.step()
        now = position(s, index)
        if before < 0 <= now:
            crossings.append(s.time)
        before = now
    expected = 2 * math.pi * math.sqrt(INERTIA / 0.5)
    assert np.diff(crossings).mean() == pytest.approx(expected, rel=5e-3)


@EACH
def test_a_damper_slows_down(kind, index, axis):
    s = jointed(kind, index, "dampingConstant 0.01")
    spin(s, axis, 1.0)
    s.run(1.0)
    speed = float(np.dot(s.node("END").angular_velocity, axis))
    assert speed == pytest.approx((1 + 0.001 * 0.01 / INERTIA) ** -1000, rel=1e-3)


@EACH
def test_static_friction_brakes_evenly(kind, index, axis):
    s = jointed(kind, index, "staticFriction 0.002")
    spin(s, axis, 1.0)
    s.run(1.0)
    speed = float(np.dot(s.node("END").angular_velocity, axis))
    assert speed == pytest.approx(1 - 0.002 / INERTIA, abs=2e-3)


@EACH
def test_a_motor_turns_its_axis(kind, index, axis):
    s = jointed(kind, index, device='RotationalMotor { name "m" maxTorque 100 }')
    (motor,) = s.physics.handles.motors.values()
    motor.set_position(0.4)
    s.run(2.0)
    assert position(s, index) == pytest.approx(0.4, abs=2e-3)
    assert s.node("END").rotation == pytest.approx([*axis, 0.4], abs=5e-3)


@EACH
def test_a_torque_accelerates_its_axis(kind, index, axis):
    s = jointed(kind, index, device='RotationalMotor { name "m" maxTorque 100 }')
    (motor,) = s.physics.handles.motors.values()
    motor.set_force(0.002)
    s.run(0.5)
    speed = float(np.dot(s.node("END").angular_velocity, axis))
    assert speed == pytest.approx(0.5 * 0.002 / INERTIA, rel=1e-2)


@EACH
def test_the_position_in_the_file_belongs_to_the_pose_in_the_file(kind, index, axis):
    s = jointed(kind, index, "position 0.2")
    assert position(s, index) == pytest.approx(0.2)
    spin(s, axis, 0.5)
    s.run(0.4)
    assert position(s, index) == pytest.approx(0.4, rel=1e-2)


def test_hinge2_has_a_suspension_along_its_axis():
    """A wheel on a hinge2 whose chassis is the world: it hangs at m g / k below."""
    end = box("END", "", "0.2 0.2 0.2", "mass 1 density -1")
    parameters = (
        "HingeJointParameters { axis 0 0 1 suspensionAxis 0 0 1 suspensionSpringConstant 100 "
        "suspensionDampingConstant 20 }"
    )
    s = simulation(
        f"Solid {{ children [ Hinge2Joint {{ jointParameters {parameters} "
        f"jointParameters2 JointParameters {{ axis 0 1 0 }} endPoint {end} }} ] }}"
    )
    s.run(3.0)
    assert s.node("END").translation == pytest.approx([0, 0, -9.81 / 100], abs=1e-3)
