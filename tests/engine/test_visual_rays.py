"""Rays in the visible world: distances by formulas, all orders of instances, motion, looks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from wbridge.wbcore.engine import _engine

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ORIGIN = (0.0, 0.0, 0.0)
FAR = 50.0
Vector = tuple[float, float, float]
NONE = _engine.Mapping.none()


class Seen:
    """A world, its visible scene, and rays from the origin."""

    def __init__(self) -> None:
        self.world = _engine.World(dt=0.01, gravity=ORIGIN)
        self.scene = _engine.Scene(self.world)
        self.white = self.scene.add_material(_engine.Material())

    def add(self, shape: _engine.Shape, place: Vector, body: _engine.Body | None = None) -> int:
        return self.scene.add(shape, NONE, body, place, UPRIGHT, self.white)

    def look(self, *directions: Vector, front_only: bool = True) -> _engine.SceneRays:
        rays = self.scene.rays(None, ORIGIN, UPRIGHT, list(directions), FAR, front_only)
        rays.cast()
        return rays


def ball(count: int) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """A sphere of radius 1 as triangles: count rings of 2 * count corners."""
    u, v = np.meshgrid(
        np.linspace(0, math.pi, count + 1), np.linspace(0, 2 * math.pi, 2 * count + 1), indexing="ij"
    )
    points = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    at = (np.arange(count)[:, None] * (2 * count + 1) + np.arange(2 * count)).ravel()
    a, b, c, d = at, at + 2 * count + 1, at + 2 * count + 2, at + 1
    corners = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    area = np.linalg.norm(
        np.cross(
            points[corners[:, 1]] - points[corners[:, 0]], points[corners[:, 2]] - points[corners[:, 0]]
        ),
        axis=1,
    )
    return points, corners[area > 1e-12].astype(np.uint32)


def directions(count: int, seed: int) -> list[Vector]:
    made = np.random.default_rng(seed).normal(size=(count, 3))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [(float(x), float(y), float(z)) for x, y, z in made]


def test_distances_and_normals_of_round_and_flat_shapes() -> None:
    seen = Seen()
    seen.add(_engine.Shape.sphere(0.5), (2.0, 0.0, 0.0))
    seen.add(_engine.Shape.box((1.0, 1.0, 1.0)), (0.0, 3.0, 0.0))
    seen.add(_engine.Shape.cylinder(0.25, 1.0), (0.0, 0.0, 4.0))
    seen.add(_engine.Shape.capsule(0.25, 1.0), (0.0, 0.0, -5.0))
    rays = seen.look((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (-1, 0, 0))
    assert rays.distances == pytest.approx([1.5, 2.5, 3.5, 4.25, FAR])
    assert rays.instances.tolist() == [0, 1, 2, 3, -1]
    assert rays.normals == pytest.approx(np.array([(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 0, 0)]))


@pytest.mark.parametrize("place", [(0.1, -0.2, 0.3), (3.0, 1.0, 0.5)])
def test_a_fine_mesh_is_as_far_as_the_sphere_that_it_draws(place: Vector) -> None:
    """From inside, its backs are visible unless front_only. Judge: |o + t d - c| = 1."""
    rings = 60
    seen = Seen()
    seen.add(_engine.Shape.mesh(_engine.Mesh.of(*ball(rings))), place)
    aims = directions(500, 1)
    if math.dist(place, ORIGIN) > 1:
        aims = [(a * 0.2 + 3, b * 0.2 + 1, c * 0.2 + 0.5) for a, b, c in aims]
        aims = [tuple(np.array(one) / np.linalg.norm(one)) for one in aims]
    distances = seen.look(*aims, front_only=False).distances
    center = np.array(place)
    for aim, distance in zip(aims, distances, strict=True):
        along = np.dot(aim, center)
        inside = along**2 - np.dot(center, center) + 1
        if inside < 0.01:
            continue  # grazing
        root = math.sqrt(inside)
        exact = along - root if along - root > 0 else along + root
        assert distance == pytest.approx(exact, abs=2 * (1 - math.cos(math.pi / rings)) / root)
    if math.dist(place, ORIGIN) < 1:
        assert (seen.look(*aims).distances == FAR).all()


def test_no_ray_slips_through_the_edges_of_a_mesh() -> None:
    points, corners = ball(8)
    seen = Seen()
    seen.add(_engine.Shape.mesh(_engine.Mesh.of(points * 2, corners)), ORIGIN)
    toward = [*points[np.unique(corners)], *((points[corners[:, 0]] + points[corners[:, 1]]) / 2)]
    aims = [tuple(float(x) for x in one / np.linalg.norm(one)) for one in toward]
    assert (seen.look(*aims, front_only=False).distances < 2 + 1e-9).all()


def test_many_instances_are_met_in_any_order_of_addition() -> None:
    """Judge: the nearest of all spheres by formula."""
    random = np.random.default_rng(3)
    places = random.uniform(-10, 10, size=(300, 3))
    places = places[np.linalg.norm(places, axis=1) > 1]
    aims = directions(400, 2)
    found = []
    for order in (np.arange(len(places)), random.permutation(len(places))):
        seen = Seen()
        frames = [seen.world.add_frame(tuple(one), UPRIGHT) for one in places[order]]
        for number, frame in enumerate(frames):
            fixed = number % 3 == 0
            place = tuple(places[order][number]) if fixed else ORIGIN
            seen.add(_engine.Shape.sphere(0.4), place, None if fixed else frame)
        found.append(seen.look(*aims).distances)
    along = np.array(aims) @ places.T
    inside = along**2 - (places**2).sum(axis=1) + 0.16
    hit = np.where((inside >= 0) & (along > 0), along - np.sqrt(np.maximum(inside, 0)), FAR)
    assert found[0] == pytest.approx(hit.min(axis=1))
    assert (found[0] == found[1]).all()


def test_what_is_equally_near_is_the_one_that_was_added_first() -> None:
    for body in (False, True):
        seen = Seen()
        frame = seen.world.add_frame(ORIGIN, UPRIGHT) if body else None
        for _ in range(9):
            seen.add(_engine.Shape.sphere(0.5), (2.0, 0.0, 0.0), frame)
        seen.add(_engine.Shape.sphere(0.5), (2.0, 0.0, 0.0))
        assert seen.look((1, 0, 0)).instances.tolist() == [0]


def test_instances_and_rays_follow_their_bodies() -> None:
    seen = Seen()
    target = seen.world.add_body(_engine.Mass.sphere(1.0, 0.1), (5.0, 0.0, 0.0))
    eye = seen.world.add_body(_engine.Mass.sphere(1.0, 0.1), (0.0, 0.0, 0.0))
    seen.add(_engine.Shape.sphere(0.5), (0.0, 0.0, 0.5), target)
    rays = seen.scene.rays(eye, (0.0, 0.0, 0.5), UPRIGHT, [(1.0, 0.0, 0.0)], FAR)
    target.linear_velocity, eye.linear_velocity = (1.0, 0.0, 0.0), (0.0, 0.0, 0.25)
    for step in range(1, 101):
        seen.world.step()
        rays.cast()
        time = step * 0.01
        expected = 5 + time - math.sqrt(0.25 - (0.25 * time) ** 2)
        assert rays.distances[0] == pytest.approx(expected, abs=1e-9)
    target.set_pose((0.0, 8.0, 0.0), UPRIGHT)
    rays.cast()
    assert rays.distances[0] < FAR, "the scene follows steps"
    seen.scene.touch()
    rays.cast()
    assert rays.distances[0] == FAR
    eye.remove()
    assert not rays.valid
    with pytest.raises(_engine.HandleError):
        rays.cast()


def test_what_belongs_to_a_removed_body_is_gone() -> None:
    seen = Seen()
    frame = seen.world.add_frame((2.0, 0.0, 0.0), UPRIGHT)
    seen.add(_engine.Shape.sphere(0.5), ORIGIN, frame)
    assert seen.look((1, 0, 0)).distances[0] == pytest.approx(1.5)
    frame.remove()
    seen.scene.touch()
    assert seen.look((1, 0, 0)).distances[0] == FAR
    seen.world.add_frame((3.0, 0.0, 0.0), UPRIGHT)  # in the same slot
    seen.scene.touch()
    assert seen.look((1, 0, 0)).distances[0] == FAR


def test_the_look_of_a_picture_on_triangles() -> None:
    """A picture of two columns, black and red, on a square in front of the rays."""
    pixels = np.zeros((1, 2, 4), np.uint8)
    pixels[0, 1] = (255, 0, 0, 255)
    points = np.array([(2, 1, -1), (2, -1, -1), (2, -1, 1), (2, 1, 1)], float)
    mesh = _engine.Mesh.of(points, np.array([(0, 1, 2), (0, 2, 3)], np.uint32))
    places = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], float)
    seen = Seen()
    material = seen.scene.add_material(
        _engine.Material((0.5, 1.0, 1.0), 0.25, texture=_engine.Texture.of(pixels))
    )
    seen.scene.add(
        _engine.Shape.mesh(mesh), _engine.Mapping.triangles(mesh, places), None, ORIGIN, UPRIGHT, material
    )
    rays = seen.look((1, 0.25, 0), (1, -0.25, 0.25), (-1, 0, 0))
    assert rays.place(0) == pytest.approx((0.25, 0.5))
    assert rays.place(1) == pytest.approx((0.75, 0.25))
    assert rays.look(0) == ((0, 0, 0), 0.25, 0)
    assert rays.look(1) == ((0.5, 0, 0), 0.25, 0)
    assert rays.look(2) is None
    seen.scene.set_material(material, _engine.Material((0.0, 0.0, 1.0)))
    assert rays.look(1) == ((0, 0, 1), 0, 0)


def test_wrong_parts_are_refused() -> None:
    seen = Seen()
    with pytest.raises(ValueError, match="consist of triangles"):
        seen.add(_engine.Shape.plane(), ORIGIN)
    with pytest.raises(ValueError, match="material"):
        seen.scene.add(_engine.Shape.sphere(1.0), NONE, None, ORIGIN, UPRIGHT, 7)
    with pytest.raises(ValueError, match="number of directions"):
        seen.scene.rays(None, ORIGIN, UPRIGHT, [], 1.0)
    with pytest.raises(ValueError, match="cosine between forward, to_left and to_up"):
        axes = ((1.0, 0.0, 0.0), (0.1, 1.0, 0.0), (0.0, 0.0, 1.0))
        _engine.plane_image(seen.scene, None, ORIGIN, UPRIGHT, *axes, [0.0], [0.0])
    with pytest.raises(_engine.HandleError, match="another world"):
        seen.add(_engine.Shape.sphere(1.0), ORIGIN, _engine.World().add_frame(ORIGIN, UPRIGHT))


@pytest.mark.parametrize("front_only", [False, True])
@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder"])
def test_visible_shapes_are_as_far_as_bounding_objects_to_the_last_bit(kind: str, front_only: bool) -> None:
    """Judge: ODE's colliders, which cast the rays of the physics."""
    random = np.random.default_rng(7)
    for _ in range(40):
        sizes = [float(one) for one in random.uniform(0.1, 2, 3)]
        shape = {
            "box": lambda s=sizes: _engine.Shape.box(s),
            "sphere": lambda s=sizes: _engine.Shape.sphere(s[0]),
            "capsule": lambda s=sizes: _engine.Shape.capsule(s[0], s[1]),
            "cylinder": lambda s=sizes: _engine.Shape.cylinder(s[0], s[1]),
        }[kind]()
        turn = random.normal(size=4)
        w, x, y, z = (float(one) for one in turn / np.linalg.norm(turn))
        place = tuple(float(one) for one in random.uniform(-2, 2, 3))
        seen = Seen()
        seen.world.add_geom(shape, position=place, orientation=(w, x, y, z))
        seen.scene.add(shape, NONE, None, place, (w, x, y, z), seen.white)
        aims = directions(30, int(random.integers(1 << 30)))
        physical = seen.world.add_rays([ORIGIN] * 30, aims, [FAR] * 30)
        physical.front_only = front_only
        physical.cast()
        visual = seen.look(*aims, front_only=front_only)
        assert (visual.distances == physical.distances).all()
        assert visual.normals == pytest.approx(physical.normals)


