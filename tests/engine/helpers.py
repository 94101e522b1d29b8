"""Small worlds for the tests of the engine."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wbridge.wbcore.engine import Body, Geom, Mass, Shape, World

G = 9.81
Vector = Sequence[float]


def free_world(dt: float = 0.001, **settings: object) -> World:
    """A world without gravity."""
    return World(dt=dt, gravity=(0, 0, 0), **settings)  # type: ignore[arg-type]


def unit_mass() -> Mass:
    """1 kg with an inertia of 1 kg m^2 about every axis."""
    return Mass.of(1, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))


def ground(world: World, tilt: float = 0.0) -> Geom:
    """The ground plane, tilted about y by `tilt` rad."""
    return world.add_geom(Shape.plane(), orientation=(math.cos(tilt / 2), 0, math.sin(tilt / 2), 0))


def solid(world: World, shape: Shape, position: Vector, density: float = 1000, **geom: object) -> Body:
    """A body with one geom and the geom's mass."""
    body = world.add_body(shape.mass(density), tuple(position))
    world.add_geom(shape, body, **geom)  # type: ignore[arg-type]
    return body


def run(world: World, seconds: float) -> None:
    """Step for a time."""
    world.step(round(seconds / world.dt))


def turned(angle: float, axis: Vector = (0, 0, 1)) -> tuple[float, ...]:
    """Quaternion of a rotation about a unit axis."""
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), *(s * a for a in axis))
