"""Sleeping bodies: when they fall asleep, what wakes them, and what they still carry."""

import pytest

from benchmarks.engine_scenes import bipeds
from benchmarks.engine_scenes import resting as resting_boxes
from tests.engine.helpers import ground, run, solid
from wbridge.wbcore.engine import Body, ContactProperties, Shape, World

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


def test_contacts_of_sleeping_bodies_are_listed_but_do_not_act():
    """Webots informs sensors before it checks for sleep (WbSimulationCluster::odeNearCallback)."""
    world, box = resting()
    run(world, 2)
    assert not box.awake and len(world.contacts()) == 4
    assert len(world.contacts(sleepers=False)) == 0
    world.step()
    assert not box.awake and len(world.contacts()) == 4


def test_a_woken_body_has_each_contact_once():
    world, box = resting()
    run(world, 2)
    world.contacts()
    box.awake = True
    assert len(world.contacts()) == len(world.contacts(sleepers=False)) == 4


def test_contacts_of_sleepers_are_those_of_now():
    world, box = resting()
    run(world, 2)
    touching = world.add_frame((0.15, 0, 0.1))
    geom = world.add_geom(CUBE, touching)
    box.awake = False
    world.step()
    box.awake = False
    assert any(geom.id in pair for pair in world.contacts().geoms.tolist())
    touching.set_pose((1, 0, 0.1), (1, 0, 0, 0))
    world.step()
    assert not any(geom.id in pair for pair in world.contacts().geoms.tolist())


def test_a_body_that_slept_elsewhere_before_touches_where_it_sleeps_now():
    world, box = resting()
    run(world, 2)
    first = world.contacts().points.tolist()
    box.set_pose((3, 0, 0.1), (1, 0, 0, 0))
    run(world, 2)
    assert not box.awake
    now = world.contacts().points.tolist()
    assert sorted(x for x, _, _ in now) == pytest.approx(sorted(x + 3 for x, _, _ in first), abs=1e-3)


def test_a_state_brings_the_contacts_of_its_sleepers():
    world, box = resting()
    run(world, 2)
    state, points = world.state(), world.contacts().points.tolist()
    box.set_pose((3, 0, 0.1), (1, 0, 0, 0))
    run(world, 2)
    world.contacts()
    world.restore(state)
    assert not box.awake and world.contacts().points.tolist() == points


def test_a_new_or_grown_shape_wakes_what_it_reaches_into():
    """WbOdeGeomData::lastChangeTime: a changed geometry enables the body that it touches."""
    world, box = resting()
    run(world, 2)
    frame = world.add_frame((0.4, 0, 0.1))
    geom = world.add_geom(CUBE, frame)
    world.step()
    assert not box.awake
    geom.shape = Shape.box((0.7, 0.2, 0.2))
    world.step()
    assert box.awake


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


def test_sleepers_neither_change_nor_burden_the_rest():
    """The judge is the same biped alone: its motion, and the rows of constraints that are solved."""
    alone, beside = bipeds(1), resting_boxes(100)
    for world in (alone, beside):
        world.step(300)
    bodies = alone.body_count
    assert (beside.positions[:bodies] == alone.positions).all()
    assert (beside.linear_velocities[:bodies] == alone.linear_velocities).all()
    assert beside.statistics["awake"] == alone.statistics["awake"]
    assert beside.statistics["rows"] == alone.statistics["rows"]


def test_a_hit_wakes_all_that_touch_each_other_in_the_same_step():
    """ODE's manual: disabled bodies are enabled if they belong to an island with an enabled body."""
    world = World(dt=0.01)
    ground(world)
    tower = [solid(world, CUBE, (0, 0, 0.1 + 0.199 * i)) for i in range(4)]
    apart = solid(world, CUBE, (2, 0, 0.1))
    world.step(5)
    for body in (*tower, apart):
        body.awake = False
    world.step(5)
    assert not any(body.awake for body in tower)
    solid(world, Shape.sphere(0.1), (0, 0, 1.2))
    counts = set()
    for _ in range(50):
        world.step()
        counts.add(sum(body.awake for body in tower))
    assert counts == {0, 4}
    assert not apart.awake


def test_a_body_woken_by_the_caller_rests_on_the_contacts_it_had():
    """It must not sink while its contacts are searched: between two steps it keeps its height."""
    world, box = resting()
    world.step(200)
    height = box.position[2]
    assert not box.awake
    world.step(20)
    box.awake = True
    world.step()
    assert world.statistics["rows"] == 3 * 4
    assert box.position[2] == pytest.approx(height, abs=1e-5)


def test_bodies_come_and_go_beside_sleepers_in_the_same_order():
    """A step leaves sleepers out of ODE's list of bodies.

    Judge: a world that continues from the same state, in which nothing ever slept."""
    worlds = []
    for _ in range(2):
        world, sleeper = resting()
        world.set_contact_properties(0, 0, ContactProperties(bounce=0.5))
        others = [solid(world, CUBE, (0.5 * i, 0, 0.1)) for i in range(1, 6)]
        for box in others[1::2]:
            box.set_auto_disable(0.5, 0.05, 0.05)
        worlds.append((world, [sleeper, *others]))
    (world, boxes), (fresh, _) = worlds
    run(world, 2)
    assert [box.awake for box in boxes] == [False, True, False, True, False, True]
    # Beside those that sleep: the list's first body, one in its middle, and a new first one.
    for w, members in worlds:
        members[5].remove()
        members[1].remove()
        members.append(solid(w, CUBE, (3, 0, 0.3)))
    world.step()
    for box in [boxes[i] for i in (0, 2, 4)]:
        box.linear_velocity = (0.1, 0, 1)
    fresh.restore(world.state())
    for w, _ in worlds:
        run(w, 1)
    assert world.hash() == fresh.hash()
    assert all(boxes[i].position[0] > 0.01 + 0.5 * i for i in (0, 2, 4))


def test_a_robot_beside_sleepers_moves_as_one_that_is_alone():
    alone, beside = bipeds(1), resting_boxes(30)
    beside.step(300), alone.step(300)
    assert beside.statistics["awake"] == alone.statistics["awake"]
    for world in (alone, beside):
        world.body(0).add_force((200, 0, 0))
        world.step(50)
    bodies = alone.body_count
    assert (alone.positions[:bodies] == beside.positions[:bodies]).all()
