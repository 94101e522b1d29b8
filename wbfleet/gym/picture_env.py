"""Pictures of cameras in the observations of a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from wbcore.devices.camera import Camera
from wbfleet.gym.choice import matching
from wbfleet.gym.env import RobotEnv

__all__ = ["SENSORS", "PictureEnv"]

SENSORS = "sensors"
"""The key of the numbers of `RobotEnv`."""
Observation = dict[str, NDArray[Any]]


class PictureEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Observations are dicts: "sensors" has the numbers of `RobotEnv`, the name of each camera its picture
    (height, width, 3; red, green, blue)."""

    def __init__(self, env: RobotEnv, cameras: Sequence[str] = ("*",)) -> None:
        """
        Args:
            env: the robot.
            cameras: names of cameras, or patterns.

        Raises:
            UnknownDevice: a pattern matches no camera.
        """
        super().__init__(env)
        self._robot, self._step_ms = env.agent.robot, env.agent.step_ms
        found = [one for one in self._robot.devices if isinstance(one, Camera)]
        names = [one.name for one in found]
        chosen = {i for each in cameras for i in matching(each, names, self._robot.name, "camera")}
        self._cameras = [found[place] for place in sorted(chosen)]
        spaces: dict[str, Any] = {SENSORS: env.observation_space}
        for one in self._cameras:
            size = int(one.node.get("height")), int(one.node.get("width")), 3
            spaces[one.name] = Box(0, 255, size, np.uint8)
        self.observation_space = Dict(spaces)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, and take the first pictures."""
        numbers, info = self.env.reset(seed=seed, options=options)
        self._robot.takes_pictures = True  # into memory of this process
        for one in self._cameras:
            one.on_enable(self._step_ms)
            if one.pixels is not None:
                one.capture(one.pixels, math.inf)
        return self._observed(numbers), info

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Make a step, and take pictures at its end."""
        numbers, reward, terminated, truncated, info = self.env.step(action)
        self._robot.pictures.clear()
        return self._observed(numbers), reward, terminated, truncated, info

    def _observed(self, numbers: NDArray[np.float32]) -> Observation:
        pictures = {one.name: one.picture for one in self._cameras}
        shown = {name: one[..., 2::-1].copy() for name, one in pictures.items() if one is not None}
        return {SENSORS: numbers, **shown}
