"""Rays: what they hit, when they are cast, whom they spare."""

import math

import numpy as np
import pytest

from tests.engine.helpers import free_world, ground, solid, turned, unit_mass
from wbridge.wbcore.engine import Rays, Shape, World


def one_ray(world: World, length: float = 10, **more: object) -> Rays:
    return world.add_rays([(0, 0, 0)], [(1, 0, 0)], [length], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shape, distance",
    [
        (Shape.box((1, 1, 1)), 4.5),
        (Shape.sphere(0.5), 4.5),
        (Shape.capsule(0.5, 1), 4.5),
        (Shape.cylinder(0.5, 1), 4.5),
    ],
    ids=lambda v: getattr(v, "kind", ""),
)
def test_distance_geom_and_normal(shape: Shape, distance: float):
    world = free_world()
    target = world.add_geom(shape, None, (5, 0, 0))
    rays = one_ray(world)
    rays.cast()
    assert rays.distances[0] == pytest.approx(distance)
    assert rays.geoms[0] == target.id
    assert rays.normals[0] == pytest.approx([-1, 0, 0])


def test_without_a_hit_the_distance_is_the_length():
    world = free_world()
    world.add_geom(Shape.sphere(0.5), None, (5, 0, 0))
    rays = one_ray(world, length=4)
    assert rays.distances.tolist() == [4]
    rays.cast()
    assert (rays.distances[0], rays.geoms[0]) == (4, -1)
    assert rays.normals[0].tolist() == [0, 0, 0]


def test_the_nearest_of_many_geoms_is_hit():
    world = free_world()
    for x in (7, 3, 5, 9):
        world.add_geom(Shape.box((0.2, 2, 2)), None, (x, 0, 0))
    rays = one_ray(world)
    rays.cast()
    assert rays.distances[0] == pytest.approx(2.9)


def test_the_nearest_side_of_a_mesh_is_hit():
    from tests.engine.test_shapes import cube

    world = free_world()
    world.add_geom(Shape.mesh(cube(2)), None, (5, 0, 0))
    rays = one_ray(world)
    rays.cast()
    assert rays.distances[0] == pytest.approx(4)


def test_planes_are_hit_at_any_distance():
    world = free_world()
    world.add_geom(Shape.plane(), None, (900, 0, 0), turned(-math.pi / 2, (0, 1, 0)))
    rays = one_ray(world, length=1000)
    rays.cast()
    assert rays.distances[0] == pytest.approx(900)


def test_rays_move_with_their_body():
    world = free_world(dt=0.01)
    world.add_geom(Shape.sphere(0.5), None, (0, 5, 0))
    body = world.add_body(unit_mass(), (0, -1, 0))
    rays = world.add_rays([(0, 0, 0)], [(1, 0, 0)], [10], body, (0.5, 0, 0))
    rays.schedule(1)
    world.step()
    assert rays.geoms[0] == -1
    body.set_pose((0, -1, 0), turned(math.pi / 2))
    body.linear_velocity = (0, 1, 0)
    world.step(100)
    # At the pose after the step: the sensor is 0.5 ahead of the body at y = 0.
    assert rays.distances[0] == pytest.approx(4)


def test_rays_in_a_frame_follow_it():
    world = free_world()
    world.add_geom(Shape.sphere(0.5), None, (5, 0, 0))
    frame = world.add_frame((1, 0, 0))
    rays = one_ray(world, body=frame)
    rays.cast()
    assert rays.distances[0] == pytest.approx(3.5)
    frame.set_pose((2, 0, 0), (1, 0, 0, 0))
    rays.cast()
    assert rays.distances[0] == pytest.approx(2.5)


def test_rays_are_cast_when_due_only():
    world = free_world(dt=0.01)
    target = world.add_frame((5, 0, 0))
    world.add_geom(Shape.sphere(0.5), target)
    target.linear_velocity = (1, 0, 0)
    rays = one_ray(world)
    rays.schedule(4, first=2)
    seen = []
    for _ in range(10):
        world.step()
        seen.append(round(float(rays.distances[0]), 6))
    assert seen == [10, 4.52, 4.52, 4.52, 4.52, 4.56, 4.56, 4.56, 4.56, 4.6]
    rays.schedule(0)
    world.step(10)
    assert rays.distances[0] == pytest.approx(4.6)


def test_the_own_robot_is_spared_unless_it_collides_with_itself():
    world = free_world()
    own = world.add_geom(Shape.sphere(0.5), None, (3, 0, 0), robot=7)
    other = world.add_geom(Shape.sphere(0.5), None, (6, 0, 0), robot=8)
    rays = one_ray(world, robot=7)
    rays.cast()
    assert rays.geoms[0] == other.id
    world.set_self_collision(7, True)
    rays.cast()
    assert rays.geoms[0] == own.id


def test_masks_disabled_geoms_and_fluids_let_rays_through():
    world = free_world()
    glass = world.add_geom(Shape.box((0.1, 1, 1)), None, (1, 0, 0))
    glass.category = 2
    off = world.add_geom(Shape.box((0.1, 1, 1)), None, (2, 0, 0))
    off.enabled = False
    world.add_fluid(world.add_geom(Shape.box((1, 1, 1)), None, (4, 0, 0)))
    wall = world.add_geom(Shape.box((0.1, 1, 1)), None, (6, 0, 0))
    rays = one_ray(world, mask=1)
    rays.cast()
    assert rays.geoms[0] == wall.id
    rays.mask = 3
    rays.cast()
    assert rays.geoms[0] == glass.id


