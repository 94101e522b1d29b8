"""Joints of each kind hold what they should, let go what they should, and measure it with the right sign."""

import math

import numpy as np
import pytest

from tests.engine.helpers import G, free_world, run, turned, unit_mass
from wbridge.wbcore.engine import Joint, Mass, World


def rotation(body: object) -> np.ndarray:
    return np.array(body.rotation).reshape(3, 3)  # type: ignore[attr-defined]


def about(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def test_pendulum_period():
    # T = 2 pi sqrt((I + m l^2) / (m g l)) for small swings; 0.05 rad adds 1.6e-4 of it.
    length, inertia = 0.5, 0.4 * 0.1**2
    world = World(dt=0.0005)
    start = 0.05
    bob = world.add_body(Mass.sphere(1, 0.1), (length * math.sin(start), 0, -length * math.cos(start)))
    joint = world.add_hinge(bob, axis=(0, 1, 0), position=-start)
    crossings = []
    before = joint.positions[0]
    while len(crossings) < 5:
        world.step()
        now = joint.positions[0]
        if before < 0 <= now:
            crossings.append(world.time - world.dt * now / (now - before))
        before = now
    period = (crossings[-1] - crossings[0]) / 4
    expected = 2 * math.pi * math.sqrt((inertia + length**2) / (G * length)) * (1 + start**2 / 16)
    assert period == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("with_parent", [False, True])
def test_a_hinge_turns_positive_about_its_axis(with_parent: bool):
    world = free_world()
    tilt = turned(0.7, (1, 0, 0))
    parent = world.add_body(unit_mass().scaled_to(1e6), orientation=tilt) if with_parent else None
    child = world.add_body(unit_mass(), (1, 0, 0))
    joint = world.add_hinge(child, parent, axis=(0, 0, 1), position=0.25)
    assert joint.positions == [0.25]
    for _ in range(500):
        joint[0].add_force(2)
        world.step()
    assert joint[0].velocity > 0.1
    assert joint[0].position > 0.3
    axis = about((1, 0, 0), 0.7)[:, 2] if with_parent else np.array([0, 0, 1])
    assert np.dot(child.angular_velocity, axis) > 0


def test_a_hinge_counts_turns():
    world = free_world(dt=0.01)
    wheel = world.add_body(unit_mass())
    joint = world.add_hinge(wheel, axis=(0, 1, 0))
    wheel.angular_velocity = (0, 50, 0)
    run(world, 2)
    # At 0.5 rad per step; ODE by itself would turn by 2 atan(w h / 2), to 97.99.
    assert joint.positions[0] == pytest.approx(50 * 2, rel=1e-9)


def test_a_hinge_holds_the_anchor_and_the_axis():
    world = World(dt=0.002)
    arm = world.add_body(Mass.box(2, (1, 0.1, 0.1)), (0.5, 0, 0))
    world.add_hinge(arm, axis=(0, 1, 0))
    for _ in range(20):
        run(world, 0.1)
        anchor = rotation(arm) @ np.array([-0.5, 0, 0]) + np.array(arm.position)
        # Drift that ERP 0.2 leaves at this speed (up to 5 rad/s): v^2 h^2 / ERP.
        assert np.linalg.norm(anchor) < 5e-4
        assert abs(rotation(arm)[1, 1]) == pytest.approx(1, abs=1e-6)


def test_a_slider_lets_move_along_its_axis_only():
    world = free_world()
    body = world.add_body(unit_mass(), (0, 0, 1))
    joint = world.add_slider(body, axis=(1, 0, 0), position=0.5)
    body.add_force((3, 5, 7), point=(0, 1, 1))
    run(world, 0.5)
    assert joint[0].position - 0.5 == pytest.approx(body.position[0])
    assert body.position == pytest.approx((0.0015, 0, 1), abs=1e-6)
    assert body.orientation == pytest.approx((1, 0, 0, 0), abs=1e-6)


@pytest.mark.parametrize("with_parent", [False, True])
def test_a_slider_moves_positive_along_its_axis(with_parent: bool):
    world = free_world()
    parent = world.add_body(unit_mass().scaled_to(1e6)) if with_parent else None
    body = world.add_body(unit_mass(), (0, 0, 1))
    joint = world.add_slider(body, parent, axis=(0, 0, 2))
    joint[0].add_force(1)
    run(world, 1)
    assert joint[0].velocity == pytest.approx(0.001, rel=1e-3)
    assert joint[0].position > 0 and body.position[2] > 1


def test_a_ball_joint_holds_the_point_and_frees_the_rotation():
    world = World(dt=0.001)
    bob = world.add_body(Mass.sphere(1, 0.1), (0.3, 0, 0))
    world.add_ball(bob, anchor=(0, 0, 0))
    bob.linear_velocity = (0, 1, 0)
    bob.angular_velocity = (0, 0, 1 / 0.3)
    for _ in range(10):
        run(world, 0.1)
        assert np.linalg.norm(bob.position) == pytest.approx(0.3, abs=2e-4)
    assert abs(bob.position[1]) > 0.01


def test_ball_positions_are_the_angles_of_three_turns():
    angles = (0.4, -0.6, 0.9)
    turn = about((1, 0, 0), angles[0]) @ about((0, 1, 0), angles[1]) @ about((0, 0, 1), angles[2])
    world = free_world()
    w = math.sqrt(1 + np.trace(turn)) / 2
    twice = (turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1])
    q = (w, *(part / (4 * w) for part in twice))
    body = world.add_body(unit_mass())
    joint = world.add_ball(body, axis=(1, 0, 0), axis3=(0, 0, 1))
    body.set_pose((0, 0, 0), q)
    world.step()
    assert joint.positions == pytest.approx(angles, abs=1e-9)


