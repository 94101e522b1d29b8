"""Many copies of a world in one process as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from wbridge.wbfleet.gym.batch import BROKEN, DONE, SENSORS_LEFT, Batch
from wbridge.wbfleet.gym.env import spaces_of
from wbridge.wbfleet.gym.episodes import Episodes, Outcome, Settings
from wbridge.wbfleet.gym.task import Info, Task, VectorTask

__all__ = ["RobotVectorEnv"]

Numbers = NDArray[np.float32]
Flags = NDArray[np.bool_]
Vector = tuple[Numbers, NDArray[np.float64], Flags, Flags, Info]


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
        self._crew: ThreadPoolExecutor | None = None
        self._copies = [Episodes(world, task(), robots, Settings(**settings)) for _ in range(num_envs)]
        if threads > 1 and self._copies[0].has_controllers:
            self.close_extras()
            raise ValueError("threads: expected 1 for a world with controllers, which run in one thread")
        self._tasks = [copy.task for copy in self._copies]
        self._agent = agent = self._copies[0].agents[0]
        self._name = agent.name
        self._limit = self._copies[0].longest
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces_of(agent)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._randoms = [np.random.default_rng() for _ in range(num_envs)]
        self._is_over = np.zeros(num_envs, np.bool_)
        if threads > 1:
            self._crew = ThreadPoolExecutor(threads)
        self._batch = Batch(self._copies, threads)
        self._made = np.zeros(num_envs, np.int64)
        """Steps of each episode that is judged natively."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Numbers, Info]:
        """Begin all episodes. Copy i gets the seed `seed + i`, or `seed[i]`."""
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        for i, number in enumerate(seeds or ()):
            if number is not None:
                self._randoms[i] = np_random(number)[0]
        self._is_over[:] = False
        observations, infos = np.stack([self._begin(i) for i in range(self.num_envs)]), Info()
        for i, copy in enumerate(self._copies):
            infos = self._add_info(infos, copy.task.facts(), i)
        return observations, infos

    def _begin(self, index: int) -> Numbers:
        self._made[index] = 0
        observation = self._copies[index].reset(self._randoms[index])[self._name]
        self._batch.admit(index)
        return observation

    def step(self, actions: Numbers) -> Vector:
        """Make a step in each copy.

        Raises:
            ValueError: an action has the wrong shape, or a number that is not finite.
        """
        given = np.asarray(actions, np.float32)
        if given.shape != self.action_space.shape:
            raise ValueError(f"actions: expected the shape {self.action_space.shape}, not {given.shape}")
        given = self._agent.controls.checked(given)
        batch, task = self._batch, self._copies[0].task
        if batch.is_whole and isinstance(task, VectorTask):
            batch.step(given)
            if not batch.endings.any():
                return self._judged(task, self._observations(), given)
            native = batch.is_in.copy()
        else:
            native = batch.is_in.copy()
            if native.any():
                batch.step(given)
        return self._mixed(task, given, native)

    def _judged(self, task: VectorTask, observations: Numbers, actions: Numbers) -> Vector:
        """Return the outcome of a step that all copies made natively."""
        self._made += 1
        judged = task.judge_copies(self._tasks, observations, actions)
        ends, infos = np.array(judged.ends, np.bool_), Info()
        for group, part in judged.info.items():
            infos |= {group: _masked(part, self._batch.is_in), f"_{group}": self._batch.is_in.copy()}
        cuts = self._made >= self._limit
        self._is_over = ends | cuts
        if self._is_over.any():
            for i in np.flatnonzero(self._is_over).tolist():
                self._batch.leave_out(i)
        return observations, np.array(judged.rewards, np.float64), ends, cuts, infos

    def _mixed(self, task: Task, actions: Numbers, native: Flags) -> Vector:
        """Return the outcome of a step that some copies made natively, and others make now."""
        batch, observations = self._batch, self._observations()
        rewards, ends = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        cuts, infos = ends.copy(), Info()
        alone = ~native
        if isinstance(task, VectorTask):
            self._made += 1
            judged = task.judge_copies(self._tasks, observations, actions)
            rewards[:], ends[:] = judged.rewards, judged.ends
            for group, part in judged.info.items():
                infos |= {group: _masked(part, native), f"_{group}": native.copy()}
            cuts = self._made >= self._limit
            alone |= batch.endings != DONE
        else:
            alone[:] = True
        places = np.flatnonzero(alone).tolist()
        work = partial(self._outcome, actions, observations, native)
        for i, outcome in zip(places, self._each(work, places), strict=True):
            observations[i], rewards[i], ends[i], cuts[i] = outcome[:4]
            infos = self._add_info(infos, outcome.info, i)
        self._is_over = ends | cuts
        for i in np.flatnonzero(self._is_over).tolist():
            batch.leave_out(i)
        return observations, rewards, ends, cuts, infos

    def _observations(self) -> Numbers:
        """Return what was measured natively, with the goals of the episodes."""
        readings: Numbers = self._batch.readings.copy()
        if not self._agent.task.goal_space.names:
            return readings
        goals = [copy.task.goal for copy in self._copies]
        whole: Numbers = np.concatenate([readings, goals], axis=1, dtype=np.float32)
        return whole

    def _each(self, work: Callable[[int], Outcome], places: list[int]) -> Iterable[Outcome]:
        return map(work, places) if self._crew is None else self._crew.map(work, places)

    def _outcome(self, actions: Numbers, observations: Numbers, native: Flags, index: int) -> Outcome:
        """Return the outcome of a copy that is judged or stepped alone."""
        if self._is_over[index]:
            return Outcome(self._begin(index), 0.0, False, False, self._copies[index].task.facts())
        copy = self._copies[index]
        if not native[index]:
            copy.act({self._name: actions[index]})
            return copy.advance({self._name: actions[index]})[self._name]
        ending = self._batch.endings[index]
        if ending == BROKEN:
            return Outcome(observations[index], 0.0, True, False, {"error": "a body is in an invalid state"})
        if ending == SENSORS_LEFT:
            copy.agents[0].robot.sample()
            observations[index] = copy.agents[0].read()
        if isinstance(copy.task, VectorTask):
            copy.made = int(self._made[index]) - 1
        outcome = copy.take(observations[index], actions[index])
        self._batch.check(index)
        return outcome

    def close_extras(self, **kwargs: object) -> None:
        """Close the worlds; called by `close`."""
        if self._crew is not None:
            self._crew.shutdown()
        for copy in self._copies:
            copy.close()


def _masked(part: Mapping[str, NDArray[np.generic]], mask: Flags) -> Info:
    """Return values of all copies as Gymnasium's vector environments do: `_name` says which ones count."""
    return {**part, **{f"_{name}": mask.copy() for name in part}}
