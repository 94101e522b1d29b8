"""The world itself: order of a step, hooks, views, problems, random numbers, solvers, messages."""

import math

import numpy as np
import pytest

from tests.engine.helpers import G, free_world, ground, solid, unit_mass
from wbridge.wbcore.engine import (
    ContactProperties,
    EngineError,
    HandleError,
    Mass,
    PhysicsError,
    Shape,
    World,
)


def test_time_and_steps():
    world = World(dt=0.016)
    world.step(), world.step(4)
    assert world.steps == 5
    assert world.time == pytest.approx(0.08)


def test_the_first_step_has_contacts_already():
    world = World(dt=0.01)
    ground(world)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.09))
    world.step()
    # Without the pass before the first step it would fall through it freely.
    assert ball.linear_velocity[2] > 0


def test_contacts_are_those_of_the_new_poses():
    world = World(dt=0.01)
    ground(world)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.1005))
    ball.linear_velocity = (0, 0, -1)
    world.step()
    depth = world.contacts().depths[0]
    assert depth == pytest.approx(0.1 - ball.position[2])
    assert len(world.contacts(solved=True)) == 0
    world.step()
    assert world.contacts(solved=True).depths[0] == depth


def test_hooks_run_at_their_place():
    world = free_world(dt=0.01)
    body = world.add_body(unit_mass())
    log = []

    def before() -> None:
        log.append(("before", world.steps, body.linear_velocity[0]))
        body.add_force((100, 0, 0))

    def after() -> None:
        log.append(("after", world.steps, round(body.linear_velocity[0], 9)))

    world.before_solve, world.after_step = before, after
    world.step(2)
    assert log == [("before", 0, 0), ("after", 1, 1), ("before", 1, 1), ("after", 2, 2)]
    assert world.before_solve is before
    world.before_solve = world.after_step = None
    world.step()
    assert len(log) == 4 and world.before_solve is None


def test_an_exception_in_a_hook_reaches_the_caller_and_the_world_goes_on():
    world = free_world()
    world.before_solve = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        world.step()
    world.before_solve = None
    world.step()
    assert world.steps == 1


def test_a_hook_may_add_and_remove_but_the_pair_hook_may_not():
    world = free_world()
    bodies = [solid(world, Shape.sphere(0.5), (0.9 * i, 0, 0)) for i in range(2)]
    world.before_solve = lambda: solid(world, Shape.sphere(0.1), (9, 9, 9)).remove()
    world.step()

    def meddle(a: int, b: int) -> bool:
        bodies[0].remove()
        return False

    world.on_pair = meddle
    with pytest.raises(EngineError, match="added or removed"):
        world.step()


def test_a_step_within_a_step_is_refused():
    world = free_world()
    world.before_solve = world.step
    with pytest.raises(EngineError, match="within a step"):
        world.step()


def test_views_are_on_the_engine_s_memory():
    world = World(dt=0.01)
    body = world.add_body(unit_mass(), (1, 2, 3))
    views = (world.positions, world.quaternions, world.linear_velocities, world.angular_velocities)
    assert [v.shape for v in views] == [(1, 3), (1, 4), (1, 3), (1, 3)]
    body.angular_velocity = (0, 0, 2)
    world.step(10)
    for view, value in zip(
        views, (body.position, body.orientation, body.linear_velocity, body.angular_velocity), strict=True
    ):
        assert tuple(view[0]) == value
    with pytest.raises(ValueError, match="read-only"):
        views[0][0] = 1


def test_old_views_stay_valid_when_bodies_come():
    world = World(dt=0.01)
    first = world.add_body(unit_mass())
    view = world.positions
    for _ in range(5000):
        world.add_frame()
    world.step(5)
    assert view.shape == (1, 3) and tuple(view[0]) == first.position
    assert world.positions.shape == (5001, 3)


def test_joint_views():
    world = World(dt=0.01)
    joint = world.add_hinge2(world.add_body(unit_mass(), (1, 0, 0)), axis=(0, 1, 0), axis2=(1, 0, 0))
    positions, velocities = world.joint_positions, world.joint_velocities
    world.step(20)
    rows = [axis.row for axis in joint.axes]
    assert positions[rows].tolist() == joint.positions
    assert velocities[rows].tolist() == [axis.velocity for axis in joint.axes]
    assert positions[rows[0]] != 0


