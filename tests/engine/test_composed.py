"""Bodies of several shapes come to rest on every ground, as their single shapes do.

The judge is statics: what stands firmly does not move; it is as still before the end as at the end.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.engine.helpers import Vector, turned
from tests.engine.resting import GROUNDS, product
from wbridge.wbcore.engine import Body, Shape, World

Part = tuple[Shape, Vector, Vector]
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ALONG_Y, ALONG_X = turned(math.pi / 2, (1, 0, 0)), turned(math.pi / 2, (0, 1, 0))


def around(radius: float, height: float, shape: Shape) -> list[Part]:
    """Three upright shapes on a circle."""
    angles = [2 * math.pi * k / 3 for k in range(3)]
    return [(shape, (radius * math.cos(a), radius * math.sin(a), height), UPRIGHT) for a in angles]


def at_corners(x: float, y: float, z: float, shape: Shape, turn: Vector) -> list[Part]:
    """Four shapes at the corners of a rectangle."""
    return [(shape, (a * x, b * y, z), turn) for a in (-1, 1) for b in (-1, 1)]


COMPOSED: dict[str, list[Part]] = {
    "table": [
        (Shape.box((0.6, 0.4, 0.03)), (0, 0, 0.35), UPRIGHT),
        *at_corners(0.25, 0.15, 0.165, Shape.cylinder(0.02, 0.35), UPRIGHT),
    ],
    "car": [
        (Shape.box((0.4, 0.2, 0.08)), (0, 0, 0.08), UPRIGHT),
        *at_corners(0.15, 0.12, 0.06, Shape.cylinder(0.06, 0.03), ALONG_Y),
    ],
    "dumbbell": [
        (Shape.capsule(0.02, 0.3), (0, 0, 0.08), ALONG_X),
        (Shape.sphere(0.08), (-0.15, 0, 0.08), UPRIGHT),
        (Shape.sphere(0.08), (0.15, 0, 0.08), UPRIGHT),
    ],
    "mug": [
        (Shape.cylinder(0.05, 0.1), (0, 0, 0.05), UPRIGHT),
        (Shape.box((0.05, 0.01, 0.06)), (0.07, 0, 0.05), UPRIGHT),
    ],
    "wheel set": [
        (Shape.cylinder(0.1, 0.02), (0, -0.2, 0.1), ALONG_Y),
        (Shape.cylinder(0.1, 0.02), (0, 0.2, 0.1), ALONG_Y),
        (Shape.cylinder(0.02, 0.4), (0, 0, 0.1), ALONG_Y),
    ],
    "stool": [
        (Shape.cylinder(0.1, 0.02), (0, 0, 0.3), UPRIGHT),
        *around(0.08, 0.155, Shape.capsule(0.015, 0.28)),
    ],
}


def laid_down(parts: list[Part], ground: str, tilt: float, dt: float) -> tuple[World, Body]:
    """A body of 1 kg just above a ground."""
    make, place = GROUNDS[ground]
    world = World(dt=dt)
    world.add_geom(make(), None, tuple(place))
    first, *rest = [shape.mass(500).transformed(tuple(at), tuple(turn)) for shape, at, turn in parts]
    mass = sum(rest, first).scaled_to(1)
    body = world.add_body(
        mass, (0.013, 0.017, 0.002 + 0.35 * math.sin(tilt)), product(turned(0.4), turned(tilt, (0, 1, 0)))
    )
    for shape, at, turn in parts:
        world.add_geom(shape, body, tuple(at), tuple(turn))
    return world, body


def check(name: str, ground: str, tilt: float, dt: float) -> None:
    world, body = laid_down(COMPOSED[name], ground, tilt, dt)
    world.step(round(3.5 / dt))
    before = body.position
    for _ in range(round(0.5 / dt)):
        world.step()
        assert np.linalg.norm(body.linear_velocity) < 0.01
        assert np.linalg.norm(body.angular_velocity) < 0.05
    assert math.dist(before, body.position) < 0.005
    assert body.position[2] > -0.02


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", COMPOSED)
def test_composed_shapes_come_to_rest(name: str, ground: str):
    check(name, ground, 0.05, 0.016)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [0.004, 0.008, 0.016])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", COMPOSED)
def test_composed_shapes_come_to_rest_at_any_tilt(name: str, ground: str, dt: float):
    for tilt in (0, 1e-6, 0.003, 0.05, 0.2):
        check(name, ground, tilt, dt)
