"""Shapes laid or tilted on grounds of every kind, and how still they stand at the end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tests.engine.helpers import Vector, turned
from wbridge.wbcore.engine import Body, Mesh, Shape, World

EDGE = 8.0
"""Edge of the grounds (m)."""


def sheet(cells: int) -> Shape:
    """A level square of 2 * cells * cells triangles, its middle at the origin."""
    ticks = np.linspace(-EDGE / 2, EDGE / 2, cells + 1)
    vertices = np.array([(x, y, 0.0) for y in ticks for x in ticks])
    row = cells + 1
    corners = [j * row + i for j in range(cells) for i in range(cells)]
    triangles = [t for a in corners for t in ((a, a + 1, a + row + 1), (a, a + row + 1, a + row))]
    return Shape.mesh(Mesh.of(vertices, np.array(triangles, dtype=np.uint32)))


def block(size: Vector) -> Shape:
    """A box as a mesh of twelve triangles."""
    signs = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return Shape.mesh(Mesh.of(np.array(signs) * size, np.array(triangles, dtype=np.uint32)))


def heights() -> Shape:
    """A level height field as large as the grounds, its corner at the origin."""
    return Shape.heightfield(np.zeros((28, 28)), EDGE / 27, EDGE / 27, 0.5)


GROUNDS: dict[str, tuple[Callable[[], Shape], Vector]] = {
    "plane": (Shape.plane, (0, 0, 0)),
    "box": (lambda: Shape.box((EDGE, EDGE, 1)), (0, 0, -0.5)),
    "sheet": (lambda: sheet(1), (0, 0, 0)),
    "fine sheet": (lambda: sheet(27), (0, 0, 0)),
    "block": (lambda: block((EDGE, EDGE, 1)), (0, 0, -0.5)),
    "heights": (heights, (-EDGE / 2, -EDGE / 2, 0)),
    "drum": (lambda: Shape.cylinder(EDGE / 2, 1), (0, 0, -0.5)),
}

LYING = turned(math.pi / 2, (1, 0, 0))
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
BRICK = (0.4, 0.3, 0.2)

SHAPES: dict[str, tuple[Callable[[], Shape], Vector]] = {
    "sphere": (lambda: Shape.sphere(0.2), UPRIGHT),
    "box": (lambda: Shape.box(BRICK), UPRIGHT),
    "disc": (lambda: Shape.cylinder(0.2, 0.16), UPRIGHT),
    "plate": (lambda: Shape.cylinder(0.2, 0.04), UPRIGHT),
    "can": (lambda: Shape.cylinder(0.1, 0.3), UPRIGHT),
    "lying can": (lambda: Shape.cylinder(0.1, 0.3), LYING),
    "lying capsule": (lambda: Shape.capsule(0.1, 0.3), LYING),
    "mesh": (lambda: block(BRICK), UPRIGHT),
}


def product(a: Vector, b: Vector) -> tuple[float, ...]:
    """Product of two quaternions (w, x, y, z)."""
    v, w = np.array(a[1:]), np.array(b[1:])
    return (a[0] * b[0] - float(v @ w), *(a[0] * w + b[0] * v + np.cross(v, w)))


def down(body: Body) -> np.ndarray:
    """The world's z axis in the body's frame."""
    w, x, y, z = body.orientation
    return np.array((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def lowest(shape: Shape, body: Body) -> float:
    """Height of the lowest point (m), from the support function of the shape."""
    d, s = down(body), shape.size
    if shape.kind == "sphere":
        reach = s[0]
    elif shape.kind == "capsule":
        reach = abs(d[2]) * s[1] / 2 + s[0]
    elif shape.kind == "cylinder":
        reach = abs(d[2]) * s[1] / 2 + s[0] * math.hypot(d[0], d[1])
    else:
        reach = float(np.abs(d) @ (s if shape.kind == "box" else BRICK)) / 2
    return body.position[2] - reach


@dataclass
class Rest:
    """What happened to one body: how deep it ever was (m), and its last second."""

    depth: float
    speed: float  # fastest of the center, and of a point 0.2 m away, in the last half second (m/s)
    creep: float  # way of the center in the last second (m)


def settle(
    ground: str, name: str, tilts: Sequence[float], dt: float = 0.008, seconds: float = 3.0
) -> list[Rest]:
    """Let go one body of 1 kg for each tilt (rad), 2 mm above the ground, all turned differently."""
    make_ground, place = GROUNDS[ground]
    make, pose = SHAPES[name]
    shape, world = make(), World(dt=dt)
    world.add_geom(make_ground(), None, tuple(place))
    mass = shape.mass(1000).scaled_to(1)
    bodies = []
    for i, tilt in enumerate(tilts):
        turn = product(turned(0.3 + 0.7 * i), product(turned(tilt, (0, 1, 0)), pose))
        at = ((i % 4 - 1.5) * 1.5 + 0.013, (i // 4 - 1) * 1.5 + 0.017)
        body = world.add_body(mass, (*at, 0), turn)
        world.add_geom(shape, body)
        body.set_pose((*at, 0.002 - lowest(shape, body)), turn)
        bodies.append(body)
    found = [Rest(0, 0, 0) for _ in bodies]
    steps = round(seconds / dt)
    before = [body.position for body in bodies]
    for step in range(steps):
        world.step()
        for body, rest in zip(bodies, found, strict=True):
            rest.depth = max(rest.depth, -lowest(shape, body))
            if step >= steps - 0.5 / dt:
                spin = 0.2 * float(np.linalg.norm(body.angular_velocity))
                rest.speed = max(rest.speed, float(np.linalg.norm(body.linear_velocity)), spin)
        if step == steps - round(1 / dt):
            before = [body.position for body in bodies]
    for body, rest, start in zip(bodies, found, before, strict=True):
        rest.creep = math.dist(body.position, start)
    return found
