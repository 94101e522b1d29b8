"""Small and thin bodies that fall fast stay on what they land on.

The judge is that solids do not pass through each other: the center of a body that comes from above never lies
below the surface. ODE, which looks at the ends of steps only, lets most of these bodies fall through.
"""

import pytest

from tests.engine.helpers import free_world, solid, turned
from tests.engine.resting import EDGE, GROUNDS, block, product, sheet
from wbridge.wbcore.engine import Shape, World

THIN = 0.02
SURFACES = {
    **{name: made for name, made in GROUNDS.items() if name != "plane"},
    "thin box": (lambda: Shape.box((EDGE, EDGE, THIN)), (0, 0, -THIN / 2)),
    "thin block": (lambda: block((EDGE, EDGE, THIN)), (0, 0, -THIN / 2)),
}
FALLING = {
    "disc": Shape.cylinder(0.01, 0.004),
    "coin": Shape.cylinder(0.01, 0.001),
    "box": Shape.box((0.02, 0.02, 0.02)),
    "plate": Shape.box((0.02, 0.02, 0.002)),
    "capsule": Shape.capsule(0.005, 0.02),
    "sphere": Shape.sphere(0.01),
    "mesh": block((0.02, 0.02, 0.02)),
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", FALLING)
def test_what_falls_fast_stays_above_the_surface(surface: str, name: str):
    make, place = SURFACES[surface]
    shape = FALLING[name]
    for dt in (0.008, 0.016, 0.032):
        world = World(dt=dt)
        world.add_geom(make(), None, tuple(place))
        bodies = []
        for i, (speed, tilt) in enumerate((v, t) for v in (2, 5) for t in (0.0, 0.01, 0.3, 1.0)):
            at = ((i - 3.5) * 0.3 + 0.013, 0.17, 0.3 + 0.007 * i)
            turn = product(turned(0.3 + i), turned(tilt, (0, 1, 0)))
            bodies.append(world.add_body(shape.mass(1000), at, turn))
            world.add_geom(shape, bodies[-1])
            bodies[-1].linear_velocity = (0, 0, -speed)
        for _ in range(round(0.6 / dt)):
            world.step()
            assert min(body.position[2] for body in bodies) > -0.001


def test_a_fast_ball_bounces_off_a_thin_wall():
    # bounce 0.5 by default: it comes with 20 m/s, 200 mm in a step, and leaves with 10 m/s.
    world = free_world(dt=0.01)
    world.add_geom(Shape.box((0.01, 2, 2)))
    ball = solid(world, Shape.sphere(0.01), (-1.03, 0, 0))
    ball.linear_velocity = (20, 0, 0)
    world.step(10)
    assert ball.position[0] < -0.01
    assert ball.linear_velocity[0] == pytest.approx(-10, rel=0.01)


def test_a_fast_ball_rolls_on_and_passes_beside_a_wall():
    # Contacts along the way do not hold it up: the floor below it, and a wall that it only grazes.
    world = World(dt=0.016)
    world.add_geom(sheet(27))
    world.add_geom(Shape.box((EDGE, 1, 1)), None, (0, 0.511, 0.5))
    ball = solid(world, Shape.sphere(0.01), (-3.9, 0, 0.01))
    ball.linear_velocity = (3.5, 0.01, 0)
    ball.angular_velocity = (-1, 350, 0)
    world.step(125)
    assert ball.position[0] == pytest.approx(3.1, abs=0.05)


def test_the_last_place_is_taken_back_by_a_state():
    world = World(dt=0.016)
    world.add_geom(block((4, 4, 0.02)))
    disc = solid(world, Shape.cylinder(0.01, 0.001), (0.1, 0.2, 0.3))
    disc.linear_velocity = (0, 0, -5)
    world.step(3)
    state = world.state()
    world.step(60)
    first = world.hash()
    world.restore(state)
    world.step(60)
    assert world.hash() == first
    assert disc.position[2] > 0.01