def test_views_outlive_the_world():
    view = (lambda w: (w.add_body(unit_mass(), (1, 2, 3)), w.positions)[1])(World())
    assert view.tolist() == [[1, 2, 3]]


def test_a_body_that_is_too_fast_is_named():
    world = World(dt=0.01, max_speed=5)
    world.add_body(unit_mass())
    body = world.add_body(unit_mass())
    body.linear_velocity = (6, 0, 0)
    with pytest.raises(PhysicsError, match=r"body 1 is too fast .*velocity 6 0") as caught:
        world.step()
    (problem,) = caught.value.problems
    assert problem[:2] == (body.id, "too fast")
    assert problem[3][0] == 6
    assert world.steps == 1


def test_a_body_that_is_too_far_is_named():
    world = World(max_distance=100)
    world.add_body(unit_mass(), (0, 200, 0))
    with pytest.raises(PhysicsError, match="too far"):
        world.step()


def test_values_that_are_no_numbers_are_caught_and_the_world_goes_on():
    world = World(dt=0.01)
    ground(world)
    sane = solid(world, Shape.sphere(0.1), (3, 0, 1))
    mad = solid(world, Shape.sphere(0.1), (0, 0, 1))
    mad.add_force((1e308, 0, 0))
    mad.add_force((1e308, 0, 0))
    with pytest.raises(PhysicsError, match="not finite") as caught:
        world.step()
    assert [p[0] for p in caught.value.problems] == [mad.id]
    assert mad.position == (0, 0, 1) and not mad.awake
    world.step(50)
    assert sane.position[2] < 1
    assert np.isfinite(world.positions).all()


def test_many_problems_are_counted():
    world = World(max_speed=1)
    for _ in range(8):
        world.add_body(unit_mass()).linear_velocity = (2, 0, 0)
    with pytest.raises(PhysicsError, match="and 3 more"):
        world.step()


@pytest.mark.parametrize("rows", [400, 0], ids=["exact", "iterative"])
def test_a_spin_that_is_no_number_is_caught_too_and_the_others_go_on(rows: int):
    world = World(dt=0.01, exact_rows=rows, exact_heap_rows=rows)
    ground(world)
    sane = solid(world, Shape.sphere(0.1), (3, 0, 1))
    mad = solid(world, Shape.sphere(0.1), (0, 0, 0.1))
    for _ in range(5):
        mad.add_torque((1e308, 0, 0))
        mad.add_torque((1e308, 0, 0))
        with pytest.raises(PhysicsError, match="not finite") as caught:
            world.step()
        assert [p[0] for p in caught.value.problems] == [mad.id]
    assert mad.position == (0, 0, 0.1) and not mad.awake
    world.step(100)
    assert sane.position[2] == pytest.approx(0.1, abs=0.02)


def extreme_chain(solver: str) -> World:
    world = World(dt=0.032, gravity=(0, 0, -1e6), solver=solver)
    chain = None
    for i in range(12):
        body = world.add_body(Mass.sphere(10.0 ** (6 if i % 2 else -9), 1e-3), (0, 0, -i))
        world.add_hinge(body, chain, axis=(1, 0, 0), anchor=(0, 0, 0))
        chain = body
    return world


def test_the_sparse_solver_steps_a_chain_with_a_mass_ratio_of_1e15():
    world = extreme_chain("sparse")
    world.step()
    assert np.isfinite(world.positions).all()
    assert world.fallbacks == 0


def test_a_chain_that_tears_itself_apart_ends_in_an_error_not_in_a_crash():
    world = extreme_chain("dense")
    with pytest.raises(PhysicsError, match="body 0 is not finite .*; and 7 more") as caught:
        world.step()
    assert len(caught.value.problems) == 12
    world.step(20)
    assert np.isfinite(world.positions).all()


def test_random_numbers_are_those_of_two_multiply_with_carry_generators():
    w, z, expected = 42, 362436069, []
    for _ in range(1000):
        z = 36969 * (z & 0xFFFF) + (z >> 16) & 0xFFFFFFFF
        w = 18000 * (w & 0xFFFF) + (w >> 16) & 0xFFFFFFFF
        expected.append((((z << 16) + w + 1) & 0xFFFFFFFF) * 2.328306435454494e-10)
    world = World(seed=42)
    assert [world.random() for _ in range(1000)] == expected
    world.seed(42)
    assert world.random() == expected[0]


