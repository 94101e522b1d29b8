"""An e-puck between boxes: drive fast and straight, and keep away from everything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.seen import Seen
from wbridge.learning.terms import Reward, Truth, Vary
from wbridge.wbfleet.gym.episodes import Settings

FASTEST = 6.28
"""rad/s of a wheel."""
TOUCHING = 1000.0
"""Reading of a proximity sensor about 2 cm from a box."""


def _wheels(seen: Seen) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the speeds of both wheels, as parts of the fastest."""
    left, right = (seen.action(f"{side} wheel motor.velocity") / FASTEST for side in ("left", "right"))
    return np.clip(left, -1, 1), np.clip(right, -1, 1)


def fast_straight_and_free(seen: Seen) -> NDArray[np.float32]:
    """Return the fitness of Floreano and Mondada (1994), with backward driving negative: 0 to 1 forward."""
    left, right = _wheels(seen)
    near = np.clip(seen.every("ps*").max(axis=1) / TOUCHING, 0, 1)
    value: NDArray[np.float32] = (left + right) / 2 * (1 - np.sqrt(np.abs(left - right) / 2)) * (1 - near)
    return value


class EpuckArena(DeclaredTask):
    """Drive fast and straight between boxes, and keep away from them and the walls."""

    world = "epuck_arena"
    settings = Settings(step_ms=64, episode_s=20, actions={"* wheel motor": "velocity"}, observations=["ps*"])
    rewards = (Reward("fast, straight and free", 1.0, fast_straight_and_free),)
    varied = (
        Vary("E_PUCK.translation[0]", -0.12, 0.0),
        Vary("E_PUCK.translation[1]", -0.05, 0.05),
        Vary("E_PUCK.rotation[3]", -np.pi, np.pi),
    )
    truths = {
        "position": Truth("E_PUCK", "translation"),
        "velocity": Truth("E_PUCK", "linear_velocity"),
    }