@pytest.mark.parametrize("others", [6, 40])
@pytest.mark.parametrize("length", [0.5, 1.0, FAR])
@pytest.mark.parametrize("place", [ORIGIN, (0.11, 0.11, 0.11), (0.5, 0.0, 0.0)], ids=["in", "near", "out"])
def test_rays_of_a_body_see_what_rays_of_the_world_see(others: int, length: float, place: Vector) -> None:
    """Judge: the same rays without a body, whose search begins at the whole scene. The bodies move around the
    one with the rays, whose pose is the world's."""
    seen = Seen()
    random = np.random.default_rng(others)
    body = seen.world.add_body(_engine.Mass.sphere(1.0, 1e9))
    seen.add(_engine.Shape.box((0.2, 0.2, 0.2)), ORIGIN, body)
    for start in random.uniform(-0.6, 0.6, size=(others, 3)):
        one = seen.world.add_body(_engine.Mass.sphere(1.0, 1.0), tuple(start))
        one.linear_velocity = tuple(random.uniform(-1, 1, 3))
        seen.add(_engine.Shape.sphere(0.15), ORIGIN, one)
    aims = directions(200, 5)
    own = seen.scene.rays(body, place, UPRIGHT, aims, length, True)
    free = seen.scene.rays(None, place, UPRIGHT, aims, length, True)
    hits = 0
    for _ in range(40):
        seen.world.step(2)
        own.cast()
        free.cast()
        assert own.distances.tolist() == free.distances.tolist()
        assert own.instances.tolist() == free.instances.tolist()
        hits += int((own.instances > 0).sum())
    assert hits > 40


