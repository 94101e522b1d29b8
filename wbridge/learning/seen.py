"""What the terms of a task are computed from: arrays with a row for each copy of a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wbridge.api.names import unknown
from wbridge.wbfleet.gym.choice import matching

__all__ = ["Seen"]

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Seen:
    """A step of all copies: observations, actions, and what no sensor measures."""

    sensors: tuple[str, ...]
    """Names of the numbers in an observation."""
    motors: tuple[str, ...]
    """Names of the numbers in an action."""
    observations: Numbers
    """Shape (copies, numbers of sensors)."""
    actions: Numbers
    """Shape (copies, numbers of motors)."""
    truths: Mapping[str, NDArray[np.float64]]
    """Of the task's `truths`, by name: shape (copies, numbers)."""

    def __getitem__(self, name: str) -> Numbers:
        """Return a number of the observation, shape (copies,).

        Raises:
            UnknownNameError: observations do not have it.
        """
        return self.observations[:, _place(self.sensors, name)]

    def every(self, pattern: str) -> Numbers:
        """Return the numbers of an observation whose names match a pattern with `*`, shape (copies, matches).

        Raises:
            UnknownDevice: none does.
        """
        return self.observations[:, _places(self.sensors, pattern)]

    def action(self, name: str) -> Numbers:
        """Return a number of the action, shape (copies,), before it is clipped to the limits.

        Raises:
            UnknownNameError: actions do not have it.
        """
        return self.actions[:, _place(self.motors, name)]


@lru_cache(maxsize=256)
def _place(names: tuple[str, ...], name: str) -> int:
    if name not in names:
        raise unknown(f'there is no number "{name}"', name, names, "numbers")
    return names.index(name)


@lru_cache(maxsize=256)
def _places(names: Sequence[str], pattern: str) -> list[int]:
    return matching(pattern, names, "of the task", "numeric sensor")
