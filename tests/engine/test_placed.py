"""What is placed, restored or changed stands where it was placed: no step without its contacts.

The judge is statics: a body at rest that is put elsewhere at the height of its rest does not sink. Without
contacts for a step it would sink by g dt^2 (2.5 mm at 16 ms).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.helpers import ground, run
from tests.engine.test_driven import DT, block
from wbridge.wbcore.engine import Body, ContactProperties, Mass, Shape, World

STILL = 2e-6
"""Greatest way (m) of what stands, over all steps: 1/1000 of g dt^2."""


def scene() -> tuple[World, Body, float]:
    """A box at rest on the floor, asleep; its height."""
    world = World(dt=DT)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0))
    ground(world)
    box = block(world, (0, 0, 0.05), 500)
    run(world, 4)
    assert not box.awake
    return world, box, box.position[2]


def lowest(world: World, box: Body, steps: int = 40) -> float:
    """The lowest height over some steps."""
    result = box.position[2]
    for _ in range(steps):
        world.step()
        result = min(result, box.position[2])
    return result


def move(world: World, box: Body) -> None:
    box.set_pose((1, 0.5, box.position[2]), (1, 0, 0, 0))


def move_and_stop(world: World, box: Body) -> None:
    move(world, box)
    box.reset()


def move_and_rest(world: World, box: Body) -> None:
    """As resetPhysics does it: the body sleeps for the next step."""
    move(world, box)
    box.reset()
    box.awake = False
    world.step()
    box.awake = True


def move_awake(world: World, box: Body) -> None:
    box.awake = True
    world.step(3)
    move(world, box)


def restore(world: World, box: Body) -> None:
    state = box.state()
    box.set_pose((3, 0, 2), (1, 0, 0, 0))
    world.step(3)
    box.restore(state)


def weigh(world: World, box: Body) -> None:
    box.mass = Mass.box(0.5, (0.1, 0.1, 0.1))


def wake(world: World, box: Body) -> None:
    box.awake = True


def push(world: World, box: Body) -> None:
    box.add_force((0, 0, 0))


CHANGES = [move, move_and_stop, move_and_rest, move_awake, restore, weigh, wake, push]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_placed_stands(change: Callable[[World, Body], None]):
    world, box, height = scene()
    change(world, box)
    assert height - lowest(world, box) < STILL
    assert box.position[2] == pytest.approx(height, abs=STILL)


def test_a_new_body_stands_where_it_is_put():
    world, _, height = scene()
    box = block(world, (1, 0, height), 500)
    assert height - lowest(world, box) < STILL


def test_a_body_put_on_a_sleeping_one_stands():
    world, below, height = scene()
    box = block(world, (0, 0, 0.1 + height - 1e-5), 500)
    before = below.position[2]
    world.step()
    # The contact yields to the load: far less than g dt^2.
    assert box.position[2] > 0.1 + height - 1e-4
    assert below.position[2] == pytest.approx(before, abs=1e-4)


def test_a_body_moved_with_its_support_stands():
    world = World(dt=DT)
    frame = world.add_frame((0, 0, 0.5))
    world.add_geom(Shape.box((1, 1, 0.1)), frame)
    box = block(world, (0, 0, 0.6), 500)
    run(world, 4)
    height = box.position[2] - 0.5
    frame.set_pose((3, 0, 2), (1, 0, 0, 0))
    box.set_pose((3, 0, 2 + height), (1, 0, 0, 0))
    assert 2 + height - lowest(world, box) < STILL


def test_a_raft_is_placed_in_its_depth():
    world = World(dt=DT)
    water = world.add_fluid(world.add_geom(Shape.plane()), 1000, 1)
    raft = block(world, (0, 0, 0), 500)
    world.add_immersion(raft, water, viscous_force=5, viscous_torque=0.01)
    run(world, 20)
    depth = raft.position[2]
    raft.set_pose((2, 0, depth), (1, 0, 0, 0))
    assert depth - lowest(world, raft) < 1e-5


def test_a_geom_that_is_replaced_keeps_its_body_up():
    world, box, height = scene()
    geom = world.geom(1)
    geom.remove()
    world.add_geom(Shape.box((0.1, 0.1, 0.1)), box)
    assert height - lowest(world, box) < STILL


def test_stale_contacts_do_not_push_what_was_moved():
    """A box taken from under another one, within one step: no spin from points a metre away."""
    world, box, height = scene()
    box.awake = True
    world.step(2)
    box.set_pose((1, 0, 1), (1, 0, 0, 0))
    world.step()
    assert box.linear_velocity[2] == pytest.approx(-9.81 * DT, rel=1e-6)
    assert max(map(abs, box.angular_velocity)) < 1e-7


@pytest.mark.parametrize("change", CHANGES)
def test_a_state_taken_after_the_change_continues_with_the_same_bits(change: Callable[[World, Body], None]):
    world, box, _ = scene()
    change(world, box)
    state = world.state()
    world.step(100)
    other, same, _ = scene()
    same.mass = box.mass  # masses are no part of a state
    other.restore(state)
    other.step(100)
    assert other.hash() == world.hash()
    world.restore(state)
    world.step(100)
    assert other.hash() == world.hash()
