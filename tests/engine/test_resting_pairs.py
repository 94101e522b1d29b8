"""Discs on drums, thin plates and heaps of round bodies come to rest.

The judge is statics: the closed form of the height at rest, no speed and no creep at the end.
"""

import numpy as np
import pytest

from tests.engine.helpers import turned
from tests.engine.resting import GROUNDS, lowest, product
from wbridge.wbcore.engine import Body, Shape, World


def speed(body: Body) -> float:
    """The larger speed of the center and of a point 0.2 m away (m/s)."""
    return max(
        float(np.linalg.norm(body.linear_velocity)), 0.2 * float(np.linalg.norm(body.angular_velocity))
    )


def top_speed(world: World, body: Body, seconds: float) -> float:
    """The largest speed over the last half second (m/s)."""
    dt = world.dt
    world.step(round((seconds - 0.5) / dt))
    fastest = 0.0
    for _ in range(round(0.5 / dt)):
        world.step()
        fastest = max(fastest, speed(body))
    return fastest


@pytest.mark.parametrize("radius", [0.12, 0.2], ids=["narrower", "equal"])
@pytest.mark.parametrize("tilt", [0.0, 0.003, 0.1])
def test_a_disc_stands_on_a_drum(radius: float, tilt: float):
    world = World(dt=0.008)
    world.add_geom(Shape.cylinder(radius, 0.5), None, (0, 0, -0.25))
    disc = Shape.cylinder(0.2, 0.1)
    body = world.add_body(disc.mass(1000).scaled_to(1), (0, 0, 0.052 + 0.2 * tilt), turned(tilt, (0, 1, 0)))
    world.add_geom(disc, body)
    assert top_speed(world, body, 2) < 0.01
    assert body.position[2] == pytest.approx(0.05, abs=0.001)


@pytest.mark.parametrize("ground", ["plane", "box"])
@pytest.mark.parametrize("tilt", [0.0, 0.003, 0.05])
def test_a_plate_thinner_than_the_way_of_a_step_comes_to_rest(ground: str, tilt: float):
    # It falls by g dt^2 = 2.5 mm in the first step and is 1 mm thick.
    plate, world = Shape.box((0.4, 0.3, 0.001)), World(dt=0.016)
    make, place = GROUNDS[ground]
    world.add_geom(make(), None, tuple(place))
    turn = turned(tilt, (0, 1, 0))
    body = world.add_body(plate.mass(1000).scaled_to(1), (0, 0, 0), turn)
    world.add_geom(plate, body)
    body.set_pose((0, 0, 0.002 - lowest(plate, body)), turn)
    assert top_speed(world, body, 3) < 0.01
    assert body.position[2] == pytest.approx(0.0005, abs=0.002)


def test_a_heap_of_cylinders_and_capsules_gains_no_energy():
    # Contacts push out what overlaps: 1 % of the energy at the start is allowed for it.
    world = World(dt=0.004)
    world.add_geom(Shape.cylinder(4, 1), None, (0, 0, -0.5))
    bodies = []
    for i in range(8):
        shape = Shape.cylinder(0.1, 0.15 + 0.02 * i) if i % 2 else Shape.capsule(0.07, 0.3)
        pose = product(turned(0.4 * i), turned(0.9 * i, (0, 1, 0)))
        bodies.append(
            world.add_body(shape.mass(1000).scaled_to(1), (0.03 * (i % 3), 0, 0.3 + 0.35 * i), pose)
        )
        world.add_geom(shape, bodies[-1])

    def energy() -> float:
        return sum(9.81 * b.position[2] + sum(v * v for v in b.linear_velocity) / 2 for b in bodies)

    start = least = energy()
    for _ in range(750):
        world.step()
        assert energy() < least + 0.01 * start
        least = min(least, energy())
