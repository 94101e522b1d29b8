"""Shapes: meshes, height fields, up axes, bounds and masses."""

import math

import numpy as np
import pytest

from tests.engine.helpers import free_world, solid, turned
from wbridge.wbcore.engine import Mass, Mesh, Shape, World


def cube(size: float = 1.0, outward: bool = True) -> Mesh:
    h = size / 2
    vertices = np.array([(x, y, z) for z in (-h, h) for y in (-h, h) for x in (-h, h)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    indices = np.array(triangles if outward else [t[::-1] for t in triangles], dtype=np.uint32)
    return Mesh.of(vertices, indices)


def matrix(mass: Mass) -> np.ndarray:
    return np.array(mass.inertia).reshape(3, 3)


@pytest.mark.parametrize("up, axis", [("z", 2), ("y", 1)])
@pytest.mark.parametrize("kind", ["cylinder", "capsule"])
def test_round_shapes_stand_along_their_up_axis(up: str, axis: int, kind: str):
    world = free_world()
    geom = world.add_geom(getattr(Shape, kind)(0.1, 1.0, up))
    low, high = geom.bounds
    extent = np.subtract(high, low)
    assert extent[axis] == pytest.approx(1.0 if kind == "cylinder" else 1.2)
    assert extent[0] == pytest.approx(0.2)


@pytest.mark.parametrize("up, height", [("z", (0, 0, 1)), ("y", (0, 1, 0))])
def test_planes_face_their_up_axis(up: str, height: tuple[float, ...]):
    world = free_world()
    world.add_geom(Shape.plane(up), None, tuple(2 * h for h in height))
    inside = solid(world, Shape.sphere(0.5), tuple(2.4 * h for h in height))
    world.collide()
    assert len(world.contacts()) == 1
    inside.set_pose(tuple(2.6 * h for h in height), (1, 0, 0, 0))
    world.collide()
    assert len(world.contacts()) == 0


def hills() -> np.ndarray:
    """Three rows of four heights, all different."""
    return np.arange(12.0).reshape(3, 4) / 10


@pytest.mark.parametrize("up", ["z", "y"])
@pytest.mark.parametrize("column, row", [(0, 0), (3, 0), (1, 2), (2, 1), (3, 2)])
def test_a_height_field_has_its_heights_where_they_belong(up: str, column: int, row: int):
    world = free_world()
    world.add_geom(Shape.heightfield(hills(), 0.5, 0.25, up=up))
    # A little inside, so that the ray meets the surface.
    x = min(max(column * 0.5, 1e-6), 1.5 - 1e-6)
    y = min(max(row * 0.25, 1e-6), 0.5 - 1e-6)
    start, down = ((x, y, 5), (0, 0, -1)) if up == "z" else ((x, 5, y), (0, -1, 0))
    rays = world.add_rays([start], [down], [10])
    rays.cast()
    assert 5 - rays.distances[0] == pytest.approx(hills()[row, column], abs=1e-4)


def test_a_ball_rests_on_a_height_field():
    world = World(dt=0.004)
    world.add_geom(Shape.heightfield(np.full((5, 5), 0.3), 1, 1, 0.5))
    ball = solid(world, Shape.sphere(0.2), (2.1, 1.9, 1), density=10)
    world.step(1000)
    assert ball.position[2] == pytest.approx(0.5, abs=0.01)


def test_a_mesh_rests_on_the_ground_and_carries_a_box():
    world = World(dt=0.004)
    world.add_geom(Shape.plane())
    below = solid(world, Shape.mesh(cube()), (0, 0, 0.51), density=10)
    above = solid(world, Shape.box((0.5, 0.5, 0.5)), (0, 0, 1.3), density=10)
    world.step(750)
    assert below.position[2] == pytest.approx(0.5, abs=0.02)
    assert above.position[2] == pytest.approx(1.25, abs=0.03)


def test_the_mass_of_a_mesh_is_that_of_the_same_box():
    box, mesh = Shape.box((1, 1, 1)).mass(500), Shape.mesh(cube()).mass(500)
    assert mesh.mass == pytest.approx(500)
    assert mesh.center == pytest.approx((0, 0, 0))
    assert mesh.inertia == pytest.approx(box.inertia, abs=1e-9)


def test_a_mesh_turned_inside_out_has_no_mass():
    with pytest.raises(ValueError, match="counterclockwise"):
        Shape.mesh(cube(outward=False)).mass(1)


@pytest.mark.parametrize(
    "shape, volume",
    [
        (Shape.box((1, 2, 3)), 6),
        (Shape.sphere(0.5), 4 / 3 * math.pi * 0.125),
        (Shape.cylinder(0.5, 2), math.pi * 0.5),
        (Shape.capsule(0.5, 2), math.pi * 0.5 + 4 / 3 * math.pi * 0.125),
    ],
    ids=lambda v: getattr(v, "kind", ""),
)
def test_mass_is_volume_times_density(shape: Shape, volume: float):
    assert shape.mass(700).mass == pytest.approx(700 * volume)


def sampled(inside, size: tuple[float, float, float], n: int = 60) -> np.ndarray:
    """Inertia of 1 kg of a shape, summed over a grid of points."""
    axes = [(np.arange(n) + 0.5) / n * s - s / 2 for s in size]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    keep = inside(x, y, z)
    p = np.stack([x[keep], y[keep], z[keep]])
    return (np.eye(3) * (p**2).sum() - p @ p.T) / p.shape[1]


def test_inertia_of_round_shapes_against_a_sum_of_points():
    r, h = 0.5, 2.0
    cylinder = sampled(lambda x, y, z: x**2 + y**2 < r * r, (2 * r, 2 * r, h))
    mass = Shape.cylinder(r, h).mass(1)
    assert matrix(mass) / mass.mass == pytest.approx(cylinder, rel=5e-3, abs=1e-9)

    def in_capsule(x, y, z):
        return x**2 + y**2 + np.maximum(np.abs(z) - h / 2, 0) ** 2 < r * r

    capsule = sampled(in_capsule, (2 * r, 2 * r, h + 2 * r))
    mass = Shape.capsule(r, h).mass(1)
    assert matrix(mass) / mass.mass == pytest.approx(capsule, rel=5e-3, abs=1e-9)


def test_round_masses_follow_the_up_axis():
    z, y = Shape.cylinder(0.2, 3).mass(1), Shape.cylinder(0.2, 3, "y").mass(1)
    assert matrix(z)[2, 2] == pytest.approx(matrix(y)[1, 1])
    assert matrix(z)[1, 1] == pytest.approx(matrix(y)[2, 2])


def test_two_halves_are_a_whole_box():
    half = Mass.box(1, (1, 1, 1))
    whole = half.transformed((0.5, 0, 0)) + half.transformed((-0.5, 0, 0))
    expected = Mass.box(2, (2, 1, 1))
    assert (whole.mass, whole.center) == (2, (0, 0, 0))
    assert whole.inertia == pytest.approx(expected.inertia)


def test_a_turned_mass_has_turned_inertia():
    mass = Mass.box(1, (1, 2, 3)).transformed((1, 2, 3), turned(math.pi / 2, (0, 0, 1)))
    assert mass.center == pytest.approx((1, 2, 3))
    assert mass.inertia == pytest.approx(Mass.box(1, (2, 1, 3)).inertia, abs=1e-12)


def test_scaled_masses_keep_their_distribution():
    mass = Mass.box(2, (1, 2, 3)).with_center((1, 0, 0)).scaled_to(5)
    assert (mass.mass, mass.center) == (5, (1, 0, 0))
    assert mass.inertia == pytest.approx(Mass.box(5, (1, 2, 3)).inertia)


@pytest.mark.parametrize(
    "values, message",
    [
        ((0, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1)), "mass must be positive"),
        ((1, (0, 0, 0), (1, 0, 0, 0, -1, 0, 0, 0, 1)), "positive definite"),
        ((1, (0, 0, 0), (1, 2, 0, 2, 1, 0, 0, 0, 1)), "positive definite"),
        ((1, (0, 0, 0), (1, 0.5, 0, 0, 1, 0, 0, 0, 1)), "symmetric"),
        ((1, (0, math.inf, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1)), "finite"),
    ],
)
def test_impossible_masses_are_refused(values: tuple, message: str):
    with pytest.raises(ValueError, match=message):
        Mass.of(*values)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Shape.box((1, 0, 1)), "size must be positive"),
        (lambda: Shape.sphere(-1), "radius"),
        (lambda: Shape.sphere(math.nan), "radius"),
        (lambda: Shape.cylinder(1, 0), "height"),
        (lambda: Shape.plane("x"), "'y' or 'z'"),
        (lambda: Shape.plane().mass(), "no volume"),
        (lambda: Shape.heightfield(np.zeros((1, 4)), 1, 1), "rows"),
        (lambda: Shape.heightfield(np.full((2, 2), np.nan), 1, 1), "heights"),
        (lambda: Mesh.of(np.zeros((2, 3)), np.array([[0, 1, 2]], dtype=np.uint32)), "triangle index"),
        (lambda: Mesh.of(np.zeros((3, 2)), np.array([[0, 1, 2]], dtype=np.uint32)), "columns"),
        (lambda: Mesh.of(np.zeros((3, 3)), np.zeros((0, 3), dtype=np.uint32)), "triangle"),
        (lambda: Shape.sphere(1).mass(0), "density"),
    ],
)
def test_impossible_shapes_are_refused(call, message: str):
    with pytest.raises(ValueError, match=message):
        call()
