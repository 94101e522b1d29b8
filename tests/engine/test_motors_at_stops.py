"""Motors at the stops of their joints: no joint is ever faster than its motor commands.

The judge is the manual (Motor): the velocity is the one that the controller asks for, the force is at most
the available one; a stop only pushes away from itself. Closed forms: v t, F t / m.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.engine.helpers import free_world
from wbridge.wbcore.engine import ContactProperties, Joint, JointAxis, Mass, Motor, Shape, World

DT = 0.016
FINGER = Mass.box(0.05, (0.02, 0.02, 0.02))
"""50 g: with 10 N it gains 3.2 m/s in a step."""
LOW, HIGH = -0.3, 0.2


def slider(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    return world.add_slider(world.add_body(FINGER), axis=(1, 0, 0), position=position, **stops), 0


def hinge(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    return world.add_hinge(world.add_body(FINGER), axis=(0, 0, 1), position=position, **stops), 0


def suspended(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    joint = world.add_hinge(
        world.add_body(FINGER),
        axis=(0, 0, 1),
        position=position,
        suspension_spring=1e4,
        suspension_damping=1e2,
        suspension_axis=(0, 0, 1),
        **stops,
    )
    return joint, 0


def first(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    return world.add_hinge2(world.add_body(FINGER), position=position, **stops), 0


def second(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    return world.add_hinge2(world.add_body(FINGER), position2=position, **stops), 1


def ball(world: World, position: float, **stops: float) -> tuple[Joint, int]:
    return world.add_ball(world.add_body(FINGER), positions=(0, 0, position)), 2


KINDS = [slider, hinge, suspended, first, second, ball]
Make = Callable[..., tuple[Joint, int]]


def jointed(make: Make, position: float, force: float = 10, **stops: float) -> tuple[World, JointAxis, Motor]:
    """A finger between its stops, whose motor has at most `force`."""
    world = free_world(DT)
    joint, index = make(world, position, **stops)
    axis = joint[index]
    axis.set_stops(LOW, HIGH)
    return world, axis, axis.add_motor(2, force)


def fastest(world: World, axis: JointAxis, steps: int) -> float:
    """The greatest speed of the joint over some steps, from its positions."""
    result = 0.0
    for _ in range(steps):
        before = axis.position
        world.step()
        result = max(result, abs(axis.position - before) / DT)
    return result


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("side", [-1, 1])
def test_a_motor_leaves_the_stop_as_fast_as_it_is_told(make: Make, side: int):
    world, axis, motor = jointed(make, 0)
    motor.set_position(math.inf)
    motor.set_velocity(0.5 * side)
    world.step(100)
    start = axis.position
    assert start == pytest.approx(HIGH if side > 0 else LOW, abs=1e-3)
    motor.set_velocity(-0.05 * side)
    assert fastest(world, axis, 50) == pytest.approx(0.05, rel=1e-3)
    assert axis.position == pytest.approx(start - side * 0.05 * 50 * DT, abs=2e-4)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("stop", [LOW, HIGH])
def test_a_motor_starts_at_a_stop_as_fast_as_it_is_told(make: Make, stop: float):
    world, axis, motor = jointed(make, stop)
    motor.set_position(math.inf)
    motor.set_velocity(math.copysign(0.05, -stop))
    assert fastest(world, axis, 50) == pytest.approx(0.05, rel=1e-3)
    assert axis.position == pytest.approx(stop - math.copysign(0.05 * 50 * DT, stop), abs=1e-4)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("pid", [(10, 0, 0), (10, 0.1, 0), (10, 0, 0.02), (2, 0, 0)])
def test_position_control_leaves_a_stop_with_its_velocity(make: Make, pid: tuple[float, float, float]):
    world, axis, motor = jointed(make, LOW)
    motor.set_pid(*pid)
    motor.set_velocity(0.05)
    motor.set_position(0)
    assert fastest(world, axis, 500) <= 0.05 * 1.001
    assert axis.position == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("make", KINDS)
def test_a_motor_that_holds_its_joint_at_a_stop_lies_still(make: Make):
    world, axis, motor = jointed(make, HIGH)
    motor.set_position(HIGH)
    assert fastest(world, axis, 200) < 1e-6
    assert axis.position == pytest.approx(HIGH, abs=1e-9)


@pytest.mark.parametrize("make", KINDS)
def test_the_acceleration_is_limited_from_the_stop_on(make: Make):
    world, axis, motor = jointed(make, LOW)
    motor.set_position(math.inf)
    motor.set_acceleration(0.5)
    motor.set_velocity(0.05)
    for step in range(1, 30):
        world.step()
        assert axis.velocity == pytest.approx(min(0.5 * step * DT, 0.05), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("make", [slider, hinge])
def test_a_weak_motor_leaves_the_stop_with_its_force(make: Make):
    """A force F moves a mass m by F t / m, until the velocity is reached."""
    inertia = 0.05 if make is slider else 0.05 * (0.02**2 + 0.02**2) / 12
    force = 0.1 * inertia
    world, axis, motor = jointed(make, LOW, force)
    motor.set_position(math.inf)
    motor.set_velocity(0.05)
    for step in range(1, 60):
        world.step()
        assert axis.velocity == pytest.approx(min(0.1 * step * DT, 0.05), rel=2e-3)


def test_a_motor_too_weak_for_its_load_stays_at_the_stop():
    """The stop still bears the load, which the motor alone does not lift."""
    world = World(dt=DT)
    joint = world.add_slider(world.add_body(FINGER), axis=(0, 0, 1), position=LOW)
    joint[0].set_stops(LOW, HIGH)
    motor = joint[0].add_motor(2, 0.3)
    motor.set_position(math.inf)
    motor.set_velocity(0.05)
    world.step(200)
    assert joint[0].position == pytest.approx(LOW, abs=1e-4)
    assert abs(joint[0].velocity) < 1e-4
    motor.max_force = 10
    motor.set_available_force(10)
    world.step(50)
    assert joint[0].position == pytest.approx(LOW + 0.05 * 50 * DT, abs=2e-4)


@pytest.mark.parametrize(("erp", "cfm"), [(0.2, 1e-5), (0.8, 1e-5), (0.2, 1e-3), (0, 0), (1, 0)])
@pytest.mark.parametrize("make", [slider, hinge, first, second])
def test_any_softness_of_the_stop_lets_go_at_the_commanded_velocity(make: Make, erp: float, cfm: float):
    world, axis, motor = jointed(make, 0, 1, stop_erp=erp, stop_cfm=cfm)
    motor.set_position(math.inf)
    motor.set_velocity(-0.1)
    world.step(400)
    motor.set_velocity(0.05)
    assert fastest(world, axis, 100) <= 0.05 * 1.001


def test_an_engine_without_softness_leaves_its_stop():
    world = World(dt=DT, gravity=(0, 0, 0), cfm=0)
    joint, _ = slider(world, HIGH)
    joint[0].set_stops(LOW, HIGH)
    motor = joint[0].add_motor(2, 10)
    world.step(10)
    motor.set_position(math.inf)
    motor.set_velocity(-0.05)
    assert fastest(world, joint[0], 20) == pytest.approx(0.05, rel=1e-6)
    assert world.fallbacks == 0


def test_a_chain_of_links_leaves_its_stops_without_a_jolt():
    """Two sliders on each other: their base, 1 kg in the air, feels the momentum m v of the fingers only."""
    world = free_world(DT)
    base = world.add_body(Mass.box(1, (0.1, 0.1, 0.1)))
    motors = []
    parent = base
    for _ in range(2):
        finger = world.add_body(FINGER)
        joint = world.add_slider(finger, parent, axis=(1, 0, 0), position=LOW)
        joint[0].set_stops(LOW, HIGH)
        motors.append(joint[0].add_motor(2, 10))
        parent = finger
    for motor in motors:
        motor.set_position(math.inf)
        motor.set_velocity(0.05)
    world.step()
    # Momentum is kept: M u + m (u + v) + m (u + 2 v) = 0.
    assert base.linear_velocity[0] == pytest.approx(-0.05 * 3 * 0.05 / 1.1, rel=1e-3)


def test_a_gripper_that_presses_an_object_opens_at_its_velocity():
    world = free_world(DT)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0))
    world.add_geom(Shape.box((0.1, 1, 1)), None, (0.1, 0, 0))
    body = world.add_body(FINGER)
    world.add_geom(Shape.box((0.02, 0.02, 0.02)), body)
    joint = world.add_slider(body, axis=(1, 0, 0))
    joint[0].set_stops(-1, 1)
    motor = joint[0].add_motor(2, 10)
    motor.set_position(math.inf)
    motor.set_velocity(0.2)
    world.step(100)
    motor.set_velocity(-0.05)
    assert fastest(world, joint[0], 50) <= 0.05 * 1.01


@pytest.mark.parametrize("make", KINDS)
def test_equal_stops_are_no_stops(make: Make):
    """Webots: minStop equal to maxStop means that the joint is free."""
    world, axis, motor = jointed(make, 0)
    axis.set_stops(0, 0)
    motor.set_position(math.inf)
    motor.set_velocity(0.05)
    assert fastest(world, axis, 50) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize("make", [slider, hinge, first, second])
def test_feedback_holds_the_force_of_a_motor_at_a_stop(make: Make):
    """m dv / dt in the first step (the inertia of a cube of edge a is m a^2 / 6), then nothing."""
    world = free_world(DT)
    joint, index = make(world, LOW)
    joint[index].set_stops(LOW, HIGH)
    motor = joint[index].add_motor(2, 10)
    joint.feedback = True
    motor.set_position(math.inf)
    motor.set_velocity(0.05)
    inertia = 0.05 if make is slider else 0.05 * 0.02**2 / 6
    world.step()
    assert motor.feedback == pytest.approx(inertia * 0.05 / DT, rel=2e-3)
    world.step(5)
    assert motor.feedback == pytest.approx(0, abs=1e-6)


def test_a_state_taken_at_a_stop_continues_with_the_same_bits():
    world, axis, motor = jointed(hinge, 0)
    motor.set_position(math.inf)
    motor.set_velocity(1)
    world.step(60)
    motor.set_velocity(-0.05)
    world.step()
    state = world.state()
    world.step(20)
    expected = world.hash()
    world.restore(state)
    world.step(20)
    assert world.hash() == expected
    other, _, _ = jointed(hinge, 0)
    other.restore(state)
    other.step(20)
    assert other.hash() == expected