def test_gaussian_numbers():
    world = World(seed=3)
    numbers = np.array([world.gauss() for _ in range(20_000)])
    assert numbers.mean() == pytest.approx(0, abs=0.03)
    assert numbers.std() == pytest.approx(1, abs=0.02)


def test_worlds_have_random_numbers_of_their_own():
    first, second = World(seed=5), World(seed=5)
    a = [first.random() for _ in range(5)]
    assert [second.random() for _ in range(5)] == a


def tower(**settings: object) -> World:
    world = World(dt=0.008, **settings)  # type: ignore[arg-type]
    world.set_contact_properties(0, 0, ContactProperties(bounce=0, soft_cfm=1e-6))
    ground(world)
    for i in range(8):
        solid(world, Shape.box((0.4, 0.4, 0.2)), (0, 0, 0.1 + 0.2 * i))
    solid(world, Shape.box((0.4, 0.4, 0.2)), (5, 0, 0.1))
    return world


def test_large_islands_go_to_the_iterative_solver_and_small_ones_do_not():
    world = tower(exact_heap_rows=40)
    world.step(5)
    assert world.statistics["quick_islands"] == 1
    assert world.statistics["islands"] == 2
    # Three rows for each contact of the tower; the box beside it has four.
    assert world.statistics["largest_rows"] == 3 * (world.statistics["contacts"] - 4)
    world.set_solver(exact_rows=1000, exact_heap_rows=1000)
    world.step()
    assert world.statistics["quick_islands"] == 0


def test_the_small_island_moves_as_if_it_were_alone():
    world = tower(exact_heap_rows=40)
    alone = World(dt=0.008)
    alone.set_contact_properties(0, 0, ContactProperties(bounce=0, soft_cfm=1e-6))
    ground(alone)
    twin = solid(alone, Shape.box((0.4, 0.4, 0.2)), (5, 0, 0.1))
    world.step(100), alone.step(100)
    assert world.body(8).position == twin.position
    assert world.body(8).linear_velocity == twin.linear_velocity


def test_both_solvers_hold_a_tower():
    for limit in (10_000, 40):
        world = tower(exact_rows=limit, exact_heap_rows=limit)
        world.step(300)
        assert world.positions[7][2] == pytest.approx(1.5, abs=0.1)


def test_a_new_step_length_acts_at_once():
    world = World(dt=0.01)
    ball = world.add_body(Mass.sphere(1, 0.1))
    world.step()
    world.dt = 0.001
    world.step()
    assert ball.linear_velocity[2] == pytest.approx(-G * 0.011)
    assert world.time == pytest.approx(0.011)


def test_new_gravity_acts_at_once():
    world = World(dt=0.01)
    ball = world.add_body(Mass.sphere(1, 0.1))
    world.gravity = (1, 0, 0)
    world.step()
    assert ball.linear_velocity == pytest.approx((0.01, 0, 0))


def test_cfm_and_erp_can_change():
    world = World(dt=0.01)
    body = world.add_body(unit_mass())
    joint = world.add_slider(body, axis=(0, 0, 1))
    joint[0].set_stops(-1e-9, 1)
    world.erp, world.cfm = 0.5, 1e-3
    world.step(500)
    # At rest the stop gives by m g cfm / (h^-1 erp).
    assert joint.positions[0] == pytest.approx(-G * 1e-3 * 0.01 / 0.5, rel=1e-3)


def test_a_step_of_a_microsecond():
    world = World(dt=1e-6)
    ball = world.add_body(Mass.sphere(1, 0.1))
    world.step(1000)
    assert ball.linear_velocity[2] == pytest.approx(-G * 1e-3)


def test_errors_form_one_tree():
    assert issubclass(HandleError, EngineError) and issubclass(PhysicsError, EngineError)
    assert issubclass(EngineError, RuntimeError)


def test_frames_have_no_problem_with_infinite_time():
    world = World(dt=0.01)
    world.add_frame().linear_velocity = (1, 0, 0)
    world.step(10)
    assert math.isclose(world.positions[0][0], 0.1)
