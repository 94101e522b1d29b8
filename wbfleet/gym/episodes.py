"""Episodes of robots in a simulated world: what all kinds of environments share."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.physics.errors import SimulationError, WorldError
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.contact_law import PLACE
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.scene.tables.device_tables import robots as robot_nodes
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.gym.controls import Controls
from wbridge.wbfleet.gym.others import Others
from wbridge.wbfleet.gym.readings import Readings
from wbridge.wbfleet.gym.supervisor_task import SupervisorTask
from wbridge.wbfleet.gym.task import Info, Task, VectorTask

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot

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
    contacts: str | None = None
    """The law of contact, "webots" or "precise"; None: that of the world."""

    @property
    def loading(self) -> LoadOptions:
        """How to load the world, with the law of contact."""
        if self.contacts is None:
            return self.load
        return replace(self.load, fields={**self.load.fields, PLACE: self.contacts})


class Outcome(NamedTuple):
    """What an agent gets after a step."""

    observation: Numbers
    reward: float
    terminated: bool
    truncated: bool
    info: Info


class Agent:
    """A robot that learns."""

    def __init__(self, robot: Robot, task: Task, settings: Settings, step_ms: int) -> None:
        self.name = robot.name
        self.step_ms = step_ms
        """Time of a step (ms)."""
        self.robot = robot
        self.controls = Controls(robot, settings.actions)
        self.readings = Readings(robot, settings.observations, step_ms)
        self.task = task
        goal = task.goal_space
        self.names = (*self.readings.names, *goal.names)
        """Names of the numbers in an observation."""
        self.low = np.concatenate([self.readings.low, goal.low])
        """Lower bounds of observations; infinite where there is none."""
        self.high = np.concatenate([self.readings.high, goal.high])
        """Upper bounds of observations."""

    def read(self) -> Numbers:
        """Return the observation after a step."""
        return self._whole(self.readings.read())

    def _whole(self, readings: Numbers) -> Numbers:
        return np.concatenate([readings, self.task.goal]) if self.task.goal.size else readings

    def begin(self) -> Numbers:
        """Begin an episode; return the first observation."""
        self.robot.connect(self.robot.dialect)
        self.controls.begin()
        self.readings.begin()
        first = self._whole(self.readings.first())
        self.robot.sample()  # nothing is due: it prepares the native pass over the sensors
        return first


class Episodes:
    """A world whose robots make episodes. Controllers of other robots run only for a `SupervisorTask`."""

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
            OthersError: a controller of another robot could not be started.
            ValueError: a robot does not exist, or a setting is not possible.
        """
        loaded = load_checked(world, settings.loading)
        if loaded.report.errors:
            raise WorldError(loaded.path, loaded.report.errors)
        self.task = task
        names = [str(node.get("name")) for node in robot_nodes(loaded.nodes)]
        chosen = _chosen(world, names, robots, task)
        self._others: Others | None = None
        if isinstance(task, SupervisorTask):
            learners = [names[place] for place in chosen]
            self._others = Others(loaded, learners, settings.loading, task.inline, task.timeout_s)
        self.simulation = Simulation(loaded) if self._others is None else self._others.simulation
        self.step_ms, self.basic_steps = _step(self.simulation, settings.step_ms)
        robot_list = self.simulation.robots.list
        self.agents = [Agent(robot_list[place], task, settings, self.step_ms) for place in chosen]
        task.bind(self.agents[0].names, self.agents[0].controls.names)
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
        simulation, seed = self.simulation, int(random.integers(2**32))
        if self._others is None:
            simulation.reset()
        else:
            self._others.begin(seed)
        simulation.physics.engine.seed(seed)
        self.task.begin(simulation, random)
        if self._others is not None and isinstance(self.task, SupervisorTask):
            self._others.wait()  # the supervisor may change the world, too, before its first step
            self.task.prepare(simulation)
        self.made = 0
        self._last = {agent.name: agent.begin() for agent in self.agents}
        return dict(self._last)

    @property
    def has_controllers(self) -> bool:
        """True if controllers of other robots act in each step."""
        return self._others is not None

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
        for agent in self.agents:
            if agent.name in actions:
                agent.controls.apply(actions[agent.name])

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
        for agent in self.agents:
            agent.robot.sample()
            self._last[agent.name] = agent.read()
        return {
            agent.name: self._judged(agent.name, actions[agent.name], truncated)
            for agent in self.agents
            if agent.name in actions
        }

    def _judged(self, name: str, action: Numbers, truncated: bool) -> Outcome:
        if isinstance(self.task, VectorTask):
            last, row = self._last[name], np.asarray(action, np.float32)[None]
            judged = self.task.judge_copies([self.task], last[None], row)
            return Outcome(last, float(judged.rewards[0]), bool(judged.ends[0]), truncated, judged.info_of(0))
        reward, is_over, info = self.task.judge(self.simulation, name, action)
        return Outcome(self._last[name], float(reward), is_over, truncated, dict(info))

    def _step(self) -> None:
        task = self.task
        if self._others is not None and isinstance(task, SupervisorTask):
            self._others.step(self.basic_steps, partial(task.take, self.simulation))
        elif self.simulation.is_plain:
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
        """Close the simulation, and end its controllers."""
        if self._others is None:
            self.simulation.close()
        else:
            self._others.close()


def _step(simulation: Simulation, wanted_ms: int | None) -> tuple[int, int]:
    """Return the time of a step (ms), and its number of basic time steps."""
    basic_ms = simulation.step_s * 1000
    count = 1 if wanted_ms is None else round(wanted_ms / basic_ms)
    if count < 1 or (wanted_ms is not None and abs(count * basic_ms - wanted_ms) > 1e-6):
        text = f"expected a multiple of the basic time step {basic_ms:g} ms, not {wanted_ms}"
        raise ValueError(f"step_ms: {text}")
    return round(count * basic_ms), count


def _chosen(
    world: str | Path, names: Sequence[str], wanted: Sequence[str] | int | None, task: Task
) -> list[int]:
    """Return the places of the robots that learn."""
    judge = task.supervisor if isinstance(task, SupervisorTask) else None
    if judge is not None and judge not in names:
        raise _unknown(world, judge, names)
    learners = [place for place, name in enumerate(names) if name != judge]
    if not learners:
        raise ValueError(f"{world}: the world has no robot that could learn")
    if wanted is None or isinstance(wanted, int):
        return learners[:wanted]
    for name in wanted:
        if name not in names:
            raise _unknown(world, name, names)
        if name == judge:
            raise ValueError(f'{world}: robot "{name}" judges, so it cannot learn')
    return [names.index(name) for name in wanted]


def _unknown(world: str | Path, name: str, names: Sequence[str]) -> ValueError:
    listed = ", ".join(f'"{name}"' for name in names) or "none"
    return ValueError(f'{world}: no robot "{name}"{did_you_mean(name, list(names))}; robots: {listed}')
