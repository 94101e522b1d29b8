"""Many copies of a world in one process as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from wbfleet.gym.env import spaces_of
from wbfleet.gym.episodes import Episodes, Outcome, Settings
from wbfleet.gym.task import Task

__all__ = ["RobotVectorEnv"]

Numbers = NDArray[np.float32]
Flags = NDArray[np.bool_]
Vector = tuple[Numbers, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class RobotVectorEnv(VectorEnv[Numbers, Numbers, NDArray[Any]]):
    """One robot in each of many copies of a world, stepped in one process.

    The copies share meshes, textures and texts. An episode that has ended begins again in the next step,
    which ignores the action (Gymnasium's `AutoresetMode.NEXT_STEP`).
    """

    def __init__(
        self,
        world: str | Path,
        task: Callable[[], Task],
        num_envs: int,
        robot: str | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        """
        Args:
            world: path of a world file.
            task: creates the task of a copy.
            num_envs: number of copies.
            robot: name of the robot; None: the first one.
            threads: how many copies are stepped at the same time; results do not depend on it.
            settings: fields of `Settings`.

        Raises:
            WorldError: the world has errors.
            ValueError: the robot does not exist, or a setting or number is not possible.
        """
        for name, number in (("num_envs", num_envs), ("threads", threads)):
            if number < 1:
                raise ValueError(f"{name}: expected 1 or more, not {number}")
        robots = 1 if robot is None else [robot]
        self._copies = [Episodes(world, task(), robots, Settings(**settings)) for _ in range(num_envs)]
        agent = self._copies[0].agents[0]
        self._name = agent.name
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces_of(agent)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._randoms = [np.random.default_rng() for _ in range(num_envs)]
        self._is_over = np.zeros(num_envs, np.bool_)
        self._crew = ThreadPoolExecutor(threads) if threads > 1 else None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin all episodes. Copy i gets the seed `seed + i`, or `seed[i]`."""
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        for i, one in enumerate(seeds or ()):
            if one is not None:
                self._randoms[i] = np_random(one)[0]
        self._is_over[:] = False
        return np.stack([self._begin(i) for i in range(self.num_envs)]), {}

    def _begin(self, index: int) -> Numbers:
        return self._copies[index].reset(self._randoms[index])[self._name]

    def step(self, actions: Numbers) -> Vector:
        """Make a step in each copy.

        Raises:
            ValueError: an action has the wrong shape, or a number that is not finite.
        """
        given = np.asarray(actions, np.float32)
        if given.shape != self.action_space.shape:
            raise ValueError(f"actions: expected the shape {self.action_space.shape}, not {given.shape}")
        for i, copy in enumerate(self._copies):
            if not self._is_over[i]:
                copy.act({self._name: given[i]})
        outcomes = list(self._each(partial(self._outcome, given)))
        self._is_over = np.array([one.terminated or one.truncated for one in outcomes])
        return (
            np.stack([one.observation for one in outcomes]),
            np.array([one.reward for one in outcomes]),
            np.array([one.terminated for one in outcomes]),
            np.array([one.truncated for one in outcomes]),
            self._infos(outcomes),
        )

    def _each(self, work: Callable[[int], Outcome]) -> Iterable[Outcome]:
        every = range(self.num_envs)
        return map(work, every) if self._crew is None else self._crew.map(work, every)

    def _outcome(self, actions: Numbers, index: int) -> Outcome:
        if self._is_over[index]:
            return Outcome(self._begin(index), 0.0, False, False, {})
        return self._copies[index].advance({self._name: actions[index]})[self._name]

    def _infos(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return the values of all copies by name, as Gymnasium's vector environments do."""
        infos: dict[str, Any] = {}
        for i, one in enumerate(outcomes):
            infos = self._add_info(infos, one.info, i)
        return infos

    def close_extras(self, **kwargs: Any) -> None:
        """Close the worlds; called by `close`."""
        if self._crew is not None:
            self._crew.shutdown()
        for one in self._copies:
            one.close()
