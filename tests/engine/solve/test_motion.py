"""Bodies of a mechanism move by the velocities that the sparse solver found.

Judge: ODE's manual, chapter "Rigid bodies": positions by the velocity at the end of the step, orientations by
an infinitesimal rotation of the quaternion, whose norm is 1 again; damping acts after the motion.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from wbridge.wbcore.engine import HAS_OWN_ODE, Mass, World

pytestmark = pytest.mark.skipif(not HAS_OWN_ODE, reason="the sparse solver needs ODE's own functions")

STEP_S = 0.008


def swinging_chain(links: int, damped: int | None = None) -> World:
    """Uneven boxes in a row without contacts, on balls: the engine turns those on hinges by finite angles.

    The body `damped` is damped.
    """
    world = World(dt=STEP_S, gravity=(0.3, -0.7, -9.81))
    bodies = [world.add_body(Mass.box(0.2 + 0.1 * i, (0.4, 0.1, 0.2)), (0.5 * i, 0, 1)) for i in range(links)]
    for i, (parent, child) in enumerate(zip([None, *bodies], bodies, strict=False)):
        world.add_ball(child, parent, anchor=(0.25, 0.1 * (i % 2), 0) if parent else (-0.25, 0, 1))
    if damped is not None:
        bodies[damped].set_damping(0.1, 0.2)
    return world


def moved(position: np.ndarray, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position (m) and quaternion (w x y z) one step after those of `position`."""
    (w, x, y, z), (a, b, c) = map(float, position[3:]), map(float, velocity[3:])
    gains = (
        0.5 * (-a * x - b * y - c * z),
        0.5 * (a * w + b * z - c * y),
        0.5 * (-a * z + b * w + c * x),
        0.5 * (a * y - b * x + c * w),
    )
    turned = [q + STEP_S * gain for q, gain in zip((w, x, y, z), gains, strict=True)]
    scale = 1 / math.sqrt(sum(q * q for q in turned))
    return position[:3] + STEP_S * velocity[:3], np.array([q * scale for q in turned])


@pytest.mark.parametrize("links", [7, 8, 9, 10])
def test_bodies_move_by_their_velocities(links: int):
    world = swinging_chain(links)
    world.step(50)
    before = np.hstack([world.positions, world.quaternions])
    world.step()
    velocities = np.hstack([world.linear_velocities, world.angular_velocities])
    for i in range(links):
        position, quaternion = moved(before[i], velocities[i])
        assert world.positions[i].tolist() == position.tolist()
        assert world.quaternions[i].tolist() == quaternion.tolist()


@pytest.mark.parametrize("damped", [0, 3, 6])
def test_a_damped_body_moves_before_it_slows_down(damped: int):
    world, other = swinging_chain(7), swinging_chain(7, damped)
    world.step(50)
    other.restore(world.state())
    world.step()
    other.step()
    assert other.positions.tolist() == world.positions.tolist()
    assert other.quaternions.tolist() == world.quaternions.tolist()
    slower = np.linalg.norm(other.linear_velocities, axis=1) < np.linalg.norm(world.linear_velocities, axis=1)
    assert np.flatnonzero(slower).tolist() == [damped]
