"""Cameras as observations: judged by what stands in front of them, and by Gymnasium's checker."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.fleet.learning_worlds import cart, rail
from wbridge.wbfleet.gym import RobotEnv, Task, Verdict
from wbridge.wbfleet.gym.choice import UnknownDevice
from wbridge.wbfleet.gym.picture_env import PictureEnv

RED = """
Background { skyColor [ 0 0 1 ] luminosity 0 }
Pose { translation -0.5 0 0 children [ Shape {
  appearance PBRAppearance { baseColor 0 0 0 emissiveColor 1 0 0 roughness 1 metalness 0 }
  geometry Box { size 0.1 2 2 } } ] }
"""
CAMERA = 'Camera { name "front" width 16 height 8 translation -1 0 0 }'


class Nothing(Task):
    def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
        return Verdict(0.0)


def made(folder: Path) -> RobotEnv:
    robot = cart().replace('DistanceSensor { name "eye"', CAMERA + ' DistanceSensor { name "eye"')
    return RobotEnv(rail(folder, robot, RED), Nothing(), step_ms=16)


def test_the_camera_sees_the_box(tmp_path: Path) -> None:
    pytest.importorskip("OpenGL")
    env = PictureEnv(made(tmp_path))
    first, _ = env.reset(seed=1)
    later = env.step(env.action_space.sample())[0]
    for one in (first, later):
        assert one["front"].shape == (8, 16, 3) and one["front"].dtype == np.uint8
        red, green, blue = one["front"][4, 8].tolist()
        assert red > 200 and green < 60 and blue < 60
        assert one["sensors"].shape == (2,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(env, skip_render_check=True)
    env.close()


def test_unknown_cameras_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownDevice, match='no camera "frunt"; did you mean .front.'):
        PictureEnv(made(tmp_path), ["frunt"])
