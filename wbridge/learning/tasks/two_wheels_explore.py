"""The robot of the tutorials, with a distance sensor: keep driving. The policy fits on a small board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.seen import Seen
from wbridge.learning.terms import Reward, Truth, Vary
from wbridge.wbfleet.gym.episodes import Settings

FASTEST = 0.48
"""m/s: 12 rad/s of wheels with a radius of 4 cm."""
NEAREST = 1000.0
"""Reading of the sensor at an obstacle."""


def speed(seen: Seen) -> NDArray[np.float64]:
    """Return the speed of the robot as a part of the fastest, with driving backward as 0."""
    wheels = [seen.action(f"{side} wheel motor.velocity") for side in ("left", "right")]
    travelled = np.linalg.norm(seen.truths["velocity"][:, :2], axis=1) / FASTEST
    return np.where(np.sum(wheels, axis=0) > 0, np.clip(travelled, 0, 1), 0.0)


def nearness(seen: Seen) -> NDArray[np.float32]:
    """Return how near the next obstacle ahead is, 0 to 1."""
    near: NDArray[np.float32] = seen["front"] / NEAREST
    return near


class TwoWheelsExplore(DeclaredTask):
    """Keep driving, and turn before obstacles."""

    world = "two_wheels"
    settings = Settings(
        step_ms=64, episode_s=15, actions={"* wheel motor": "velocity"}, observations=["front"]
    )
    rewards = (Reward("speed", 1.0, speed), Reward("near", -0.5, nearness))
    varied = (
        Vary("TWO_WHEELS.rotation[3]", -np.pi, np.pi),
        Vary("TWO_WHEELS.translation[0]", -0.2, 0.2),
        Vary("TWO_WHEELS.physics.mass", 0.5, 0.7),
    )
    truths = {
        "position": Truth("TWO_WHEELS", "translation"),
        "velocity": Truth("TWO_WHEELS", "linear_velocity"),
    }
