"""Motors follow the manual's algorithm (chapter Motor), which is written down here a second time."""

from __future__ import annotations

import math

import pytest

from tests.physics.worlds import G, box, simulation
from wbridge.wbcore.simulation import Simulation

DT = 0.008


def robot(
    device: str = "", kind: str = "HingeJoint", parameters: str = "", info: str = "gravity 0"
) -> Simulation:
    linear = kind == "SliderJoint"
    motor = "LinearMotor" if linear else "RotationalMotor"
    node = "JointParameters" if linear else "HingeJointParameters"
    end = box("END", "", "0.1 0.1 0.1", "mass 1 density -1")
    joint = (
        f"DEF J {kind} {{ jointParameters {node} {{ axis 0 0 1 {parameters} }} "
        f"device DEF M {motor} {{ {device} }} endPoint {end} }}"
    )
    return simulation(f"Robot {{ children [ {joint} ] }}", info=info, step_ms=8)


def motor_of(s: Simulation):
    return s.physics.handles.motors[s.node("M").node]


def position(s: Simulation) -> float:
    return float(s.physics.handles.joints[s.node("J").node].positions[0])


class Law:
    """Position control by a PID controller on the velocity, with limits of velocity and acceleration."""

    def __init__(self, pid: tuple[float, float, float], limit: float, acceleration: float = -1) -> None:
        self.p, self.i, self.d = pid
        self.limit, self.acceleration = limit, acceleration
        self.integral = self.before = self.velocity = 0.0

    def step(self, target: float, now: float) -> float:
        error = target - now
        self.integral += error * DT
        wanted = self.p * error + self.i * self.integral + self.d * (error - self.before) / DT
        self.before = error
        wanted = max(-self.limit, min(self.limit, wanted))
        if self.acceleration != -1:
            change = max(-self.acceleration * DT, min(self.acceleration * DT, wanted - self.velocity))
            wanted = self.velocity + change
        self.velocity = wanted
        return now + wanted * DT


@pytest.mark.parametrize("kind", ["HingeJoint", "SliderJoint"])
@pytest.mark.parametrize(
    ("pid", "acceleration"),
    [((10, 0, 0), -1), ((10, 0, 0), 5), ((5, 2, 0), -1), ((10, 0, 0.05), -1), ((8, 1, 0.02), 20)],
)
def test_position_control_follows_the_algorithm(
    kind: str, pid: tuple[float, float, float], acceleration: float
):
    force = "maxForce" if kind == "SliderJoint" else "maxTorque"
    gains = " ".join(map(str, pid))
    s = robot(f"controlPID {gains} acceleration {acceleration} maxVelocity 2 {force} 1e6", kind)
    motor_of(s).set_position(1.0)
    law, expected = Law(pid, 2, acceleration), 0.0
    for _ in range(200):
        expected = law.step(1.0, expected)
        s.step()
        # A turn per step is 2 atan(w dt / 2): 2e-5 of it is missing at 2 rad/s.
        assert position(s) == pytest.approx(expected, abs=1e-4)


def test_velocity_control_reaches_the_velocity_at_once_when_the_force_allows():
    s = robot("maxTorque 1e6")
    motor_of(s).set_position(math.inf)
    motor_of(s).set_velocity(3)
    s.step()
    # The world's CFM of 1e-5 lets it miss by 1e-5 * torque / h.
    assert s.node("END").angular_velocity[2] == pytest.approx(3, rel=1e-5)


def test_velocity_control_with_limited_acceleration():
    s = robot("acceleration 4 maxTorque 1e6")
    motor_of(s).set_position(math.inf)
    motor_of(s).set_velocity(2)
    for step in range(1, 100):
        s.step()
        assert s.node("END").angular_velocity[2] == pytest.approx(min(2, 4 * DT * step), rel=1e-5)


def test_limited_torque_accelerates_by_torque_over_inertia():
    s = robot("maxTorque 0.001 maxVelocity 10")
    motor_of(s).set_position(math.inf)
    s.run(0.8)
    assert s.node("END").angular_velocity[2] == pytest.approx(0.8 * 0.001 / (0.01 / 6), rel=1e-6)


