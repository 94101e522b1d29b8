"""Several robots in one world as a PettingZoo environment with simultaneous steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from wbridge.wbfleet.gym.env import RENDER_MODES, checked_mode, spaces_of
from wbridge.wbfleet.gym.episodes import Episodes, Outcome, Settings
from wbridge.wbfleet.gym.task import Info, Task

__all__ = ["RobotsEnv"]

Numbers = NDArray[np.float32]


class RobotsEnv(ParallelEnv[str, Numbers, Numbers]):  # type: ignore[misc]  # it has no types
    """All robots of a world, or some of them; agents have the names of the robots.

    The episode of an agent ends alone; the others continue while its robot stands in their world.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "wbridge", "render_modes": [*RENDER_MODES]}

    def __init__(
        self,
        world: str | Path,
        task: Task,
        robots: list[str] | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        """
        Args:
            world: path of a world file; its robots have different names.
            task: rewards and ends.
            robots: names of the robots that learn; None: all.
            render_mode: "rgb_array": `render` returns what the Viewpoint sees.
            settings: fields of `Settings`.

        Raises:
            WorldError: the world has errors.
            ValueError: a robot does not exist or its name is not unique, or a setting is not possible.
        """
        self.render_mode = checked_mode(render_mode)
        self._episodes = Episodes(world, task, robots, Settings(**settings))
        self.possible_agents = [agent.name for agent in self._episodes.agents]
        double = sorted({agent for agent in self.possible_agents if self.possible_agents.count(agent) > 1})
        if double:
            raise ValueError(f'{world}: several robots have the name "{double[0]}"; change their field name')
        self.agents: list[str] = []
        self.simulation = self._episodes.simulation
        self._spaces = {agent.name: spaces_of(agent) for agent in self._episodes.agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Box:
        """Return the space of an agent's observations."""
        space: Box = self._spaces[agent][0]
        return space

    def action_space(self, agent: str) -> Box:
        """Return the space of an agent's actions."""
        space: Box = self._spaces[agent][1]
        return space

    def reset(
        self, seed: int | None = None, options: Info | None = None
    ) -> tuple[dict[str, Numbers], dict[str, Info]]:
        """Begin an episode; a seed repeats it bit by bit."""
        if seed is not None:
            self._random = np_random(seed)[0]
        self.agents = list(self.possible_agents)
        observations = self._episodes.reset(self._random)
        return observations, {name: self._episodes.task.facts() for name in self.agents}

    def step(self, actions: dict[str, Numbers]) -> tuple[dict[str, Any], ...]:
        """Make a step of all agents.

        Raises:
            ValueError: an action has the wrong shape, or a number that is not finite.
        """
        given = {name: actions[name] for name in self.agents}
        self._episodes.act(given)
        made: dict[str, Outcome] = self._episodes.advance(given)
        outcomes = {name: made[name] for name in self.agents}
        self.agents = [
            name for name, outcome in outcomes.items() if not outcome.terminated and not outcome.truncated
        ]
        return tuple({name: outcome[place] for name, outcome in outcomes.items()} for place in range(5))

    def render(self) -> NDArray[np.uint8] | None:
        """Return what the Viewpoint sees, shape (height, width, 3)."""
        return self._episodes.picture() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the world."""
        self._episodes.close()
