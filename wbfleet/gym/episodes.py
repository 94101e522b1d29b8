"""Episodes of robots in a simulated world: what all kinds of environments share."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.errors import SimulationError
from wbcore.scene.diagnostics import did_you_mean
from wbcore.scene.load import LoadOptions
from wbcore.simulation import Simulation
from wbfleet.gym.controls import Controls
from wbfleet.gym.readings import Readings
from wbfleet.gym.task import Task, VectorTask

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot

__all__ = ["Agent", "Episodes", "Outcome", "Settings"]

_LOG = logging.getLogger(__name__)
Numbers = NDArray[np.float32]


class Settings(NamedTuple):
    """How robots act in a world; the arguments of all environments."""

    step_ms: int | None = None
    """Time of a step; a multiple of WorldInfo.basicTimeStep, which is the default."""
    episode_s: float | None = None
    """Simulated time after which an episode is truncated; None: never."""
    actions: Mapping[str, str] | None = None
    """What actions drive, see `Controls`."""
    observations: Sequence[str] | None = None
    """What observations contain, see `Readings`."""
    load: LoadOptions = LoadOptions()
    """How to load the world."""


class Outcome(NamedTuple):
    """What an agent gets after a step."""

    observation: Numbers
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Agent:
    """A robot that learns."""

    def __init__(self, robot: Robot, settings: Settings, step_ms: int) -> None:
        self.name = robot.name
        self.step_ms = step_ms
        """Time of a step (ms)."""
        self.robot = robot
        self.controls = Controls(robot, settings.actions)
        self.readings = Readings(robot, settings.observations, step_ms)

    def begin(self) -> Numbers:
        """Begin an episode; return the first observation."""
        self.robot.connect(self.robot.dialect)
        self.controls.begin()
        self.readings.begin()
        first = self.readings.first()
        self.robot.sample()  # nothing is due: it prepares the native pass over the sensors
        return first


class Episodes:
    """A world whose robots make episodes. Its robots have no other controllers."""

    def __init__(
        self, world: str | Path, task: Task, robots: Sequence[str] | int | None, settings: Settings
    ) -> None:
        """
        Args:
            world: path of a world file.
            task: rewards and ends.
            robots: names of the robots that learn, or how many, in the order of the world; None: all.
            settings: how they act.

        Raises:
            WorldError: the world has errors.
            ValueError: a robot does not exist, or a setting is not possible.
        """
        self.simulation = Simulation(world, options=settings.load)
        self.task = task
        self.step_ms, self.basic_steps = _step(self.simulation, settings.step_ms)
        self.agents = [Agent(one, settings, self.step_ms) for one in _chosen(self.simulation, world, robots)]
        limit = settings.episode_s
        self._limit = None if limit is None else max(1, round(limit * 1000 / self.step_ms))
        """Steps of an episode; None: any number."""
        self.made = 0
        """Steps of the running episode."""
        self._last: dict[str, Numbers] = {}

    def reset(self, random: np.random.Generator) -> dict[str, Numbers]:
        """Begin an episode; return the observation of each agent by name.

        Args:
            random: decides what is random in the world and in the task.
        """
        simulation = self.simulation
        simulation.reset()
        simulation.physics.engine.seed(int(random.integers(2**32)))
        self.task.begin(simulation, random)
        self.made = 0
        self._last = {one.name: one.begin() for one in self.agents}
        return dict(self._last)

    @property
    def longest(self) -> float:
        """Number of steps after which an episode is truncated."""
        return math.inf if self._limit is None else self._limit

    def take(self, observation: Numbers, action: Numbers) -> Outcome:
        """Note a step that was made natively, of a world with one agent; return its outcome."""
        (agent,) = self.agents
        self.made += 1
        self._last[agent.name] = observation
        truncated = self._limit is not None and self.made >= self._limit
        return self._judged(agent.name, action, truncated)

    def act(self, actions: Mapping[str, Numbers]) -> None:
        """Set the motors of the agents.

        Raises:
            ValueError: an action is not possible.
        """
        for one in self.agents:
            if one.name in actions:
                one.controls.apply(actions[one.name])

    def advance(self, actions: Mapping[str, Numbers]) -> dict[str, Outcome]:
        """Simulate a step after `act`; return the outcome for each agent by name.

        A body in an invalid state ends the episode for all of them, with a reward of 0 and the reason in
        `info["error"]`.
        """
        self.made += 1
        truncated = self._limit is not None and self.made >= self._limit
        try:
            self._step()
        except SimulationError as problem:
            broken = {"error": str(problem)}
            return {name: Outcome(last, 0.0, True, truncated, broken) for name, last in self._last.items()}
        for one in self.agents:
            one.robot.sample()
            self._last[one.name] = one.readings.read()
        return {
            one.name: self._judged(one.name, actions[one.name], truncated)
            for one in self.agents
            if one.name in actions
        }

    def _judged(self, name: str, action: Numbers, truncated: bool) -> Outcome:
        if isinstance(self.task, VectorTask):
            rewards, ends = self.task.judge_all(self._last[name][None], np.asarray(action, np.float32)[None])
            return Outcome(self._last[name], float(rewards[0]), bool(ends[0]), truncated, {})
        reward, is_over, info = self.task.judge(self.simulation, name, action)
        return Outcome(self._last[name], float(reward), is_over, truncated, dict(info))

    def _step(self) -> None:
        if self.simulation.is_plain:
            self.simulation.physics.step(self.basic_steps)
        else:
            self.simulation.step(self.basic_steps)

    def picture(self) -> NDArray[np.uint8]:
        """Return what the Viewpoint sees, shape (height, width, 3).

        Raises:
            RenderError: there is no OpenGL; the message says what to install.
        """
        return self.simulation.main_view.picture()[..., 2::-1]

    def close(self) -> None:
        """Close the simulation."""
        self.simulation.close()


def _step(simulation: Simulation, wanted_ms: int | None) -> tuple[int, int]:
    """Return the time of a step (ms), and its number of basic time steps."""
    basic_ms = simulation.step_s * 1000
    count = 1 if wanted_ms is None else round(wanted_ms / basic_ms)
    if count < 1 or (wanted_ms is not None and abs(count * basic_ms - wanted_ms) > 1e-6):
        text = f"expected a multiple of the basic time step {basic_ms:g} ms, not {wanted_ms}"
        raise ValueError(f"step_ms: {text}")
    return round(count * basic_ms), count


def _chosen(simulation: Simulation, world: str | Path, wanted: Sequence[str] | int | None) -> list[Robot]:
    robots = list(simulation.robots)
    known = [one.name for one in robots]
    if not robots:
        raise ValueError(f"{world}: the world has no robot")
    if wanted is None or isinstance(wanted, int):
        return robots[:wanted]
    for name in wanted:
        if name not in known:
            listed = ", ".join(f'"{one}"' for one in known)
            raise ValueError(f'{world}: no robot "{name}"{did_you_mean(name, known)}; robots: {listed}')
    return [robots[known.index(name)] for name in wanted]