def turned(random: np.random.Generator) -> tuple[float, float, float, float]:
    """A random quaternion."""
    turn = random.normal(size=4)
    w, x, y, z = (float(one) for one in turn / np.linalg.norm(turn))
    return w, x, y, z


@pytest.mark.parametrize("front_only", [False, True])
@pytest.mark.parametrize("far", [0.0, 3e4, 3e6])
def test_rays_see_the_shapes_of_their_own_body_at_all_times(front_only: bool, far: float) -> None:
    """Judge: rays that are made anew for each cast. The body tumbles; rays aim at corners and edges of its
    meshes, at its other shapes and beside them."""
    seen = Seen()
    random = np.random.default_rng(3)
    body = seen.world.add_body(_engine.Mass.sphere(1.0, 1.0), (far, -far, far), turned(random))
    body.linear_velocity, body.angular_velocity = (1.0, 2.0, 3.0), (5.0, -3.0, 2.0)
    points, corners = ball(5)
    mesh = _engine.Shape.mesh(_engine.Mesh.of(points * 0.2, corners))
    places = [(0.6, 0.0, 0.0), (-0.1, 0.5, 0.0), (0.0, 0.05, 0.0)]  # the last one is around the rays
    for place in places:
        seen.scene.add(mesh, NONE, body, place, UPRIGHT, seen.white)
    for shape in (
        _engine.Shape.box((0.1, 0.2, 0.3)),
        _engine.Shape.cylinder(0.1, 0.2),
        _engine.Shape.capsule(0.05, 0.2),
    ):
        spot = tuple(float(one) for one in random.uniform(-1, 1, 3))
        seen.scene.add(shape, NONE, body, spot, turned(random), seen.white)
    edges = (points[corners[:, 0]] + points[corners[:, 1]]) / 2
    targets = np.concatenate([0.2 * side + place for side in (points, edges) for place in places])
    targets = targets[np.linalg.norm(targets, axis=1) > 1e-3]
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    aims = [*map(tuple, targets.tolist()), *directions(200, 5)]

    def rays() -> _engine.SceneRays:
        return seen.scene.rays(body, ORIGIN, UPRIGHT, aims, 2.0, front_only)

    kept = rays()
    for _ in range(60):
        seen.world.step()
        fresh = rays()
        kept.cast()
        fresh.cast()
        assert kept.distances.tolist() == fresh.distances.tolist()
        assert kept.instances.tolist() == fresh.instances.tolist()
    assert len(set(kept.instances.tolist()) - {-1}) > 1, "its own shapes are seen"


