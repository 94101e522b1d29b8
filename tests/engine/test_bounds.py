"""The bounds of a geom contain its whole surface, however it is turned and shifted.

The judge is geometry: points of the surface, sampled in the shape's own frame and moved with its pose.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.engine.helpers import free_world, solid
from tests.engine.resting import BRICK, block, product
from wbridge.wbcore.engine import Shape, World

numbers = st.floats(-1, 1)
quaternions = st.tuples(numbers, numbers, numbers, numbers).filter(lambda q: sum(x * x for x in q) > 0.01)


def unit(q: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(np.array(q) / np.linalg.norm(q))


def moved(points: np.ndarray, q: tuple[float, ...], position: tuple[float, ...]) -> np.ndarray:
    back = (q[0], *(-x for x in q[1:]))
    return np.array([product(product(q, (0.0, *p)), back)[1:] for p in points]) + position


def box(size: tuple[float, ...]) -> np.ndarray:
    return np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size


def ring(radius: float, z: float) -> np.ndarray:
    angles = np.linspace(0, 2 * math.pi, 24)
    return np.column_stack((radius * np.cos(angles), radius * np.sin(angles), np.full(24, z)))


def ball(radius: float, z: float = 0) -> np.ndarray:
    tilts = np.linspace(-math.pi / 2, math.pi / 2, 9)
    return np.vstack([ring(radius * math.cos(a), z + radius * math.sin(a)) for a in tilts])


HEIGHTS = np.array([[0, 0.5, -0.2], [0.3, 1.0, 0.1], [-0.4, 0.2, 0.6], [0.1, 0.0, 0.9]])
GRID = np.array([(i * 0.5, j * 0.4, HEIGHTS[j, i]) for j in range(4) for i in range(3)])

SURFACES: dict[str, tuple[Callable[[], Shape], np.ndarray]] = {
    "box": (lambda: Shape.box(BRICK), box(BRICK)),
    "mesh": (lambda: block(BRICK), box(BRICK)),
    "sphere": (lambda: Shape.sphere(0.3), ball(0.3)),
    "cylinder": (lambda: Shape.cylinder(0.3, 0.8), np.vstack((ring(0.3, 0.4), ring(0.3, -0.4)))),
    "capsule": (lambda: Shape.capsule(0.3, 0.8), np.vstack((ball(0.3, 0.4), ball(0.3, -0.4)))),
    "heights": (lambda: Shape.heightfield(HEIGHTS, 0.5, 0.4), GRID),
    "thick heights": (
        lambda: Shape.heightfield(HEIGHTS, 0.5, 0.4, 0.3),
        np.vstack((GRID, np.column_stack((GRID[:, :2], np.full(12, -0.7))))),
    ),
}


@pytest.mark.parametrize("name", SURFACES)
@settings(max_examples=25, deadline=None)
@given(q=quaternions, offset_q=quaternions, place=st.tuples(numbers, numbers, numbers), on_body=st.booleans())
@example(q=(0.0, 0.0, 0.5, 1e-9), offset_q=(1.0, 0.0, 0.0, 0.0), place=(0.0, 0.0, 0.0), on_body=False)
def test_bounds_contain_the_surface(name: str, q, offset_q, place, on_body: bool):
    make, points = SURFACES[name]
    q, offset_q = unit(q), unit(offset_q)
    world = free_world()
    if on_body:
        body = world.add_body(Shape.sphere(1).mass(1), place, q)
        geom = world.add_geom(make(), body, (0.3, -0.2, 0.1), offset_q)
        points = moved(moved(points, offset_q, (0.3, -0.2, 0.1)), q, place)
    else:
        geom = world.add_geom(make(), None, place, q)
        points = moved(points, q, place)
    low, high = (np.array(one) for one in geom.bounds)
    assert (points >= low - 1e-9).all()
    assert (points <= high + 1e-9).all()


@pytest.mark.parametrize("yaw", [0.0, 0.4, math.pi / 4, 2.0])
def test_a_turned_height_field_carries_at_its_corners(yaw: float):
    q = (math.cos(yaw / 2), 0, 0, math.sin(yaw / 2))
    world = World(dt=0.004)
    world.add_geom(Shape.heightfield(np.zeros((5, 5)), 1, 1, 0.5), None, (0, 0, 0), q)
    corners = moved(np.array([(x, y, 0.11) for x in (0.2, 3.8) for y in (0.2, 3.8)]), q, (0, 0, 0))
    balls = [solid(world, Shape.sphere(0.1), tuple(c)) for c in corners]
    world.step(300)
    for one in balls:
        assert one.position[2] == pytest.approx(0.1, abs=0.01)
