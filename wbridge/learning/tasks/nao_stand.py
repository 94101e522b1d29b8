"""A humanoid that was pushed: keep standing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.seen import Seen
from wbridge.learning.terms import End, Push, Reward, Truth
from wbridge.wbfleet.gym.episodes import Settings

STANDING, FALLEN = 0.334, 0.25
"""Height of the torso (m)."""


def height(seen: Seen) -> NDArray[np.float64]:
    """Return the height of the torso as a part of that of a standing robot."""
    whole: NDArray[np.float64] = np.clip(seen.truths["position"][:, 2] / STANDING, 0, 1)
    return whole


def has_fallen(seen: Seen) -> NDArray[np.bool_]:
    """Return where the robot lies."""
    low: NDArray[np.bool_] = seen.truths["position"][:, 2] < FALLEN
    return low


def effort(seen: Seen) -> NDArray[np.float32]:
    """Return the mean square of the targets of the joints (rad²)."""
    squares: NDArray[np.float32] = np.square(seen.actions).mean(axis=1)
    return squares


class NaoStand(DeclaredTask):
    """Keep standing after a push, by the joints of both legs."""

    world = "nao"
    settings = Settings(
        step_ms=40,
        episode_s=4,
        actions={f"?{joint}": "position" for joint in ("HipPitch", "KneePitch", "AnklePitch", "AnkleRoll")},
        observations=["accelerometer", "gyro", "inertial unit", "?HipPitchS", "?KneePitchS", "?Ankle*S"],
    )
    rewards = (Reward("height", 1.0, height), Reward("effort", -0.1, effort))
    ends = (End("fallen", has_fallen),)
    varied = (Push("NAO", 0.4),)
    truths = {"position": Truth("NAO", "translation"), "velocity": Truth("NAO", "linear_velocity")}
