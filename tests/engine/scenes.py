"""Worlds with a bit of everything, for tests of determinism and state."""

from __future__ import annotations

import math

from tests.engine.helpers import ground, solid
from wbridge.wbcore.engine import ContactProperties, Mass, Shape, World


def _rover(world: World, x: float, robot: int) -> None:
    """A chassis with two wheels, a caster and rays."""
    chassis = world.add_body(Mass.box(1, (0.3, 0.2, 0.1)), (x, 0, 0.1))
    world.add_geom(Shape.box((0.3, 0.2, 0.05)), chassis, robot=robot)
    world.add_geom(Shape.sphere(0.03), chassis, (-0.12, 0, -0.07), robot=robot)
    for y in (-0.12, 0.12):
        wheel = world.add_body(Mass.cylinder(0.1, 0.1, 0.02, "y"), (x + 0.1, y, 0.1))
        world.add_geom(Shape.cylinder(0.1, 0.02, "y"), wheel, robot=robot)
        motor = world.add_hinge(wheel, chassis, anchor=(0.1, y, 0), axis=(0, 1, 0))[0].add_motor(20, 1)
        motor.set_position(math.inf)
        motor.set_velocity(3 + y * 10 + robot)
    rays = world.add_rays(
        [(0.15, 0, 0)] * 3, [(1, -1, 0), (1, 0, 0), (1, 1, 0)], [1.0] * 3, chassis, robot=robot
    )
    rays.schedule(2)


def _pendulum(world: World) -> None:
    """A chain with a spring, a suspension and a ball joint."""
    upper = solid(world, Shape.capsule(0.05, 0.3), (2, 2, 1.5))
    hinge = world.add_hinge(upper, anchor=(2, 2, 1.7), axis=(1, 0, 0.2))
    hinge[0].spring_constant, hinge[0].damping_constant = 3, 0.1
    hinge[0].add_motor(2, 5).set_position(0.7)
    lower = solid(world, Shape.box((0.1, 0.1, 0.3)), (2, 2, 1.1))
    world.add_ball(lower, upper, anchor=(0, 0, -0.2))[0].set_stops(-0.5, 0.5)
    last = solid(world, Shape.sphere(0.1), (2, 2.2, 0.9))
    world.add_hinge2(
        last,
        lower,
        anchor=(0, 0.2, -0.2),
        axis=(0, 0, 1),
        axis2=(1, 0, 0),
        suspension_spring=100,
        suspension_damping=1,
    )


def everything(seed: int = 1, boxes: int = 40) -> World:
    """Rovers, a chain of joints, and a heap of boxes that is solved iteratively once it is large."""
    world = World(dt=0.008, seed=seed, exact_rows=100, exact_heap_rows=40)
    world.set_contact_properties(0, 0, ContactProperties(coulomb_friction=[0.7], bounce=0.2))
    ground(world)
    for robot in range(3):
        _rover(world, robot * 1.0 - 1, robot)
    _pendulum(world)
    for i in range(boxes):
        solid(world, Shape.box((0.2, 0.15, 0.1)), (-3 + 0.11 * (i % 4), 0.1 * (i % 3), 0.2 + 0.12 * i))
    return world