def test_a_disabled_set_is_not_cast():
    world = free_world()
    world.add_geom(Shape.sphere(0.5), None, (5, 0, 0))
    rays = one_ray(world)
    rays.schedule(1)
    rays.enabled = False
    world.step()
    assert rays.geoms[0] == -1


def test_rays_agree_with_geometry_in_a_crowd():
    # A thousand balls: the tree must find what trying each ball finds.
    generator = np.random.default_rng(5)
    centers = generator.uniform(-10, 10, (1000, 3))
    world = free_world()
    for center in centers:
        world.add_geom(Shape.sphere(0.3), None, center)
    directions = generator.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    rays = world.add_rays([(0, 0, 0)] * 200, list(directions), [12.0] * 200)
    rays.cast()
    along = directions @ centers.T
    off2 = (centers**2).sum(axis=1) - along**2
    half = np.sqrt(np.maximum(0.09 - off2, 0))
    outside = np.linalg.norm(centers, axis=1) > 0.3
    hit = (off2 < 0.09) & (along > 0) & outside
    distances = np.where(hit, along - half, np.inf).min(axis=1)
    inside = ~outside.all()
    assert not inside
    assert rays.distances == pytest.approx(np.minimum(distances, 12.0))


def test_views_stay_valid_after_the_set_is_removed():
    world = free_world()
    ground(world)
    rays = one_ray(world)
    distances = rays.distances
    rays.remove()
    assert distances[0] == 10


def test_views_cannot_be_written():
    rays = one_ray(free_world())
    with pytest.raises(ValueError, match="read-only"):
        rays.distances[0] = 1


def test_lengths_and_directions_can_change():
    world = free_world()
    solid(world, Shape.sphere(0.5), (0, 5, 0))
    rays = one_ray(world)
    rays.set_directions([(0, 2, 0)])
    rays.cast()
    assert rays.distances[0] == pytest.approx(4.5)
    rays.set_lengths([3])
    rays.cast()
    assert rays.distances[0] == 3


@pytest.mark.parametrize(
    "origins, directions, lengths",
    [
        ([], [], []),
        ([(0, 0, 0)], [(0, 0, 0)], [1]),
        ([(0, 0, 0)], [(1, 0, 0)], [0]),
        ([(0, 0, 0)], [(1, 0, 0)], [1, 2]),
        ([(0, 0, math.nan)], [(1, 0, 0)], [1]),
    ],
)
def test_impossible_rays_are_refused(origins, directions, lengths):
    with pytest.raises(ValueError, match="must be"):
        free_world().add_rays(origins, directions, lengths)


@pytest.mark.parametrize(
    "shape",
    [Shape.box((1, 1, 1)), Shape.sphere(0.5), Shape.capsule(0.5, 1), Shape.cylinder(0.5, 1)],
    ids=lambda v: v.kind,
)
def test_rays_for_front_sides_leave_a_shape_that_they_start_in(shape: Shape):
    world = free_world()
    world.add_geom(shape)
    behind = world.add_geom(Shape.box((1, 1, 1)), None, (3, 0, 0))
    rays = one_ray(world)
    rays.cast()
    assert rays.distances[0] == pytest.approx(0.5)
    rays.front_only = True
    rays.cast()
    assert (rays.distances[0], rays.geoms[0]) == (pytest.approx(2.5), behind.id)


def test_rays_for_front_sides_pass_through_the_back_of_triangles_and_planes():
    from tests.engine.test_shapes import cube

    world = free_world()
    world.add_geom(Shape.mesh(cube(1)))
    world.add_geom(Shape.plane(), None, (2, 0, 0), turned(math.pi / 2, (0, 1, 0)))
    rays = world.add_rays([(0, 0.1, 0.2)], [(1, 0, 0)], [10])
    rays.cast()
    assert rays.distances[0] == pytest.approx(0.5)
    rays.front_only = True
    rays.cast()
    assert rays.distances[0] == 10
    far = world.add_rays([(-3, 0.1, 0.2)], [(1, 0, 0)], [10])
    far.front_only = True
    far.cast()
    assert far.distances[0] == pytest.approx(2.5)


def test_all_rays_are_cast_at_once():
    world = free_world()
    world.add_geom(Shape.sphere(0.5), None, (5, 0, 0))
    first, second = one_ray(world), one_ray(world, length=7)
    second.enabled = False
    world.cast()
    assert (first.distances[0], second.distances[0]) == (pytest.approx(4.5), 7)


def test_states_leave_rays_out_and_keep_the_time_until_they_are_cast():
    world = free_world()
    world.add_geom(Shape.sphere(0.5), None, (5, 0, 0))
    state = world.state()
    world.step(3)
    rays = one_ray(world)
    rays.schedule(2)
    world.restore(state)
    world.step()
    assert rays.distances[0] == 10
    world.step()
    assert rays.distances[0] == pytest.approx(4.5)


@pytest.mark.parametrize("height", [0.0, 0.5, -0.5])
def test_a_ray_along_the_border_of_a_box_meets_what_is_in_it(height: float) -> None:
    """A ray in the plane of a face, without a component across it, is not farther than one beside it."""
    world = World()
    for _ in range(20):
        world.add_geom(Shape.box((1.0, 1.0, 1.0)), position=(3.0, 0.0, 0.0))
    rays = world.add_rays([(0.0, 0.0, height)], [(1.0, 0.0, 0.0)], [9.0])
    rays.cast()
    assert rays.distances[0] == pytest.approx(2.5)
