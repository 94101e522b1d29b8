"""What a robot shall learn: where an episode starts, what a step is worth, and when the episode ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

__all__ = ["GoalSpace", "Info", "Judgement", "Task", "VectorTask", "Verdict"]

Info: TypeAlias = dict[str, Any]
"""Further values for logs, as Gymnasium's environments return them."""
Numbers = NDArray[np.float32]
NOTHING: Numbers = np.zeros(0, np.float32)


class Verdict(NamedTuple):
    """What a step was worth."""

    reward: float
    is_over: bool = False
    """True if the episode has ended: the goal is reached, or the robot has failed."""
    info: Mapping[str, Any] = MappingProxyType({})
    """Further values for logs."""


class GoalSpace(NamedTuple):
    """Numbers that are chosen at the start of an episode, and end each of its observations."""

    names: tuple[str, ...] = ()
    low: Numbers = NOTHING
    high: Numbers = NOTHING


class Judgement(NamedTuple):
    """What a step was worth in many copies."""

    rewards: NDArray[np.float64]
    """Shape (copies,)."""
    ends: NDArray[np.bool_]
    """Shape (copies,): true where an episode has ended."""
    info: Mapping[str, Mapping[str, NDArray[np.generic]]] = MappingProxyType({})
    """Further values for logs: arrays with a row for each copy, by group and name."""

    def info_of(self, row: int) -> Info:
        """Return the further values of a copy, single ones as numbers of Python, which print as such."""
        return {
            group: {name: _plain(values[row]) for name, values in part.items()}
            for group, part in self.info.items()
        }


def _plain(value: NDArray[np.generic] | np.generic) -> object:
    return value.item() if isinstance(value, np.generic) else value


class Task:
    """Derive from this class."""

    goal_space: GoalSpace = GoalSpace()
    """What is added to observations."""
    goal: Numbers = NOTHING
    """Its numbers in the running episode."""

    def bind(self, sensors: Sequence[str], motors: Sequence[str]) -> None:
        """Take the names of the numbers in observations and actions, before the first episode.

        Args:
            sensors: `Readings.names`, and those of the goal.
            motors: `Controls.names`.
        """

    def begin(self, simulation: Simulation, random: np.random.Generator) -> None:
        """Change the world for a new episode, for example the place of the goal.

        Args:
            simulation: the world in its initial state; changed fields are reset before the next episode.
            random: the only source of random numbers to use, so that a seed repeats an episode.
        """

    def facts(self) -> Info:
        """Return what `begin` has chosen: the `info` of a reset."""
        return {}

    def judge(self, simulation: Simulation, robot: str, action: NDArray[np.float32]) -> Verdict:
        """Judge a step of a robot.

        Args:
            simulation: the world after the step.
            robot: the robot's name.
            action: what it did, in the order of `Controls.names`.
        """
        raise NotImplementedError


class VectorTask(Task):
    """A task whose rewards follow from observations and actions, so that many copies are judged at once.

    Derive from this class for `RobotVectorEnv` if speed counts. It keeps no state of an episode.
    """

    def judge_all(
        self, observations: NDArray[np.float32], actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the rewards and whether the episodes have ended, each of shape (copies,).

        Args:
            observations: after the step, shape (copies, numbers of sensors), see `Readings.names`.
            actions: what the robots did, shape (copies, numbers of motors), see `Controls.names`.
        """
        raise NotImplementedError

    def judge_copies(self, tasks: Sequence[Task], observations: Numbers, actions: Numbers) -> Judgement:
        """Judge a step of all copies.

        Args:
            tasks: that of each copy, which knows its episode.
            observations: as for `judge_all`.
            actions: as for `judge_all`.
        """
        return Judgement(*self.judge_all(observations, actions))
