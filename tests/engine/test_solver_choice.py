"""The sparse solver beside the dense one, in worlds; tests/engine/solve compares single steps."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.engine_scenes import biped, bipeds, chains
from tests.engine.helpers import solid
from wbridge.wbcore.engine import HAS_OWN_ODE, Mass, PhysicsError, Shape, World

pytestmark = pytest.mark.skipif(not HAS_OWN_ODE, reason="the sparse solver needs ODE's own functions")


def falling_biped() -> World:
    """A biped that a ball knocks over."""
    world = biped()
    ball = solid(world, Shape.sphere(0.1), (0, 0, 1.2), density=8000)
    ball.linear_velocity = (0.5, 0.2, -2)
    return world


def test_both_solvers_make_the_same_motion():
    worlds = [falling_biped() for _ in range(2)]
    worlds[0].solver = "dense"
    for world in worlds:
        world.step(60)
    assert [world.solver for world in worlds] == ["dense", "sparse"]
    assert worlds[0].hash() != worlds[1].hash()  # two solvers, indeed
    assert worlds[1].positions[:21] == pytest.approx(worlds[0].positions[:21], abs=1e-7)
    assert worlds[1].fallbacks == 0


def test_a_restored_world_continues_with_the_same_bits():
    """The new world has no places of rows to begin with."""
    world, fresh = falling_biped(), falling_biped()
    world.step(80)
    fresh.restore(world.state())
    for each in (world, fresh):
        each.step(150)
    assert fresh.hash() == world.hash()


def test_two_bipeds_fallen_over_each_other_never_need_another_solver():
    world = bipeds(2)
    for slot in range(21):
        world.body(slot).linear_velocity = (1.0, 0.3, 0)
    world.step(400)
    assert world.fallbacks == 0
    assert np.isfinite(world.positions).all()


def test_a_long_chain_of_the_sparse_solver_is_that_of_the_dense_one():
    worlds = [chains(1, 40) for _ in range(2)]
    worlds[0].solver = "dense"
    for world in worlds:
        world.step(5)
    assert worlds[1].positions[:40] == pytest.approx(worlds[0].positions[:40], abs=1e-9)


def test_values_that_are_not_finite_name_the_body():
    world = biped()
    world.step(2)
    world.body(3).linear_velocity = (1e300, 0, 0)
    with pytest.raises(PhysicsError, match="body 3 is"):
        world.step()


def test_the_name_of_a_solver_is_checked():
    with pytest.raises(ValueError, match="solver must be 'sparse' or 'dense', not 'quick'"):
        World(solver="quick")
    world = World()
    with pytest.raises(ValueError, match="not ''"):
        world.solver = ""
    assert world.solver == "sparse"


def test_contradictory_loops_stay_finite():
    """A ring that cannot close: its joints pull against each other."""
    world = World(dt=0.1)
    links = [world.add_body(Mass.box(1, (0.5, 0.1, 0.1)), (0.5 * i, 0, 1)) for i in range(8)]
    for i, link in enumerate(links):
        world.add_hinge(link, links[i - 1], anchor=(0.25, 0, 0) if i else (5, 0, 0), axis=(0, 1, 0))
    world.step(50)
    assert np.isfinite(world.positions[:8]).all()
    assert world.fallbacks == 0
