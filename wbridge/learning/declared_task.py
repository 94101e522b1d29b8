"""Tasks that are declared: a world, a robot, and terms, without a program of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wbridge.api.fields import Fields
from wbridge.learning.seen import Seen
from wbridge.learning.terms import End, Goal, Reward, Truth, Variation, Varied
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.gym.episodes import Settings
from wbridge.wbfleet.gym.task import NOTHING, GoalSpace, Info, Judgement, Task, VectorTask

__all__ = ["DeclaredTask"]

Numbers = NDArray[np.float32]


class DeclaredTask(VectorTask):
    """Derive from this class, and declare the attributes."""

    world: ClassVar[str]
    """Path of a world; a plain name is a sample of `wbridge samples`."""
    robot: ClassVar[str | None] = None
    """Name of the robot; None: the first one of the world."""
    settings: ClassVar[Settings] = Settings()
    """How the robot acts."""
    rewards: ClassVar[Sequence[Reward]] = ()
    """The reward of a step is the sum of these terms."""
    ends: ClassVar[Sequence[End]] = ()
    varied: ClassVar[Sequence[Variation]] = ()
    """What differs between episodes."""
    goals: ClassVar[Sequence[Goal]] = ()
    truths: ClassVar[Mapping[str, Truth]] = MappingProxyType({})

    def __init__(self) -> None:
        goals = self.goals
        if goals:
            bounds = np.array([(goal.low, goal.high) for goal in goals], np.float32)
            self.goal_space = GoalSpace(tuple(goal.name for goal in goals), bounds[:, 0], bounds[:, 1])
        self.goal: Numbers = NOTHING
        self.chosen: Varied = {}
        """What the running episode has chosen, by place."""
        self._sensors: tuple[str, ...] = ()
        self._motors: tuple[str, ...] = ()
        self._fields: dict[Simulation, Fields] = {}
        self._readers: dict[str, Callable[[], NDArray[np.float64]]] = {}

    @classmethod
    def world_path(cls) -> Path:
        """Return the path of the world."""
        path = Path(cls.world)
        is_sample = path.suffix == "" and len(path.parts) == 1
        return builtin_directory() / "worlds" / f"{cls.world}.wbt" if is_sample else path

    def bind(self, sensors: Sequence[str], motors: Sequence[str]) -> None:
        """Take the names of the numbers in observations and actions."""
        self._sensors, self._motors = tuple(sensors), tuple(motors)

    def begin(self, simulation: Simulation, random: np.random.Generator) -> None:
        """Draw what is varied, and the goals.

        Raises:
            UnknownNameError: there is no such place.
            FieldError: a value does not fit its field.
        """
        fields = self._fields_of(simulation)
        self.chosen = {}
        for variation in self.varied:
            self.chosen |= variation.apply(simulation, fields, random)
        if self.goals:
            space = self.goal_space
            self.goal = random.uniform(space.low, space.high).astype(np.float32)
            self.chosen |= dict(zip(space.names, self.goal.tolist(), strict=True))
        self._readers = {name: truth.reader(simulation, fields) for name, truth in self.truths.items()}

    def _fields_of(self, simulation: Simulation) -> Fields:
        if simulation not in self._fields:
            self._fields = {simulation: Fields(simulation)}
        return self._fields[simulation]

    def facts(self) -> Info:
        """Return what the episode has chosen, and the privileged observation at its start."""
        facts: Info = {"varied": dict(self.chosen)}
        return {**facts, "truth": self.truth()} if self.truths else facts

    def truth(self) -> dict[str, NDArray[np.float64]]:
        """Return the values of `truths` in the running episode, by name."""
        return {name: read() for name, read in self._readers.items()}

    def judge_copies(self, tasks: Sequence[Task], observations: Numbers, actions: Numbers) -> Judgement:
        """Return the sums of the terms; `info` has each of them."""
        values = [task.truth() for task in tasks if isinstance(task, DeclaredTask)] if self.truths else []
        truths = {name: np.stack([value[name] for value in values]) for name in self.truths}
        seen = Seen(self._sensors, self._motors, observations, actions, truths)
        count = len(observations)
        # The sum turns a product of -0 into 0.
        terms = {
            term.name: 0.0 + term.weight * np.asarray(term.measure(seen), np.float64) for term in self.rewards
        }
        ends = {end.name: np.asarray(end.when(seen), np.bool_) for end in self.ends}
        terms |= {end.name: np.where(ends[end.name], end.reward, 0.0) for end in self.ends if end.reward}
        info: dict[str, Mapping[str, NDArray[np.generic]]] = {"rewards": terms}
        if ends:
            info["ends"] = ends
        if truths:
            info["truth"] = truths
        is_over = np.logical_or.reduce([*ends.values()]) if ends else np.zeros(count, np.bool_)
        return Judgement(np.sum([*terms.values()], axis=0) if terms else np.zeros(count), is_over, info)
