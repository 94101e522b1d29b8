"""Privileged observations: what no sensor of the robot measures, for critics and teachers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from wbridge.wbfleet.gym.env import AnyEnv, AnyWrapper
from wbridge.wbfleet.gym.picture_env import SENSORS
from wbridge.wbfleet.gym.task import Info

TRUTH = "truth"
"""The key of the privileged numbers: those of the task's `truths`, in the order of their names."""
Observed: TypeAlias = dict[str, NDArray[np.generic]]


class TruthEnv(AnyWrapper):
    """Observations are dicts: "sensors" is what the robot measures, "truth" what it cannot know. Pictures of
    cameras keep their names."""

    def __init__(self, env: AnyEnv) -> None:
        """
        Args:
            env: of a `DeclaredTask` with `truths`.

        Raises:
            ValueError: the task has none.
        """
        super().__init__(env)
        _, info = env.reset(seed=0)
        if not info.get(TRUTH):
            raise ValueError("privileged: the task declares no truths")
        count = len(_numbers(info[TRUTH]))
        inner = env.observation_space
        parts = dict(inner.spaces) if isinstance(inner, Dict) else {SENSORS: inner}
        self.observation_space = Dict({**parts, TRUTH: Box(-np.inf, np.inf, (count,), np.float32)})

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observed, Info]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return _whole(observation, info), info

    def step(self, action: object) -> tuple[Observed, float, bool, bool, Info]:
        """Make a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return _whole(observation, info), float(reward), terminated, truncated, info


def _numbers(truth: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float32]:
    return np.concatenate([np.ravel(truth[name]) for name in sorted(truth)]).astype(np.float32)


def _whole(observation: object, info: Info) -> Observed:
    parts: Observed = (
        dict(observation) if isinstance(observation, dict) else {SENSORS: np.asarray(observation)}
    )
    return {**parts, TRUTH: _numbers(info[TRUTH])}
