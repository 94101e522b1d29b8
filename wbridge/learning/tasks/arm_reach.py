"""An arm with three joints: move the tip to any point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.seen import Seen
from wbridge.learning.terms import Goal, Reward, Truth
from wbridge.wbfleet.gym.episodes import Settings

NEAR = 0.02
"""m."""


def distance(seen: Seen) -> NDArray[np.float64]:
    """Return the distance of the tip from the goal (m)."""
    gaps = seen.truths["tip"] - seen.every("goal.?")
    lengths: NDArray[np.float64] = np.linalg.norm(gaps, axis=1)
    return lengths


def is_near(seen: Seen) -> NDArray[np.bool_]:
    """Return where the tip is at the goal."""
    near: NDArray[np.bool_] = distance(seen) < NEAR
    return near


class ArmReach(DeclaredTask):
    """Move the tip to a point that observations contain, and hold it there."""

    world = "arm"
    settings = Settings(step_ms=64, episode_s=4, observations=["*sensor"])
    rewards = (Reward("distance", -1.0, distance), Reward("near", 0.1, is_near))
    goals = (Goal("goal.x", 0.2, 0.4), Goal("goal.y", -0.2, 0.2), Goal("goal.z", 0.2, 0.4))
    truths = {"tip": Truth("arm.tip", "translation")}
