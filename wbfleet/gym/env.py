"""One robot in one world as a Gymnasium environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from wbridge.wbfleet.gym.episodes import Agent, Episodes, Settings
from wbridge.wbfleet.gym.task import Info, Task

__all__ = ["AnyEnv", "AnyWrapper", "RENDER_MODES", "RobotEnv", "checked_mode", "spaces_of"]

RENDER_MODES = ("rgb_array",)
"""What `render` can return: pictures of what the Viewpoint sees."""
Numbers = NDArray[np.float32]
AnyEnv: TypeAlias = gymnasium.Env[Any, Any]
"""An environment with any observations and actions."""
AnyWrapper: TypeAlias = gymnasium.Wrapper[Any, Any, Any, Any]
"""Changes an environment."""


def spaces_of(agent: Agent) -> tuple[Any, Any]:
    """Return the spaces of an agent's observations and actions."""
    observations, actions = (Box(side.low, side.high, dtype=np.float32) for side in (agent, agent.controls))
    return observations, actions


def checked_mode(mode: str | None) -> str | None:
    """Return a render mode.

    Raises:
        ValueError: there is no such mode.
    """
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f'render_mode: expected None or "rgb_array", not {mode!r}')
    return mode


class RobotEnv(gymnasium.Env[Numbers, Numbers]):
    """One robot in one world.

    `step` takes a number for each motor (rad, m, rad/s, m/s, N m or N, see `Controls`) and returns the
    numbers of the sensors (see `Readings`). `env.unwrapped.simulation` is the world.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES]}

    def __init__(
        self,
        world: str | Path,
        task: Task,
        robot: str | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        """
        Args:
            world: path of a world file.
            task: rewards and ends.
            robot: name of the robot; None: the first one.
            render_mode: "rgb_array": `render` returns what the Viewpoint sees.
            settings: fields of `Settings`.

        Raises:
            WorldError: the world has errors.
            ValueError: the robot does not exist, or a setting is not possible.
        """
        self.render_mode = checked_mode(render_mode)
        self._episodes = Episodes(world, task, 1 if robot is None else [robot], Settings(**settings))
        self.simulation, self.task = self._episodes.simulation, task
        self.agent = self._episodes.agents[0]
        self.observation_space, self.action_space = spaces_of(self.agent)
        self.metadata = {**self.metadata, "render_fps": 1000 / self._episodes.step_ms}

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        """Begin an episode; a seed repeats it bit by bit."""
        super().reset(seed=seed, options=options)
        observation = self._episodes.reset(self.np_random)[self.agent.name]
        return observation, self._episodes.task.facts()

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, Info]:
        """Make a step.

        Raises:
            ValueError: the action has the wrong shape, or a number that is not finite.
        """
        actions = {self.agent.name: action}
        self._episodes.act(actions)
        return self._episodes.advance(actions)[self.agent.name]

    def render(self) -> NDArray[np.uint8] | None:
        """Return what the Viewpoint sees, shape (height, width, 3)."""
        return self._episodes.picture() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the world."""
        self._episodes.close()
