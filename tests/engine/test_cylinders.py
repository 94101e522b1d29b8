"""Cylinders on boxes, cylinders and capsules: contacts as deep as the shapes overlap, and stacks that stand.

The judges: the least overlap of two convex shapes, from their support functions over many directions; the
height of round things that lie on each other; statics.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engine.helpers import Vector, ground, turned
from tests.engine.resting import product
from tests.engine.test_colliders import touch
from wbridge.wbcore.engine import Body, Shape, World

Array = NDArray[np.float64]
DIRECTIONS = 4000
LYING = turned(math.pi / 2, (1, 0, 0))
"""Turns a cylinder's axis into -y."""


def sphere(count: int) -> Array:
    """(count, 3) unit vectors, spread evenly."""
    i = np.arange(count) + 0.5
    up = 1 - 2 * i / count
    around = math.pi * (1 + math.sqrt(5)) * i
    return np.stack([np.cos(around) * np.sqrt(1 - up**2), np.sin(around) * np.sqrt(1 - up**2), up], axis=1)


SPHERE = sphere(DIRECTIONS)


def rotation(quaternion: Vector) -> Array:
    """(3, 3) matrix of a quaternion (w, x, y, z)."""
    w, v = quaternion[0], np.array(quaternion[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def extents(shape: Shape, turn: Array, directions: Array) -> Array:
    """Half of the extent of a shape along each direction (m)."""
    local = directions @ turn
    if shape.kind == "box":
        return np.abs(local) @ np.array(shape.size) / 2
    across = 1.0 if shape.kind == "capsule" else np.hypot(local[:, 0], local[:, 1])
    return np.abs(local[:, 2]) * shape.size[1] / 2 + shape.size[0] * across


def least_overlap(a: Shape, turn_a: Array, b: Shape, turn_b: Array, apart: Array) -> float:
    """How far two shapes must be moved apart until they do not overlap (m); below 0: they do not."""

    def overlap(directions: Array) -> Array:
        return extents(a, turn_a, directions) + extents(b, turn_b, directions) - directions @ apart

    best, step = SPHERE[np.argsort(overlap(SPHERE))[:5]], 0.06
    for _ in range(60):
        around = (best[:, None] + step * SPHERE[None, ::80]).reshape(-1, 3)
        tried = np.vstack([best, around / np.linalg.norm(around, axis=1)[:, None]])
        best, step = tried[np.argsort(overlap(tried))[:5]], step * 0.8
    return float(overlap(best).min())


def make(kind: str, random: np.random.Generator) -> Shape:
    """A shape of any size."""
    if kind == "box":
        x, y, z = random.uniform(0.1, 0.6, 3)
        return Shape.box((x, y, z))
    radius, height = random.uniform(0.05, 0.4, 2)
    return Shape.capsule(radius, height) if kind == "capsule" else Shape.cylinder(radius, height)


@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule"])
def test_contacts_are_as_deep_as_the_shapes_overlap(kind: str):
    random = np.random.default_rng(1)
    overlapping = 0
    for _ in range(60):
        a, b = make("cylinder", random), make(kind, random)
        quaternions = random.normal(size=(2, 4))
        turn, other = (tuple(q / np.linalg.norm(q)) for q in quaternions)
        way = random.normal(size=(1, 3))
        way /= np.linalg.norm(way)
        turns = rotation(turn), rotation(other)
        reach = extents(a, turns[0], way) + extents(b, turns[1], way)
        apart = way[0] * reach[0] * random.uniform(0.6, 1.02)
        overlap = least_overlap(a, turns[0], b, turns[1], apart)
        depth = max(touch(a, tuple(apart), turn, b, (0, 0, 0), other).depths, default=0.0)
        where = f"{a.size} and {b.size}, {apart}, {turn}, {other}"
        if overlap < -1e-4:
            assert depth == 0, where
        elif overlap > 2e-3:
            overlapping += 1
            assert 0.6 < depth / overlap < 1.7, where
    assert overlapping > 20


@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule"])
def test_shapes_touch_only_when_they_overlap(kind: str):
    random = np.random.default_rng(2)
    for _ in range(8):
        a, b = make("cylinder", random), make(kind, random)
        quaternions = random.normal(size=(2, 4))
        turn, other = (tuple(q / np.linalg.norm(q)) for q in quaternions)
        turns, way = (rotation(turn), rotation(other)), random.normal(size=3)
        # Farther apart along the way, the least overlap only falls.
        near, far = np.zeros(3), way * 2 / np.linalg.norm(way)
        for _ in range(12):
            middle = (near + far) / 2
            if least_overlap(a, turns[0], b, turns[1], middle) > 0:
                near = middle
            else:
                far = middle
        for farther, touching in ((1.01, False), (0.98, True)):
            apart = far * farther
            depths = touch(a, tuple(apart), turn, b, (0, 0, 0), other).depths
            assert (len(depths) > 0) is touching, f"{a.size} and {b.size}, {apart}, {turn}, {other}"


def settled(
    shapes: list[tuple[Shape, Vector, Vector]], still: list[tuple[Shape, Vector, Vector]]
) -> list[Body]:
    """Bodies of 1 kg after 3 s at 8 ms over shapes that do not move."""
    world = World(dt=0.008)
    ground(world)
    for shape, position, turn in still:
        world.add_geom(shape, None, tuple(position), tuple(turn))
    bodies = []
    for shape, position, turn in shapes:
        body = world.add_body(shape.mass(1000).scaled_to(1), tuple(position), tuple(turn))
        world.add_geom(shape, body)
        bodies.append(body)
    world.step(375)
    for body in bodies:
        assert np.linalg.norm(body.linear_velocity) < 1e-3
        assert np.linalg.norm(body.angular_velocity) < 1e-2
    return bodies


UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("aside", [0.0, 0.04])
def test_a_tower_of_cans_stands(aside: float):
    can = Shape.cylinder(0.1, 0.2)
    tower = [(can, (aside * (k % 2), 0, 0.101 + 0.201 * k), turned(0.4 * k)) for k in range(3)]
    for k, body in enumerate(settled(tower, [])):
        assert body.position[2] == pytest.approx(0.1 + 0.2 * k, abs=0.004)
        assert body.position[0] == pytest.approx(aside * (k % 2), abs=0.004)


@pytest.mark.parametrize("kind", ["cylinder", "capsule"])
def test_a_round_thing_lies_in_the_groove_of_two_cylinders(kind: str):
    apart, large, small = 0.22, 0.1, 0.06
    rails = [(Shape.cylinder(large, 1), (side * apart / 2, 0, 0.3), LYING) for side in (-1, 1)]
    shape = Shape.capsule(small, 0.4) if kind == "capsule" else Shape.cylinder(small, 0.4)
    height = 0.3 + math.sqrt((large + small) ** 2 - (apart / 2) ** 2)
    (body,) = settled([(shape, (0, 0, height + 0.003), LYING)], rails)
    assert body.position[2] == pytest.approx(height, abs=0.002)


def test_a_cylinder_lies_across_two_others():
    rails = [
        (Shape.cylinder(0.05, 1), (0, side * 0.2, 0.2), turned(math.pi / 2, (0, 1, 0))) for side in (-1, 1)
    ]
    (body,) = settled([(Shape.cylinder(0.04, 0.8), (0, 0, 0.292), LYING)], rails)
    assert body.position[2] == pytest.approx(0.29, abs=0.001)


def test_a_capsule_lies_on_the_cap_of_a_cylinder():
    drum = [(Shape.cylinder(0.3, 0.2), (0, 0, 0.1), UPRIGHT)]
    (body,) = settled([(Shape.capsule(0.05, 0.2), (0.05, 0, 0.252), product(turned(0.3), LYING))], drum)
    assert body.position[2] == pytest.approx(0.25, abs=0.001)
    assert abs(rotation(body.orientation)[2, 2]) < 1e-3


@pytest.mark.parametrize("ground_name", ["box", "cylinder"])
def test_a_thin_disc_comes_to_rest_at_a_long_step(ground_name: str):
    """Contacts that change from step to step would rock it: a step of fall is nearly its thickness."""
    floor = Shape.box((4, 4, 1)) if ground_name == "box" else Shape.cylinder(2, 1)
    for tilt in (0.003, 0.05, 0.2):
        world = World(dt=0.016)
        world.add_geom(floor, None, (0, 0, -0.5))
        disc = Shape.cylinder(0.2, 0.02)
        body = world.add_body(disc.mass(1000).scaled_to(1), (0.1, 0.2, 0.06), turned(tilt, (0, 1, 0)))
        world.add_geom(disc, body)
        world.step(250)
        assert np.linalg.norm(body.angular_velocity) < 0.01
        assert body.position[2] == pytest.approx(0.01, abs=0.003)
