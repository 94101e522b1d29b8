"""Frames: poses without mass that move by their velocity, follow others, or hang on kinematic joints."""

import math

import pytest

from tests.engine.helpers import free_world, run, solid, turned, unit_mass
from wbridge.wbcore.engine import Shape, World


def test_a_frame_moves_by_its_velocity_then_turns():
    world = free_world(dt=0.01)
    frame = world.add_frame((1, 0, 0))
    frame.linear_velocity, frame.angular_velocity = (0.5, 0, 0), (0, 0, math.pi / 2)
    run(world, 1)
    assert frame.position == pytest.approx((1.5, 0, 0))
    assert frame.orientation == pytest.approx(turned(math.pi / 2))


def test_gravity_does_not_move_a_frame():
    world = World()
    frame = world.add_frame((0, 0, 1))
    world.step(10)
    assert frame.position == (0, 0, 1) and not frame.awake


def test_a_frame_follows_a_body_through_the_step():
    world = free_world(dt=0.01)
    body = world.add_body(unit_mass(), (0, 0, 1), turned(math.pi / 2))
    frame = world.add_frame()
    frame.follow(body, (1, 0, 0))
    assert frame.position == pytest.approx((0, 1, 1))
    body.linear_velocity = (0, 0, 2)
    run(world, 1)
    assert frame.position == pytest.approx((0, 1, 3))
    frame.follow(None)
    run(world, 1)
    assert frame.position == pytest.approx((0, 1, 3))


def test_frames_follow_frames_whatever_their_order():
    world = free_world(dt=0.01)
    last, middle, first = world.add_frame(), world.add_frame(), world.add_frame()
    last.follow(middle, (0, 0, 1))
    middle.follow(first, (0, 1, 0))
    first.linear_velocity = (1, 0, 0)
    world.step()
    assert last.position == pytest.approx((0.01, 1, 1))
    with pytest.raises(ValueError, match="follow itself"):
        first.follow(last)


def test_the_geoms_of_a_frame_move_with_it_and_push_bodies():
    world = free_world(dt=0.01)
    wall = world.add_frame((-1, 0, 0))
    world.add_geom(Shape.box((0.2, 2, 2)), wall)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0))
    wall.linear_velocity = (1, 0, 0)
    run(world, 2)
    assert ball.position[0] > 1.15


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_a_kinematic_joint_places_its_child_by_the_motor(kind: str):
    world = free_world(dt=0.01)
    base = world.add_frame((0, 0, 1))
    arm = world.add_frame((1, 0, 1))
    joint = getattr(world, f"add_{kind}")(arm, base, axis=(0, 0, 1))
    assert joint.kinematic
    motor = joint[0].add_motor(max_velocity=2, max_force=100)
    motor.set_position(0.5)
    run(world, 1)
    assert joint.positions[0] == world.joint_positions[joint[0].row] == 0.5
    expected = (math.cos(0.5), math.sin(0.5), 1) if kind == "hinge" else (1, 0, 1.5)
    assert arm.position == pytest.approx(expected)
    assert motor.current_velocity == 0


def test_a_kinematic_joint_moves_with_its_parent():
    world = free_world(dt=0.01)
    base = world.add_body(unit_mass())
    arm = world.add_frame((1, 0, 0))
    world.add_hinge(arm, base, axis=(0, 0, 1))
    base.linear_velocity = (0, 0, 1)
    run(world, 1)
    assert arm.position == pytest.approx((1, 0, 1))


def test_positions_of_a_kinematic_joint_can_be_set():
    world = free_world()
    arm = world.add_frame((1, 0, 0))
    joint = world.add_hinge(arm, anchor=(0, 0, 0), axis=(0, 1, 0), position=0.1)
    joint.positions = [0.1 + math.pi / 2]
    assert arm.position == pytest.approx((0, 0, -1))


def test_a_body_cannot_hang_on_a_kinematic_joint():
    world = free_world()
    body, frame = world.add_body(unit_mass()), world.add_frame()
    assert not world.add_hinge(body, frame).kinematic
    with pytest.raises(ValueError, match="kinematic"):
        world.add_hinge(world.add_frame(), body)[0].add_force(1)


def test_removing_the_body_ends_the_following():
    world = free_world()
    body, frame = world.add_body(unit_mass(), (1, 2, 3)), world.add_frame()
    frame.follow(body)
    body.remove()
    world.step()
    assert frame.position == (1, 2, 3)
