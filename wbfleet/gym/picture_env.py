"""Pictures of cameras, range finders and lidars in the observations of a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.lidar import Lidar
from wbridge.wbcore.devices.range_device import RangeDevice
from wbridge.wbfleet.gym.choice import matching
from wbridge.wbfleet.gym.env import AnyWrapper, RobotEnv

__all__ = ["SENSORS", "PictureEnv"]

SENSORS = "sensors"
"""The key of the numbers of `RobotEnv`."""
Observation = dict[str, NDArray[Any]]


class PictureEnv(AnyWrapper):
    """Observations are dicts: "sensors" has the numbers of `RobotEnv`, the name of each camera its picture
    (height, width, 3; red, green, blue), the name of each range finder or lidar its distances in m
    (rows or layers, columns; infinite where nothing is in range)."""

    def __init__(self, env: RobotEnv, cameras: Sequence[str] = ("*",)) -> None:
        """
        Args:
            env: the robot.
            cameras: names of cameras, range finders and lidars, or patterns.

        Raises:
            UnknownDevice: a pattern matches none of them.
        """
        super().__init__(env)
        self._robot, self._step_ms = env.agent.robot, env.agent.step_ms
        found = [device for device in self._robot.devices if isinstance(device, Camera | RangeDevice)]
        names = [camera.name for camera in found]
        chosen = {i for each in cameras for i in matching(each, names, self._robot.name, "camera")}
        self._cameras = [found[place] for place in sorted(chosen)]
        spaces: dict[str, Any] = {SENSORS: env.observation_space}
        for camera in self._cameras:
            spaces[camera.name] = _space(camera)
        self.observation_space = Dict(spaces)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, and take the first pictures."""
        numbers, info = self.env.reset(seed=seed, options=options)
        self._robot.pictures.is_in_answers = True  # into memory of this process
        for camera in self._cameras:
            camera.on_enable(self._step_ms)
            if camera.pixels is not None and not (isinstance(camera, Lidar) and camera.is_rotating):
                camera.capture(camera.pixels, math.inf)
        return self._observed(numbers), info

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Make a step, and take pictures at its end."""
        numbers, reward, terminated, truncated, info = self.env.step(action)
        self._robot.pictures.waiting.clear()
        return self._observed(numbers), reward, terminated, truncated, info

    def _observed(self, numbers: NDArray[np.float32]) -> Observation:
        pictures = {camera.name: _picture(camera) for camera in self._cameras}
        return {
            SENSORS: numbers,
            **{name: picture for name, picture in pictures.items() if picture is not None},
        }


def _space(device: Camera | RangeDevice) -> Box:
    if isinstance(device, RangeDevice):
        return Box(0, np.inf, (device.rows, device.columns), np.float32)
    return Box(0, 255, (int(device.node.get("height")), int(device.node.get("width")), 3), np.uint8)


def _picture(device: Camera | RangeDevice) -> NDArray[Any] | None:
    """Return a copy of the latest picture; None without memory for it."""
    if isinstance(device, RangeDevice):
        return None if device.pixels is None else device.ranges_of(device.pixels).copy()
    picture = device.picture
    return None if picture is None else picture[..., 2::-1].copy()