@pytest.mark.parametrize(("kind", "inertia"), [("HingeJoint", 0.01 / 6), ("SliderJoint", 1.0)])
def test_force_control_accelerates_by_force_over_inertia(kind: str, inertia: float):
    s = robot("", kind)
    motor_of(s).set_force(0.002)
    s.run(0.8)
    speed = s.node("END").angular_velocity[2] if kind == "HingeJoint" else s.node("END").linear_velocity[2]
    assert speed == pytest.approx(0.8 * 0.002 / inertia, rel=1e-6)


def test_force_control_is_cut_to_the_available_force_and_ends_with_a_position():
    s = robot("maxForce 0.5", "SliderJoint")
    motor_of(s).set_force(2.0)
    s.run(0.4)
    assert s.node("END").linear_velocity[2] == pytest.approx(0.2, rel=1e-6)
    motor_of(s).set_position(0)
    assert not motor_of(s).force_control


def test_a_motor_holds_a_weight_up_to_its_force():
    holds = robot(f"maxForce {1.01 * G}", "SliderJoint", info="")
    drops = robot(f"maxForce {0.9 * G}", "SliderJoint", info="")
    for s in (holds, drops):
        s.run(1.0)
    assert position(holds) == pytest.approx(0, abs=1e-3)
    assert drops.node("END").linear_velocity[2] == pytest.approx(-0.1 * G, rel=0.01)


def test_the_target_is_cut_to_the_soft_limits():
    s = robot("minPosition -0.5 maxPosition 0.5 maxTorque 1e6")
    assert motor_of(s).set_position(2.0)
    s.run(3.0)
    assert position(s) == pytest.approx(0.5, abs=1e-3)


def test_the_multiplier_scales_commands():
    s = robot("multiplier -2 maxTorque 1e6 maxVelocity 100")
    motor_of(s).set_position(0.25)
    s.run(3.0)
    assert position(s) == pytest.approx(-0.5, abs=1e-3)


def test_motors_start_at_the_position_in_the_file():
    s = robot("maxTorque 10", parameters="position 0.7")
    s.run(1.0)
    assert position(s) == pytest.approx(0.7, abs=1e-6)


def test_a_servo_of_former_releases_turns_its_own_solid():
    text = """Robot { children [ DEF M Servo { translation 0 1 0 rotation 0 0 1 0 maxForce 1000
      boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } ] }"""
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", info="gravity 0 0 0", step_ms=8)
    motor_of(s).set_position(0.5)
    s.run(2.0)
    assert s.node("M").rotation == pytest.approx([0, 0, 1, 0.5], abs=1e-3)
    assert s.node("M").translation == pytest.approx([0, 1, 0], abs=1e-6)


def test_kinematic_motors_accelerate_by_their_torque_when_nothing_else_is_given():
    text = """Robot { children [ DEF J HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
      device DEF M RotationalMotor { maxTorque 5 } endPoint Solid { } } ] }"""
    s = simulation(text, step_ms=8)
    motor_of(s).set_position(math.inf)
    motor_of(s).set_velocity(2)
    s.run(0.2)
    expected = sum(min(2, 5 * DT * k) * DT for k in range(1, 26))
    assert position(s) == pytest.approx(expected)


@pytest.mark.parametrize("step_ms", [8, 33])
@pytest.mark.parametrize("robot", ["", "translation 0 0 1 rotation 1 0 0 0.7"])
def test_a_wheel_on_a_robot_without_physics_turns_by_its_speed(step_ms: int, robot: str):
    """The angle per step is w dt, as for wheels without Physics."""
    wheel = "boundingObject Cylinder { radius 0.05 height 0.02 } physics Physics { }"
    made = simulation(
        f'Robot {{ {robot} controller "<none>" children [ DEF J HingeJoint {{ '
        "jointParameters HingeJointParameters { axis 0 1 0 anchor 0.1 0 0 } "
        'device [ DEF M RotationalMotor { name "m" maxVelocity 100 maxTorque 100 } ] '
        f"endPoint Solid {{ translation 0.1 0 0 {wheel} }} }} ] }}",
        info="gravity 0",
        step_ms=step_ms,
    )
    (joint,) = made.physics.handles.joints.values()
    (motor,) = made.physics.handles.motors.values()
    motor.set_position(math.inf)
    motor.set_velocity(30)
    made.step(10)
    start = joint.positions[0]
    made.step(100)
    assert joint.positions[0] - start == pytest.approx(100 * 30 * made.step_s, rel=1e-9)