def test_rays_see_what_changes_in_their_own_body() -> None:
    seen = Seen()
    body = seen.world.add_body(_engine.Mass.sphere(1.0, 1.0))
    box = seen.add(_engine.Shape.box((0.2, 0.2, 0.2)), (0.0, 3.0, 0.0), body)
    rays = seen.scene.rays(body, ORIGIN, UPRIGHT, [(1.0, 0.0, 0.0)], FAR)

    def distance() -> float:
        for _ in range(40):
            seen.world.step()
            rays.cast()
        return float(rays.distances[0])

    assert distance() == FAR
    seen.scene.move(box, (2.0, 0.0, 0.0), UPRIGHT)
    rays.cast()
    assert rays.distances[0] == distance() == pytest.approx(1.9)
    seen.scene.show(box, False)
    assert distance() == FAR
    seen.scene.show(box, True)
    assert distance() == pytest.approx(1.9)
    seen.add(_engine.Shape.sphere(0.5), (1.0, 0.0, 0.0), body)
    assert distance() == pytest.approx(0.5)
    seen.scene.clear()
    assert distance() == FAR
    seen.white = seen.scene.add_material(_engine.Material())
    seen.add(_engine.Shape.sphere(0.5), (2.0, 0.0, 0.0), body)
    assert distance() == pytest.approx(1.5)