def test_ball_velocities_are_the_rates_of_the_positions():
    world = free_world()
    body = world.add_body(unit_mass())
    joint = world.add_ball(body, axis=(1, 0, 0), axis3=(0, 0, 1), positions=(0.2, 0.3, -0.4))
    body.angular_velocity = (0.5, -1, 0.7)
    world.step()
    before = np.array(joint.positions)
    world.step()
    rates = (np.array(joint.positions) - before) / world.dt
    assert [axis.velocity for axis in joint.axes] == pytest.approx(list(rates), abs=2e-3)


def test_a_fixed_joint_holds_everything():
    world = World(dt=0.001)
    body = world.add_body(unit_mass(), (1, 2, 3), turned(0.3, (0, 1, 0)))
    joint = world.add_fixed(body)
    start = body.orientation
    run(world, 1)
    assert body.position == pytest.approx((1, 2, 3), abs=1e-5)
    assert body.orientation == pytest.approx(start, abs=1e-6)
    assert joint.positions == []


def hinge2(world: World, parent: bool, angle: float = math.pi / 2, **more: object) -> Joint:
    base = world.add_body(unit_mass().scaled_to(1e6)) if parent else None
    child = world.add_body(unit_mass())
    second = (math.sin(angle), 0, math.cos(angle))
    return world.add_hinge2(child, base, axis=(0, 0, 1), axis2=second, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("parent", [False, True])
@pytest.mark.parametrize("angle", [math.pi / 2, 1.0])
def test_hinge2_positions_are_two_turns_one_after_the_other(parent: bool, angle: float):
    world = free_world()
    joint = hinge2(world, parent, angle)
    child = joint.child
    assert child is not None
    joint[0].add_motor(max_velocity=1, max_force=1e4).set_position(0.5)
    joint[1].add_motor(max_velocity=1, max_force=1e4).set_position(-0.8)
    run(world, 3)
    assert joint.positions == pytest.approx([0.5, -0.8], abs=1e-4)
    second = (math.sin(angle), 0, math.cos(angle))
    expected = about((0, 0, 1), 0.5) @ about(second, -0.8)
    base = rotation(joint.parent) if joint.parent else np.eye(3)
    assert base.T @ rotation(child) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("parent", [False, True])
def test_hinge2_locks_the_third_rotation(parent: bool):
    world = free_world()
    joint = hinge2(world, parent)
    child = joint.child
    assert child is not None
    child.add_torque((0, 5, 0))
    run(world, 1)
    assert child.angular_velocity == pytest.approx((0, 0, 0), abs=1e-5)


@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_a_wheel_that_turns_fast_on_a_turning_car_is_steered_as_it_is_told(rate: float):
    # Long steps let the wheel lean a little; what it turns must not count as steering then.
    world = free_world(dt=0.01)
    car = world.add_body(unit_mass().scaled_to(1e9))
    car.angular_velocity = (0, 0, rate)
    joint = world.add_hinge2(world.add_body(unit_mass()), car, axis=(0, 0, 1), axis2=(0, 1, 0))
    joint[0].add_motor(max_force=1000).set_position(0.03)
    wheel = joint[1].add_motor(max_velocity=100, max_force=1000)
    wheel.set_position(math.inf)
    wheel.set_velocity(40)
    world.step(400)
    assert joint.positions[0] == pytest.approx(0.03, rel=1e-4)
    assert joint[0].velocity == pytest.approx(0, abs=1e-4)


def test_hinge2_has_stops_on_both_axes():
    world = free_world()
    joint = hinge2(world, parent=False)
    joint[0].set_stops(-0.2, 0.2)
    joint[1].set_stops(-0.3, 0.3)
    for _ in range(2000):
        joint[0].add_force(1)
        joint[1].add_force(-1)
        world.step()
    # A constant torque presses into the stop by CFM/ERP h times the torque, far below this.
    assert joint.positions == pytest.approx([0.2, -0.3], abs=1e-5)


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_stops_hold(kind: str):
    world = free_world()
    body = world.add_body(unit_mass())
    joint = getattr(world, f"add_{kind}")(body, axis=(0, 0, 1), position=0.1)
    joint[0].set_stops(-0.5, 0.4)
    for force, stop in ((2.0, 0.4), (-2.0, -0.5)):
        for _ in range(3000):
            joint[0].add_force(force)
            world.step()
        assert joint.positions[0] == pytest.approx(stop, abs=1e-5)


def test_the_stops_of_a_hinge_push_back_also_from_beyond_half_a_turn():
    world = free_world()
    body = world.add_body(unit_mass(), orientation=turned(3.6))
    joint = world.add_hinge(body, axis=(0, 0, 1), position=0.0)
    body.set_pose((0, 0, 0), turned(3.6 + 3.5))
    joint.positions = [3.5]
    joint[0].set_stops(-1, 3.0)
    # ERP 0.2 of 0.5 rad in the first step.
    world.step()
    assert joint.positions[0] == pytest.approx(3.4, abs=0.01)
    assert joint[0].velocity < 0


def test_ball_axes_have_stops_and_motors():
    world = free_world()
    body = world.add_body(unit_mass())
    joint = world.add_ball(body)
    joint[0].set_stops(-0.3, 0.3)
    joint[2].add_motor(max_velocity=1, max_force=100).set_position(0.4)
    for _ in range(3000):
        joint[0].add_force(1)
        world.step()
    assert joint.positions[0] == pytest.approx(0.3, abs=1e-3)
    assert joint.positions[2] == pytest.approx(0.4, abs=1e-3)


def test_four_bar_loop_stays_closed():
    # A parallelogram: the coupler keeps its direction and both cranks turn alike.
    world = World(dt=0.001, gravity=(0, 0, 0))
    bar = Mass.box(1, (0.1, 0.1, 1))
    left = world.add_body(bar, (0, 0, 0.5))
    right = world.add_body(bar, (2, 0, 0.5))
    coupler = world.add_body(Mass.box(1, (2, 0.1, 0.1)), (1, 0, 1))
    first = world.add_hinge(left, anchor=(0, 0, 0), axis=(0, 1, 0))
    second = world.add_hinge(right, anchor=(2, 0, 0), axis=(0, 1, 0))
    world.add_hinge(coupler, left, anchor=(0, 0, 0.5), axis=(0, 1, 0))
    world.add_hinge(coupler, right, anchor=(0, 0, 0.5), axis=(0, 1, 0))
    first[0].add_motor(max_velocity=1, max_force=100).set_position(0.6)
    run(world, 3)
    assert first.positions[0] == pytest.approx(0.6, abs=1e-3)
    assert second.positions[0] == pytest.approx(0.6, abs=1e-3)
    assert coupler.orientation == pytest.approx((1, 0, 0, 0), abs=1e-3)
    ends = rotation(coupler) @ np.array([-1, 0, 0]) + np.array(coupler.position)
    assert ends == pytest.approx([math.sin(0.6), 0, math.cos(0.6)], abs=1e-3)


def test_static_friction_holds_up_to_its_torque():
    world = free_world()
    body = world.add_body(unit_mass())
    joint = world.add_hinge(body, axis=(0, 0, 1))
    joint[0].static_friction = 1.0
    for torque, moves in ((0.99, False), (1.5, True)):
        for _ in range(1000):
            joint[0].add_force(torque)
            world.step()
        assert (abs(joint[0].velocity) > 1e-3) == moves
    # The excess of 0.5 N m accelerates 1 kg m^2 for 1 s.
    assert joint[0].velocity == pytest.approx(0.5, rel=1e-3)


def test_feedback_of_a_fixed_joint_is_the_weight():
    world = World(dt=0.001)
    body = world.add_body(unit_mass(), (0, 0, 1))
    joint = world.add_fixed(body)
    joint.feedback = True
    run(world, 0.5)
    assert joint.force_on_child == pytest.approx((0, 0, G), abs=1e-3)


def test_feedback_on_the_parent_is_the_opposite():
    world = World(dt=0.001)
    parent = world.add_body(unit_mass(), (0, 0, 2))
    world.add_fixed(parent)
    child = world.add_body(unit_mass(), (0, 0, 1))
    joint = world.add_hinge(child, parent, axis=(0, 1, 0))
    joint.feedback = True
    run(world, 0.5)
    assert joint.force_on_parent == pytest.approx((0, 0, -G), abs=1e-3)
    assert np.add(joint.force_on_parent, joint.force_on_child) == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_disabled_joint_lets_go():
    world = World(dt=0.01)
    body = world.add_body(unit_mass())
    joint = world.add_fixed(body)
    world.step(10)
    joint.enabled = False
    world.step(100)
    assert body.position[2] == pytest.approx(-G / 2, rel=0.02)


def test_parallel_hinge2_axes_are_refused():
    world = free_world()
    body = world.add_body(unit_mass())
    with pytest.raises(ValueError, match="parallel"):
        world.add_hinge2(body, axis=(1, 0, 0), axis2=(-2, 0, 0))


def test_child_pose_says_where_the_positions_put_the_child():
    world = free_world()
    parent = world.add_body(unit_mass(), (1, 0, 0), turned(0.3, (0, 1, 0)))
    child = world.add_body(unit_mass(), (1, 2, 0), turned(0.5, (1, 0, 0)))
    joint = world.add_hinge(child, parent, anchor=(0, 1, 0), axis=(0, 0, 1), position=0.4)
    position, orientation = joint.child_pose()
    assert position == pytest.approx(child.position)
    assert orientation == pytest.approx(child.orientation)
