"""Sleeping bodies: when they fall asleep, what wakes them, and what they still carry."""

import pytest

from tests.engine.helpers import ground, run, solid
from wbcore.engine import Body, ContactProperties, Shape, World

CUBE = Shape.box((0.2, 0.2, 0.2))


def resting(height: float = 0.1) -> tuple[World, Body]:
    world = World(dt=0.01)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0, soft_cfm=1e-6))
    ground(world)
    box = solid(world, CUBE, (0, 0, height))
    box.set_auto_disable(0.5, 0.05, 0.05)
    return world, box


def test_a_body_at_rest_falls_asleep_after_the_time():
    world, box = resting()
    run(world, 0.3)
    assert box.awake
    run(world, 1)
    assert not box.awake
    assert box.linear_velocity == (0, 0, 0)


def test_a_negative_time_means_never():
    world, box = resting()
    box.set_auto_disable(-1)
    run(world, 3)
    assert box.awake


def test_a_body_in_the_air_does_not_fall_asleep():
    world = World(dt=0.01, gravity=(0, 0, 0))
    box = solid(world, CUBE, (0, 0, 1))
    box.set_auto_disable(0.1)
    run(world, 1)
    assert box.awake


def test_contacts_of_sleeping_bodies_are_not_listed():
    world, box = resting()
    run(world, 2)
    assert not box.awake and len(world.contacts()) == 0


@pytest.mark.parametrize(
    "wake",
    [
        lambda w, b: b.add_force((0, 0, 0)),
        lambda w, b: b.set_pose((0, 0, 0.2), (1, 0, 0, 0)),
        lambda w, b: setattr(b, "linear_velocity", (0, 0, 1)),
        lambda w, b: setattr(b, "awake", True),
        lambda w, b: setattr(w, "gravity", (0, 0, 9.81)),
    ],
)
def test_commands_wake(wake):
    world, box = resting()
    run(world, 2)
    wake(world, box)
    assert box.awake


def test_something_that_lands_wakes_and_is_carried_at_once():
    world, box = resting()
    run(world, 2)
    other = solid(world, CUBE, (0, 0, 0.5))
    lowest = 1.0
    for _ in range(100):
        world.step()
        lowest = min(lowest, box.position[2])
    # The contacts with the ground were kept, so the box below does not sink when it is woken.
    assert lowest > 0.095
    assert other.position[2] == pytest.approx(0.3, abs=0.01)
    run(world, 2)
    other.set_auto_disable(0.5, 0.05, 0.05)
    run(world, 2)
    assert not box.awake and not other.awake


def test_taking_the_support_away_wakes():
    world, box = resting(height=0.3)
    shelf = world.add_geom(Shape.box((1, 1, 0.2)), None, (0, 0, 0.1))
    run(world, 2)
    assert not box.awake
    shelf.remove()
    assert box.awake
    run(world, 1)
    assert box.position[2] == pytest.approx(0.1, abs=0.01)


def test_a_sleeping_body_costs_no_rows():
    world, box = resting()
    run(world, 2)
    world.step()
    assert world.statistics["awake"] == 0
