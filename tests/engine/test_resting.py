"""Nothing that is laid down sinks, rocks for ever or creeps: every shape on every ground, at several tilts.

The judge is statics. A body of 1 kg rests within `m g dt softCFM / softERP` of the ground (0.4 mm here, for
one contact); while it tips over it goes in by no more than its speed times one step.
"""

import math

import pytest

from tests.engine.helpers import ground
from tests.engine.resting import GROUNDS, SHAPES, settle
from wbridge.wbcore.engine import Shape, World

TILTS = (0.0, 1e-6, 0.01, 0.1)
MANY_TILTS = (0.0, 1e-9, 1e-6, 1e-4, 0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3)
RIM_SPEED = 1.6
"""Of the rim of a plate with a radius of 0.2 m that tips over from 0.3 rad, at most (m/s): energy."""


def check(ground_name: str, name: str, tilts: tuple[float, ...], dt: float, seconds: float) -> None:
    for tilt, rest in zip(tilts, settle(ground_name, name, tilts, dt, seconds), strict=True):
        where = f"{name} on {ground_name}, tilted by {tilt}: {rest}"
        assert rest.depth < max(0.02, RIM_SPEED * dt), where
        assert rest.speed < 0.01, where
        assert rest.creep < 0.005, where


@pytest.mark.parametrize("ground_name", GROUNDS)
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_laid_down_comes_to_rest(ground_name: str, name: str):
    check(ground_name, name, TILTS, 0.008, 2.5)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [0.002, 0.004, 0.008, 0.016])
@pytest.mark.parametrize("ground_name", GROUNDS)
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_laid_down_comes_to_rest_at_any_tilt(ground_name: str, name: str, dt: float):
    check(ground_name, name, MANY_TILTS, dt, 4)


@pytest.mark.parametrize("up", ["z", "y"])
def test_a_heavy_tilted_disc_stays_on_the_floor(up: str):
    # 20 kg on contacts that give way by m g dt softCFM / softERP: 15.7 mm on one, 3.9 mm on four at 16 ms.
    world = World(dt=0.016)
    ground(world)
    shape = Shape.cylinder(0.2, 0.1, up)
    half = (0.01 if up == "z" else math.pi / 2 + 0.01) / 2
    body = world.add_body(
        shape.mass(1000).scaled_to(20), (0, 0, 0.052), (math.cos(half), math.sin(half), 0, 0)
    )
    world.add_geom(shape, body)
    world.step(200)
    assert body.position[2] == pytest.approx(0.05 - 0.0039, abs=0.0005)
    assert max(map(abs, body.angular_velocity)) < 1e-3
