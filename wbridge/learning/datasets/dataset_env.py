"""Records the episodes of an environment as a dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from wbridge.learning.datasets.writer import DatasetWriter
from wbridge.wbfleet.gym.env import AnyEnv, AnyWrapper, RobotEnv
from wbridge.wbfleet.gym.picture_env import SENSORS
from wbridge.wbfleet.gym.task import Info

__all__ = ["DatasetEnv"]

COLOR_SHAPE = 3
"""Axes of a picture."""


class DatasetEnv(AnyWrapper):
    """Writes what was observed, done and worth in each step, and the pictures of cameras, into a dataset of
    LeRobot. Episodes that `reset` or `close` ends early are written, too."""

    def __init__(self, env: AnyEnv, folder: str | Path, task: str = "") -> None:
        """
        Args:
            env: of a robot in a world, with or without pictures.
            folder: of the dataset; one of the same environment is continued.
            task: what the robot should do, in words; "": the name of the class of the task.

        Raises:
            ValueError: it is an environment of something else.
            ImportError, DatasetError, OSError: as for `DatasetWriter`.
        """
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, RobotEnv):
            raise ValueError(f"expected an environment of a robot of wbridge, not {base}")
        self._task = task or type(base.task).__name__
        self._cameras = _sizes(env)
        agent = base.agent
        self._writer = DatasetWriter(
            folder,
            1000 / agent.step_ms,
            agent.names,
            agent.controls.names,
            self._cameras,
            robot=agent.name,
            has_rewards=True,
        )
        self._seen: object = None

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[object, Info]:
        """Complete the episode, and begin another one."""
        self._writer.end_episode(self._task)
        observation, info = self.env.reset(seed=seed, options=options)
        self._seen = _kept(observation)
        return observation, info

    def step(self, action: object) -> tuple[object, float, bool, bool, Info]:
        """Make a step, and write it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        is_over, seen = bool(terminated or truncated), self._seen
        numbers, pictures = seen, {}
        if isinstance(seen, dict):
            numbers = seen[SENSORS]
            pictures = {name: seen[name] for name in self._cameras}
        self._writer.add(np.asarray(numbers), np.asarray(action), pictures, float(reward), is_over)
        self._seen = _kept(observation)
        if is_over:
            self._writer.end_episode(self._task)
        return observation, float(reward), terminated, truncated, info

    def close(self) -> None:
        """Complete the episode, and close the world."""
        self._writer.end_episode(self._task)
        self._writer.close()
        super().close()


def _sizes(env: AnyEnv) -> dict[str, tuple[int, int]]:
    """Return height and width of the pictures of each camera; distances have no place in videos."""
    spaces = env.observation_space
    if not isinstance(spaces, Dict):
        return {}
    shapes = {name: space.shape for name, space in spaces.items() if _is_picture(space)}
    return {name: (shape[0], shape[1]) for name, shape in shapes.items() if shape is not None}


def _is_picture(space: object) -> bool:
    return isinstance(space, Box) and len(space.shape) == COLOR_SHAPE and space.dtype == np.uint8


def _kept(observation: object) -> object:
    """Return a copy: pictures are views, which the next step overwrites."""
    if isinstance(observation, dict):
        return {name: np.array(values) for name, values in observation.items()}
    numbers: NDArray[np.float32] = np.array(observation, np.float32)
    return numbers
