"""An e-puck with ground sensors: follow a black line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.seen import Seen
from wbridge.learning.terms import Reward, Truth, Vary
from wbridge.wbfleet.gym.episodes import Settings

FASTEST = 6.28
"""rad/s of a wheel."""
BLACK, WHITE = 320.0, 650.0
"""Readings of the middle sensor on the line and beside it."""


def along_the_line(seen: Seen) -> NDArray[np.float32]:
    """Return the mean speed of the wheels as a part of the fastest, times how black the ground is."""
    speeds = [seen.action(f"{side} wheel motor.velocity") / FASTEST for side in ("left", "right")]
    forward = np.clip(speeds, -1, 1).mean(axis=0)
    black: NDArray[np.float32] = np.clip((WHITE - seen["gs1"]) / (WHITE - BLACK), 0, 1) * forward
    return black


class LineFollowing(DeclaredTask):
    """Follow the line, as fast as possible."""

    world = "line_following"
    settings = Settings(step_ms=32, episode_s=15, actions={"* wheel motor": "velocity"}, observations=["gs*"])
    rewards = (Reward("along the line", 1.0, along_the_line),)
    varied = (
        Vary("E_PUCK.translation[1]", 0.435, 0.445),
        Vary("E_PUCK.rotation[3]", -0.3, 0.3),
    )
    truths = {"position": Truth("E_PUCK", "translation")}
