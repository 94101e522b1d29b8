"""Motors of joints move bodies as the control law and the available force say."""

import math

import pytest

from tests.engine.helpers import free_world, run, unit_mass
from tests.engine.motor_law import PlainMotor
from wbridge.wbcore.engine import Body, Joint, Mass, Motor, World


def rotor(dt: float = 0.008, kind: str = "hinge") -> tuple[World, Body, Joint, Motor]:
    """A body of unit mass and inertia on a joint along z with a motor that is strong enough."""
    world = free_world(dt=dt)
    body = world.add_body(unit_mass())
    joint = getattr(world, f"add_{kind}")(body, axis=(0, 0, 1))
    motor = joint[0].add_motor(max_velocity=10, max_force=1e6)
    return world, body, joint, motor


@pytest.mark.parametrize("kind", ["hinge", "slider"])
@pytest.mark.parametrize("gains", [(10, 0, 0), (5, 3, 0), (5, 0, 0.05)])
@pytest.mark.parametrize("acceleration", [-1, 2])
def test_position_step_response_is_that_of_the_algorithm(kind: str, gains, acceleration: float):
    world, _, joint, motor = rotor(kind=kind)
    plain = PlainMotor(*gains, acceleration=acceleration, velocity=10, target=1)
    motor.set_pid(*gains)
    motor.set_acceleration(acceleration)
    motor.set_position(1)
    position = 0.0
    for _ in range(250):
        world.step()
        velocity = plain.step(position, world.dt)
        # CFM leaves a velocity error of CFM / h times the force.
        position += velocity * world.dt
        assert joint.positions[0] == pytest.approx(position, abs=2e-3)


def test_velocity_step_response_reaches_the_velocity_at_once():
    world, _, joint, motor = rotor()
    motor.set_position(math.inf)
    motor.set_velocity(3)
    world.step()
    assert joint[0].velocity == pytest.approx(3, rel=2e-3)


def test_acceleration_limit():
    world, _, joint, motor = rotor()
    motor.set_position(math.inf)
    motor.set_velocity(8)
    motor.set_acceleration(4)
    for step in range(1, 250):
        world.step()
        assert joint[0].velocity == pytest.approx(min(4 * step * world.dt, 8), abs=0.01)


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_the_available_force_limits_the_acceleration(kind: str):
    world, _, joint, motor = rotor(kind=kind)
    motor.set_position(math.inf)
    motor.set_available_force(0.5)
    run(world, 1)
    assert joint[0].velocity == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_force_control_accelerates_without_a_velocity_limit(kind: str):
    world, _, joint, motor = rotor(kind=kind)
    motor.set_force(20)
    run(world, 2)
    assert joint[0].velocity == pytest.approx(40, rel=1e-4)


def test_force_control_is_cut_to_the_available_force():
    world, _, joint, motor = rotor()
    motor.set_available_force(2)
    motor.set_force(-20)
    run(world, 1)
    assert joint[0].velocity == pytest.approx(-2, rel=1e-4)


def test_force_control_feels_static_friction():
    world, _, joint, motor = rotor()
    joint[0].static_friction = 3
    motor.set_force(2)
    run(world, 1)
    assert joint[0].velocity == pytest.approx(0, abs=1e-3)


def test_feedback_is_the_torque_that_holds_a_load():
    world = World(dt=0.001)
    arm = world.add_body(Mass.sphere(2, 0.1), (0.5, 0, 0))
    joint = world.add_hinge(arm, axis=(0, 1, 0))
    motor = joint[0].add_motor(max_force=100)
    joint.feedback = True
    run(world, 1)
    # Gravity turns the arm down, which is positive about y; the motor pushes the other way.
    assert motor.feedback == pytest.approx(-2 * 9.81 * 0.5 * math.cos(joint.positions[0]), rel=1e-3)


def test_feedback_of_a_linear_motor_is_the_weight():
    world = World(dt=0.001)
    body = world.add_body(unit_mass())
    joint = world.add_slider(body, axis=(0, 0, 1))
    motor = joint[0].add_motor(max_force=100)
    joint.feedback = True
    run(world, 1)
    assert motor.feedback == pytest.approx(9.81, rel=1e-3)


def test_feedback_leaves_out_springs_and_force_control():
    world = World(dt=0.001, gravity=(0, 0, 0))
    body = world.add_body(unit_mass())
    joint = world.add_hinge(body, axis=(0, 0, 1), position=0.3)
    joint[0].spring_constant = 50
    motor = joint[0].add_motor(max_force=100)
    motor.set_force(5)
    joint.feedback = True
    run(world, 0.2)
    assert motor.feedback == pytest.approx(0, abs=1e-6)


def test_a_stalled_motor_gives_what_is_available():
    world = World(dt=0.001)
    arm = world.add_body(Mass.sphere(100, 0.1), (1, 0, 0))
    joint = world.add_hinge(arm, axis=(0, 1, 0))
    motor = joint[0].add_motor(max_force=3)
    joint.feedback = True
    world.step(10)
    assert motor.feedback == pytest.approx(-3, rel=1e-3)


@pytest.mark.parametrize("kind", ["hinge2", "ball"])
def test_feedback_of_joints_with_several_axes(kind: str):
    world = World(dt=0.001)
    arm = world.add_body(Mass.sphere(2, 0.1), (0.5, 0, 0))
    other = {"axis2": (0, 0, 1)} if kind == "hinge2" else {"axis3": (0, 0, 1)}
    joint = getattr(world, f"add_{kind}")(arm, axis=(0, 1, 0), **other)
    motors = [axis.add_motor(max_force=100) for axis in joint.axes]
    joint.feedback = True
    run(world, 1)
    assert motors[0].feedback == pytest.approx(-2 * 9.81 * 0.5, rel=1e-2)


def test_a_command_wakes_the_bodies():
    world, body, _, motor = rotor()
    body.awake = False
    world.step()
    assert not body.awake
    motor.set_position(1)
    assert body.awake


def test_removing_a_motor_leaves_friction_only():
    world, _, joint, motor = rotor()
    motor.set_position(math.inf)
    world.step()
    joint[0].remove_motor()
    assert joint[0].motor is None
    velocity = joint[0].velocity
    run(world, 0.1)
    assert joint[0].velocity == pytest.approx(velocity)
