"""Bodies without contacts move as the integrator's sums and Newton's laws say."""

import math

import numpy as np
import pytest

from tests.engine.helpers import G, free_world, run, unit_mass
from wbridge.wbcore.engine import Mass, World


def test_free_fall_is_the_integrator_s_sum():
    # v_n = -g n h and z_n = z_0 - g h^2 n (n + 1) / 2: first the velocity, then the place by the new one.
    world = World(dt=0.01)
    ball = world.add_body(Mass.sphere(2, 0.1), (0, 0, 10))
    world.step(100)
    assert ball.linear_velocity[2] == pytest.approx(-G, rel=1e-12)
    assert ball.position[2] == pytest.approx(10 - G * 0.01**2 * 100 * 101 / 2, rel=1e-12)


@pytest.mark.parametrize("dt", [0.008, 0.001])
def test_free_fall_differs_from_the_parabola_by_half_a_step(dt: float):
    world = World(dt=dt)
    ball = world.add_body(Mass.sphere(1, 0.1), (0, 0, 10))
    run(world, 1)
    assert 10 - G / 2 - ball.position[2] == pytest.approx(G * dt / 2, rel=1e-6)


def test_projectile_lands_at_its_range():
    speed, angle = 10.0, math.radians(40)
    world = World(dt=0.0001)
    ball = world.add_body(Mass.sphere(1, 0.1))
    ball.linear_velocity = (speed * math.cos(angle), 0, speed * math.sin(angle))
    flight = 2 * speed * math.sin(angle) / G
    run(world, flight)
    # One step of error along the path at most.
    assert ball.position[0] == pytest.approx(speed**2 * math.sin(2 * angle) / G, abs=speed * 0.0001)
    assert ball.position[2] == pytest.approx(0, abs=speed * 0.0001)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_torque_turns_a_box_by_its_inertia(axis: int):
    size, mass, torque = (0.2, 0.5, 1.1), 3.0, 0.4
    world = free_world()
    box = world.add_body(Mass.box(mass, size))
    vector = tuple(torque if i == axis else 0.0 for i in range(3))
    for _ in range(1000):
        box.add_torque(vector)
        world.step()
    others = [size[i] for i in range(3) if i != axis]
    inertia = mass / 12 * (others[0] ** 2 + others[1] ** 2)
    assert box.angular_velocity[axis] == pytest.approx(torque / inertia, rel=1e-9)


def test_a_force_beside_the_center_of_mass_pushes_and_turns():
    world = free_world()
    body = world.add_body(unit_mass())
    body.add_force((0, 0, 2), point=(0.5, 0, 0))
    world.step()
    assert body.linear_velocity == pytest.approx((0, 0, 0.002))
    assert body.angular_velocity == pytest.approx((0, -0.001, 0))


def test_relative_forces_and_points_are_in_the_body_s_frame():
    world = free_world()
    quarter = (math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4))
    body = world.add_body(unit_mass(), (1, 2, 3), quarter)
    body.add_force((1, 0, 0), point=(0, 0, 1), relative=True, relative_point=True)
    assert body.force == pytest.approx((0, 1, 0), abs=1e-15)
    assert body.torque == pytest.approx((-1, 0, 0), abs=1e-15)


def test_forces_act_for_one_step_only():
    world = free_world()
    body = world.add_body(unit_mass())
    body.add_force((1, 0, 0))
    world.step(5)
    assert body.linear_velocity == pytest.approx((0.001, 0, 0))


def test_the_own_frame_may_lie_beside_the_center_of_mass():
    world = free_world()
    body = world.add_body(unit_mass().with_center((0.5, 0, 0)), (1, 0, 0))
    assert body.position == pytest.approx((1, 0, 0))
    assert body.center_of_mass == pytest.approx((1.5, 0, 0))
    body.angular_velocity = (0, 0, 1)
    run(world, math.pi)
    # Half a turn about the center of mass; ODE's first-order rotation is off by about the square of the step.
    assert body.center_of_mass == pytest.approx((1.5, 0, 0))
    assert body.position == pytest.approx((2, 0, 0), abs=2e-3)


def test_a_new_mass_leaves_the_frame_where_it_is():
    world = free_world()
    body = world.add_body(unit_mass(), (1, 2, 3))
    body.mass = Mass.box(5, (1, 2, 3)).with_center((0, 0.25, 0))
    assert body.position == pytest.approx((1, 2, 3))
    assert body.center_of_mass == pytest.approx((1, 2.25, 3))
    assert body.mass.mass == 5


def test_the_velocity_of_a_point_is_that_of_the_material():
    world = free_world()
    body = world.add_body(unit_mass(), (1, 0, 0))
    body.linear_velocity, body.angular_velocity = (0, 0, 3), (0, 2, 0)
    assert body.point_velocity((1, 0, 0.5)) == pytest.approx((1, 0, 3))


def test_damping_takes_its_share_per_second():
    world = free_world(dt=0.008)
    body = world.add_body(unit_mass())
    body.set_damping(0.3, 0.6)
    body.linear_velocity, body.angular_velocity = (1, 0, 0), (0, 0, 1)
    world.step(125)
    assert body.linear_velocity[0] == pytest.approx(0.7, rel=1e-12)
    assert body.angular_velocity[2] == pytest.approx(0.4, rel=1e-12)


def test_damping_follows_a_new_step_length():
    world = free_world(dt=0.008)
    body = world.add_body(unit_mass())
    body.set_damping(0.3, 0.6)
    world.dt = 0.002
    body.linear_velocity = (1, 0, 0)
    world.step(500)
    assert body.linear_velocity[0] == pytest.approx(0.7, rel=1e-12)


def test_full_damping_stops_at_once():
    world = free_world()
    body = world.add_body(unit_mass())
    body.set_damping(1, 1)
    body.linear_velocity = (1, 0, 0)
    world.step()
    assert body.linear_velocity == (0, 0, 0)


def test_the_spin_is_capped():
    world = free_world()
    body = world.add_body(unit_mass())
    body.max_angular_speed = 5
    body.angular_velocity = (0, 0, 20)
    world.step()
    assert np.linalg.norm(body.angular_velocity) == pytest.approx(5)


def test_a_free_box_keeps_its_angular_momentum():
    world = free_world(dt=0.0005)
    mass = Mass.box(1, (0.1, 0.2, 0.3))
    body = world.add_body(mass)
    body.angular_velocity = (2, 3, 1)
    inertia = np.array(mass.inertia).reshape(3, 3)

    def momentum() -> np.ndarray:
        r = np.array(body.rotation).reshape(3, 3)
        return r @ inertia @ r.T @ np.array(body.angular_velocity)

    start = momentum()
    run(world, 1)
    # The integrator is of first order: the momentum drifts in proportion to the step.
    assert np.linalg.norm(momentum() - start) < 0.01 * np.linalg.norm(start)


def test_a_kinematic_body_moves_by_its_velocity_and_cannot_be_pushed():
    world = World(dt=0.01)
    body = world.add_body(unit_mass(), (0, 0, 1), kinematic=True)
    body.linear_velocity = (1, 0, 0)
    body.add_force((0, 100, 0))
    world.step(100)
    assert body.kind == "kinematic"
    assert body.position == pytest.approx((1, 0, 1))


def test_gravity_can_be_switched_off_for_one_body():
    world = World(dt=0.01)
    body = world.add_body(unit_mass())
    body.gravity = False
    world.step(10)
    assert body.position == (0, 0, 0)
