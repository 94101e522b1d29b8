"""What a robot shall learn: where an episode starts, what a step is worth, and when the episode ends."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

__all__ = ["Task", "VectorTask", "Verdict"]


class Verdict(NamedTuple):
    """What a step was worth."""

    reward: float
    is_over: bool = False
    """True if the episode has ended: the goal is reached, or the robot has failed."""
    info: Mapping[str, Any] = MappingProxyType({})
    """Further values for logs."""


class Task:
    """Derive from this class."""

    def begin(self, simulation: Simulation, random: np.random.Generator) -> None:
        """Change the world for a new episode, for example the place of the goal.

        Args:
            simulation: the world in its initial state; changed fields are reset before the next episode.
            random: the only source of random numbers to use, so that a seed repeats an episode.
        """

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
