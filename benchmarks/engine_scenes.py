"""Scenes for engine benchmarks; benchmarks/native/scenes.cpp has the same scenes in plain ODE."""

from __future__ import annotations

import math
from collections.abc import Callable

from wbridge.wbcore.engine import Body, Mass, Shape, World

Vector = tuple[float, float, float]
Y: Vector = (0, 1, 0)


def _body(world: World, mass: float, position: Vector, radius: float) -> Body:
    return world.add_body(Mass.sphere(mass, radius), position)


def _motor(
    world: World,
    child: Body,
    parent: Body | None,
    anchor: Vector,
    axis: Vector,
    target: float,
    velocity: float,
    torque: float,
) -> None:
    if parent is not None:
        anchor = tuple(a - p for a, p in zip(anchor, parent.position, strict=True))  # type: ignore[assignment]
    motor = world.add_hinge(child, parent, anchor=anchor, axis=axis)[0].add_motor(velocity, torque)
    motor.set_position(target)


def arm(_: int = 0) -> World:
    """Seven links on hinges of alternating axes."""
    world = World(dt=0.008)
    parent = None
    for i in range(7):
        link = _body(world, 1, (0, 0, 0.1 + 0.2 * i), 0.05)
        world.add_geom(Shape.box((0.05, 0.05, 0.15)), link, robot=0)
        _motor(world, link, parent, (0, 0, 0.2 * i), Y if i % 2 else (0, 0, 1), 0.3, 2, 50)
        parent = link
    return world


def _epuck(world: World, x: float, y: float, robot: int, speed: float) -> None:
    """A two-wheeled robot with a caster and eight rays."""
    chassis = _body(world, 0.15, (x, y, 0.021), 0.03)
    world.add_geom(Shape.box((0.06, 0.04, 0.02)), chassis, robot=robot)
    world.add_geom(Shape.sphere(0.005), chassis, (0.03, 0, -0.016), robot=robot)
    world.add_geom(Shape.sphere(0.005), chassis, (-0.03, 0, -0.016), robot=robot)
    for side in (-1, 1):
        place = (x, y + 0.026 * side, 0.0205)
        wheel = _body(world, 0.01, place, 0.02)
        world.add_geom(Shape.cylinder(0.0205, 0.004, "y"), wheel, robot=robot)
        _motor(world, wheel, chassis, place, Y, math.inf, speed * (1 if side < 0 else 0.8), 0.1)
    angles = [2 * math.pi * i / 8 for i in range(8)]
    directions = [(math.cos(a), math.sin(a), 0.0) for a in angles]
    origins = [(0.03 * x, 0.03 * y, 0.0) for x, y, _ in directions]
    world.add_rays(origins, directions, [0.1] * 8, chassis, robot=robot).schedule(1)


def epucks(count: int) -> World:
    """Robots on a grid, all turning."""
    world = World(dt=0.008)
    world.add_geom(Shape.plane())
    side = math.ceil(math.sqrt(count))
    for i in range(count):
        _epuck(world, 0.3 * (i % side), 0.3 * (i // side), i, 3)
    return world


def idle(_: int = 0) -> World:
    """One robot that does not move."""
    world = World(dt=0.008)
    world.add_geom(Shape.plane())
    _epuck(world, 0, 0, 0, 0)
    return world


def biped(_: int = 0) -> World:
    """Two legs, two arms and a head on a trunk: twenty hinges that hold their positions."""
    return bipeds(1)


def bipeds(count: int) -> World:
    """Bipeds in a row, 2 m apart, each an island of its own."""
    world = World(dt=0.008)
    world.add_geom(Shape.plane())
    for robot in range(count):
        _biped(world, 2.0 * robot, robot)
    return world


def _biped(world: World, east: float, robot: int) -> None:
    trunk = _body(world, 5, (east, 0, 1), 0.2)
    world.add_geom(Shape.box((0.15, 0.3, 0.4)), trunk, robot=robot)

    def limb(y: float, z: float, joints: int, length: float, way: int, foot: bool = False) -> None:
        parent = trunk
        for i in range(joints):
            at = z + way * length * i
            link = _body(world, 0.5, (east, y, at + way * length / 2), 0.05)
            size = (0.25, 0.15, 0.02) if foot and i == joints - 1 else (0.06, 0.06, length * 0.7)
            world.add_geom(Shape.box(size), link, robot=robot)
            _motor(world, link, parent, (east, y, at), (1, 0, 0) if i % 2 else Y, 0, 5, 200)
            parent = link

    for side in (-1, 1):
        limb(0.1 * side, 0.8, 6, 0.14, -1, foot=True)
        limb(0.22 * side, 1.15, 3, 0.15, -1)
    limb(0, 1.2, 2, 0.1, 1)


def chains(count: int, links: int = 20) -> World:
    """Chains of links with a motor at each hinge, each an island of its own."""
    world = World(dt=0.008)
    for i in range(count):
        parent = None
        for k in range(links):
            link = _body(world, 1, (i, 0, 0.2 * k), 0.05)
            _motor(world, link, parent, (i, 0, 0.2 * k - 0.1), (k % 2, 1, 0), 0.3 + 0.01 * i, 2, 50)
            parent = link
    return world


def resting(count: int) -> World:
    """A biped, and boxes on the ground that fall asleep."""
    world = bipeds(1)
    side = math.ceil(math.sqrt(count))
    for i in range(count):
        box = _body(world, 1, (3 + 0.3 * (i % side), 0.3 * (i // side), 0.05), 0.05)
        world.add_geom(Shape.box((0.1, 0.1, 0.1)), box)
        box.set_auto_disable(0.5, 0.01, 0.01)
    return world


def boxes(count: int) -> World:
    """Boxes that fall and make a pile."""
    world = World(dt=0.008)
    world.add_geom(Shape.plane())
    for i in range(count):
        place = (
            0.25 * (i % 5) + 0.01 * (i % 7),
            0.25 * (i // 5 % 5) + 0.01 * (i % 3),
            0.2 + 0.25 * (i // 25),
        )
        world.add_geom(Shape.box((0.2, 0.2, 0.2)), _body(world, 1, place, 0.1))
    return world


SCENES: dict[str, Callable[[int], World]] = {
    "arm": arm,
    "epucks": epucks,
    "biped": biped,
    "idle": idle,
    "boxes": boxes,
}
