"""Which geoms touch each other and which pass through."""

import pytest

from tests.engine.helpers import free_world, solid, unit_mass
from wbridge.wbcore.engine import Body, Geom, Shape, World

BALL = Shape.sphere(0.5)


def ball(world: World, x: float = 0, **geom: object) -> Body:
    return solid(world, BALL, (x, 0, 0), **geom)


def touching(world: World) -> int:
    world.collide()
    return len(world.contacts())


def test_two_bodies_touch():
    world = free_world()
    ball(world), ball(world, 0.9)
    assert touching(world) == 1


def test_geoms_of_one_body_do_not_touch():
    world = free_world()
    body = ball(world)
    world.add_geom(BALL, body, (0.5, 0, 0))
    assert touching(world) == 0


def test_parts_of_one_robot_touch_only_with_self_collision():
    world = free_world()
    ball(world, robot=3), ball(world, 0.9, robot=3)
    assert touching(world) == 0
    world.set_self_collision(3, True)
    assert touching(world) == 1
    world.set_self_collision(3, False)
    assert touching(world) == 0


def test_a_part_that_joins_another_robot_touches_the_former_one():
    world = free_world()
    ball(world, robot=3)
    part = world.add_geom(BALL, ball(world, 5, robot=3), (-4.1, 0, 0), robot=3)
    assert touching(world) == 0
    part.robot = 4
    assert touching(world) == 1


def test_parts_of_different_robots_touch():
    world = free_world()
    ball(world, robot=1), ball(world, 0.9, robot=2)
    assert touching(world) == 1


@pytest.mark.parametrize("make", ["add_hinge", "add_slider", "add_ball", "add_fixed", "add_hinge2"])
def test_bodies_at_one_joint_do_not_touch(make: str):
    world = free_world()
    first, second = ball(world), ball(world, 0.9)
    joint = getattr(world, make)(second, first)
    assert touching(world) == 0
    joint.remove()
    assert touching(world) == 1


def test_a_body_held_by_the_world_passes_static_geoms():
    world = free_world()
    world.add_geom(BALL)
    arm = ball(world, 0.9)
    joint = world.add_hinge(arm)
    assert touching(world) == 0
    ball(world, 1.8)
    assert touching(world) == 1
    joint.remove()
    assert touching(world) == 2


def test_a_body_held_by_a_frame_passes_static_geoms():
    world = free_world()
    world.add_geom(BALL)
    world.add_hinge(ball(world, 0.9), world.add_frame())
    assert touching(world) == 0


@pytest.mark.parametrize("shared", [True, False])
def test_a_chain_that_shares_its_anchor_does_not_touch(shared: bool):
    # first - tiny - second: both hinges at the origin, or the second one elsewhere.
    world = free_world()
    first, second = ball(world), ball(world, 0.9)
    tiny = world.add_body(unit_mass(), (0.2, 0.3, 0))
    world.add_hinge(tiny, first, anchor=(0.1, 0, 0), axis=(0, 0, 1))
    at = (-0.1, -0.3, 0) if shared else (0.1, 0.1, 0)
    world.add_hinge(second, tiny, anchor=at, axis=(0, 1, 0))
    assert touching(world) == (0 if shared else 1)


def test_contacts_of_a_standing_sensor_do_not_pile_up():
    world = World(dt=0.01)
    world.add_geom(BALL)
    world.add_geom(BALL, position=(0.1, 0, 0), role="sensor")
    counts = []
    for _ in range(4):
        world.step()
        counts.append(world.statistics["contacts"])
    assert counts == [1, 1, 1, 1]


def test_static_geoms_do_not_touch_unless_one_is_a_sensor():
    world = free_world()
    world.add_geom(BALL)
    frame = world.add_frame((0.9, 0, 0))
    geom = world.add_geom(BALL, frame)
    assert touching(world) == 0
    geom.role = "sensor"
    assert touching(world) == 1
    world.step()
    assert touching(world) == 1


def test_categories():
    world = free_world()
    a = world.add_geom(BALL, world.add_body(unit_mass()))
    b = world.add_geom(BALL, world.add_body(unit_mass(), (0.9, 0, 0)))
    a.category, b.category = 1, 2
    a.collides_with, b.collides_with = 1, 2
    assert touching(world) == 0
    b.collides_with = 1
    assert touching(world) == 1


def test_a_disabled_geom_touches_nothing():
    world = free_world()
    ball(world)
    geom = world.add_geom(BALL, world.add_body(unit_mass(), (0.9, 0, 0)))
    geom.enabled = False
    assert touching(world) == 0
    geom.enabled = True
    assert touching(world) == 1


def test_geoms_that_move_find_new_partners():
    world = free_world(dt=0.01)
    for i in range(10):
        world.add_geom(BALL, None, (3 * i, 0, 0))
    mover = world.add_frame((-3, 0, 0))
    world.add_geom(BALL, mover, role="sensor")
    mover.linear_velocity = (3, 0, 0)
    seen = set()
    for _ in range(1200):
        world.step()
        seen |= set(world.contacts().geoms.ravel().tolist())
    assert seen == set(range(11))


def test_a_moved_static_geom_touches_at_its_new_place():
    world = free_world()
    ball(world)
    wall = world.add_geom(BALL, None, (100, 0, 0))
    assert touching(world) == 0
    wall.set_offset((0.9, 0, 0))
    assert touching(world) == 1


@pytest.mark.parametrize(
    "shape",
    [
        Shape.box((1, 1, 1)),
        Shape.sphere(0.5),
        Shape.capsule(0.3, 0.4),
        Shape.cylinder(0.5, 1),
    ],
    ids=lambda s: s.kind,
)
def test_every_shape_touches_the_ground(shape: Shape):
    world = World(dt=0.004)
    world.add_geom(Shape.plane())
    body = solid(world, shape, (0, 0, 0.6), density=10)
    world.step(500)
    assert body.position[2] == pytest.approx(0.5, abs=0.02)


def test_the_offset_of_a_geom_follows_the_center_of_mass():
    world = free_world()
    world.add_geom(BALL, None, (0.9, 0, 0))
    body = world.add_body(unit_mass().with_center((0, 5, 0)), (0, -1, 0))
    geom: Geom = world.add_geom(BALL, body, (0, 1, 0))
    assert geom.position == pytest.approx((0, 0, 0))
    assert touching(world) == 1
    body.mass = unit_mass()
    assert geom.position == pytest.approx((0, 0, 0))
    assert touching(world) == 1


def test_another_shape_takes_the_place_of_the_first():
    world = free_world()
    world.add_geom(BALL)
    geom = world.add_geom(Shape.sphere(0.1), world.add_body(unit_mass(), (0.9, 0, 0)))
    assert touching(world) == 0
    geom.shape = BALL
    assert touching(world) == 1
    assert geom.shape.kind == "sphere"


def test_the_pair_hook_sees_pairs_and_can_take_them():
    world = free_world()
    first, second = world.add_geom(BALL, world.add_body(unit_mass())), None
    second = world.add_geom(BALL, world.add_body(unit_mass(), (0.9, 0, 0)))
    seen = []

    def take(a: int, b: int) -> bool:
        seen.append({a, b})
        return True

    world.on_pair = take
    assert touching(world) == 0
    assert seen == [{first.id, second.id}]
    world.on_pair = None
    assert touching(world) == 1
