"""Saving and restoring: all that changes comes back, damaged or foreign states are refused."""

import math

import numpy as np
import pytest

from tests.engine.helpers import free_world, solid, unit_mass
from tests.engine.scenes import everything
from wbridge.wbcore.engine import Mass, Motor, Shape, World


def test_a_state_continues_bit_by_bit_at_every_moment():
    world = everything(boxes=20)
    for moment in (0, 1, 50, 77):
        world.step(moment)
        state, before = world.state(), world.hash()
        world.step(60)
        after = world.hash()
        world.restore(state)
        assert world.hash() == before
        world.step(60)
        assert world.hash() == after


def test_states_of_equal_moments_are_equal():
    first, second = everything(), everything()
    first.step(100), second.step(100)
    assert first.state() == second.state()


def test_a_restored_state_saves_as_itself():
    world = everything()
    world.step(60)
    state = world.state()
    world.step(5)
    world.restore(state)
    assert world.state() == state


def test_time_contacts_rays_motors_and_random_numbers_come_back():
    world = everything()
    world.step(100)
    world.random()
    state = world.state()
    expected = (world.time, world.steps, len(world.contacts()), world.contacts().points.tobytes())
    numbers = [world.random(), world.gauss()]
    world.step(33)
    world.restore(state)
    assert (world.time, world.steps, len(world.contacts()), world.contacts().points.tobytes()) == expected
    assert [world.random(), world.gauss()] == numbers


def test_motor_targets_come_back():
    world = free_world()
    motor = world.add_hinge(world.add_body(unit_mass()))[0].add_motor()
    motor.set_position(0.7)
    state = world.state()
    motor.set_force(2)
    motor.set_pid(1, 2, 3)
    world.restore(state)
    assert (motor.target_position, motor.force_control, motor.pid) == (0.7, False, (10, 0, 0))


def test_sleep_comes_back():
    world = free_world()
    body = world.add_body(unit_mass())
    body.awake = False
    state = world.state()
    body.awake = True
    world.restore(state)
    assert not body.awake


def test_forces_not_yet_used_come_back():
    world = free_world()
    body = world.add_body(unit_mass())
    body.add_force((3, 0, 0))
    state = world.state()
    world.step(5)
    world.restore(state)
    world.step()
    assert body.linear_velocity[0] == pytest.approx(0.003)


def test_views_show_the_restored_values_at_once():
    world = everything()
    world.step(20)
    state, positions = world.state(), world.positions.copy()
    world.step(20)
    world.restore(state)
    assert np.array_equal(world.positions, positions)


def test_geoms_without_a_body_come_back():
    world = free_world()
    geom = world.add_geom(Shape.sphere(1))
    state = world.state()
    geom.set_offset((5, 0, 0))
    world.restore(state)
    assert geom.position == (0, 0, 0)
    assert geom.bounds[1] == pytest.approx((1, 1, 1))


def test_frames_and_kinematic_joints_come_back():
    world = free_world(dt=0.01)
    frame = world.add_frame()
    frame.linear_velocity = (1, 0, 0)
    arm = world.add_frame((0, 1, 0))
    joint = world.add_hinge(arm, frame, axis=(0, 0, 1))
    motor = joint[0].add_motor()
    motor.set_position(math.inf)
    world.step(10)
    state, before = world.state(), arm.position
    world.step(10)
    assert arm.position != before
    world.restore(state)
    assert arm.position == before


def test_brakes_come_back_with_the_same_bits():
    world = free_world(dt=0.01)
    arm = world.add_body(unit_mass(), (1, 0, 0))
    joint = world.add_hinge(arm, None, axis=(0, 0, 1))
    joint[0].has_brake = True
    arm.angular_velocity, arm.linear_velocity = (0, 0, 1), (0, 1, 0)
    world.step(10)
    joint[0].brake = 0.5
    world.step(10)
    state = world.state()
    world.step(10)
    expected = world.hash()
    joint[0].brake = 0
    world.step(5)
    world.restore(state)
    assert joint[0].brake == 0.5
    world.step(10)
    assert world.hash() == expected


def test_a_brake_that_is_open_changes_nothing():
    hashes = []
    for has_brake in (False, True):
        world = free_world(dt=0.01)
        arm = world.add_body(unit_mass(), (1, 0, 0))
        world.add_hinge(arm, None, axis=(0, 0, 1))[0].has_brake = has_brake
        arm.angular_velocity = (0, 0, 1)
        world.step(50)
        hashes.append(world.hash())
    assert hashes[0] == hashes[1]


def test_a_motor_without_a_joint_has_a_state_of_its_own():
    motor = Motor()
    motor.set_acceleration(2)
    motor.set_position(math.inf)
    start = motor.move(0, 0.1)
    state, other = motor.state(), Motor()
    other.restore(state)
    assert other.current_velocity == pytest.approx(0.2)
    assert [other.move(start, 0.1) for _ in range(3)] == [motor.move(start, 0.1) for _ in range(3)]
    with pytest.raises(ValueError, match="state of a motor"):
        other.restore(state[1:])


@pytest.mark.parametrize(
    "damage",
    [
        lambda s: b"",
        lambda s: s[:-1],
        lambda s: s + b"x",
        lambda s: s[:100] + b"\x55" + s[101:],
        lambda s: b"x" * len(s),
    ],
    ids=["empty", "short", "long", "changed", "other"],
)
def test_damaged_states_are_refused_and_change_nothing(damage):
    world = everything()
    world.step(10)
    before = world.hash()
    with pytest.raises(ValueError, match="state"):
        world.restore(damage(world.state()))
    assert world.hash() == before


def test_the_state_of_a_world_with_other_parts_is_refused():
    world = everything()
    state = world.state()
    solid(world, Shape.sphere(1), (0, 0, 50))
    with pytest.raises(ValueError, match="different bodies"):
        world.restore(state)


def test_one_body_s_state():
    world = World(dt=0.01)
    body = world.add_body(Mass.sphere(1, 0.1).with_center((0.1, 0, 0)), (0, 0, 5))
    body.angular_velocity = (1, 2, 3)
    world.step(10)
    state, position = body.state(), body.position
    world.step(10)
    body.restore(state)
    assert body.position == position
    with pytest.raises(ValueError, match="state of a body"):
        body.restore(state + b"x")
    with pytest.raises(ValueError, match="state of a body"):
        world.add_frame().restore(state)


def test_the_hash_sees_every_bit():
    world = free_world()
    body = world.add_body(unit_mass())
    before = world.hash()
    body.linear_velocity = (math.nextafter(0, 1), 0, 0)
    assert world.hash() != before
