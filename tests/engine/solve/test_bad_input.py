"""Mechanisms that no solver can solve well: a step stays finite, or names the bodies that do not.

Judge: the promise of docs/engine.md, "Errors".
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from wbridge.wbcore.engine import HAS_OWN_ODE, Mass, PhysicsError, Shape, World

pytestmark = pytest.mark.skipif(not HAS_OWN_ODE, reason="the sparse solver needs ODE's own functions")

SIZE = (0.4, 0.1, 0.1)
EIGHT = (1.0,) * 8
UNEVEN = (1.0, 1e6) * 4


def chain(masses: tuple[float, ...], dt: float = 0.008, anchor: float | None = None) -> World:
    """Boxes in a row above the ground with motors between them.

    `anchor` (m): where the last box has a hinge to the first, far from it.
    """
    world = World(dt=dt)
    world.add_geom(Shape.plane())
    links = [world.add_body(Mass.box(mass, SIZE), (0.5 * i, 0, 1)) for i, mass in enumerate(masses)]
    for link in links:
        world.add_geom(Shape.box(SIZE), link, robot=1)
    for i, (parent, child) in enumerate(zip(links, links[1:], strict=False)):
        joint = world.add_hinge(child, parent, anchor=(0.25, 0, 0), axis=(0, 1, 0))
        joint[0].add_motor(5, 10).set_position(0.5 * (-1) ** i)
    if anchor is not None:
        world.add_hinge(links[0], links[-1], anchor=(anchor, 0, 0), axis=(0, 1, 0))
    return world


@pytest.mark.parametrize(
    ("masses", "dt", "anchor"),
    [
        (EIGHT, 0.1, None),
        (EIGHT, 1.0, None),
        (EIGHT, 0.1, 5.0),
        (UNEVEN, 0.008, None),
        (UNEVEN, 0.1, None),
        (UNEVEN, 0.1, 5.0),
        ((1.0,) * 4 + (1e30,) + (1.0,) * 4, 0.008, None),
        ((1.0,) * 4 + (1e-12,) + (1.0,) * 4, 0.008, None),
    ],
    ids=str,
)
def test_uneven_masses_long_steps_and_loops_that_cannot_close_stay_finite(
    masses: tuple[float, ...], dt: float, anchor: float | None
):
    world = chain(masses, dt, anchor)
    world.step(60)
    assert np.isfinite(world.positions[: len(masses)]).all()
    assert world.fallbacks == 0


@pytest.mark.parametrize("mass", [1e200, 1e300])
def test_a_mass_beyond_all_numbers_names_its_body(mass: float):
    world = chain((1.0,) * 4 + (mass,) + (1.0,) * 4)
    with pytest.raises(PhysicsError, match="body 4 is not finite"):
        world.step(60)
    assert np.isfinite(world.positions[:9]).all()


@pytest.mark.parametrize("mass", [0.0, -1.0, math.inf, math.nan])
def test_a_mass_that_is_none_is_refused(mass: float):
    with pytest.raises(ValueError, match="mass must be positive and finite"):
        chain((1.0, mass))


@pytest.mark.parametrize(
    "inertia",
    [
        (0.0,) * 9,
        (1.0, 0, 0, 0, 1.0, 0, 0, 0, 0),
        (1.0, 0, 0, 0, 1.0, 0, 0, 0, -1.0),
        (1.0, 2.0, 0, 2.0, 1.0, 0, 0, 0, 1.0),
    ],
    ids=str,
)
def test_inertia_that_cannot_be_inverted_is_refused(inertia: tuple[float, ...]):
    with pytest.raises(ValueError, match="positive definite"):
        Mass.of(1, (0, 0, 0), inertia)
