"""The parts of which a task is declared: rewards, ends, goals, truths, and what varies between episodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbridge.api.fields import Fields
from wbridge.learning.seen import Seen
from wbridge.wbcore.physics.node_view import NodeView
from wbridge.wbcore.simulation import Simulation

__all__ = ["End", "Goal", "Measure", "Push", "Reward", "Truth", "Variation", "Vary", "Varied"]

Measure: TypeAlias = Callable[[Seen], NDArray[np.floating] | NDArray[np.bool_]]
"""Returns a number for each copy, shape (copies,)."""
Varied: TypeAlias = dict[str, float | list[float]]
"""What an episode has chosen, by place."""
QUANTITIES = ("translation", "quaternion", "linear_velocity", "angular_velocity")
"""What a `Truth` can be."""


@dataclass(frozen=True)
class Reward:
    """A term of the reward: in each step, `weight` times what `measure` returns."""

    name: str
    weight: float
    measure: Measure


@dataclass(frozen=True)
class End:
    """An end of the episode, in the step in which `when` is true, and the reward for it."""

    name: str
    when: Measure
    reward: float = 0.0


@dataclass(frozen=True)
class Goal:
    """A number between two bounds that is drawn for each episode, and that observations contain."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Truth:
    """What no sensor of the robot measures: for rewards, and as a privileged observation."""

    node: str
    """A place, as in `sim.node(...)`."""
    quantity: str
    """One of `QUANTITIES`, in the axes of the world (m, 1, m/s, rad/s)."""

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            raise ValueError(f'quantity "{self.quantity}": expected one of {", ".join(QUANTITIES)}')

    def reader(self, simulation: Simulation, fields: Fields) -> Callable[[], NDArray[np.float64]]:
        """Return what reads it from a world.

        Raises:
            UnknownNameError: there is no such node.
        """
        view, quantity = NodeView(simulation.physics, fields.node(self.node)), self.quantity
        return lambda: np.asarray(getattr(view, quantity), np.float64)


class Variation(Protocol):
    """Something that differs between episodes."""

    def apply(self, simulation: Simulation, fields: Fields, random: np.random.Generator) -> Varied:
        """Choose, change the world, and return what was chosen, by place."""


@dataclass(frozen=True)
class Vary:
    """A field, or a component of it, that is drawn for each episode, evenly between two bounds."""

    place: str
    """As in `sim[...]`: "E_PUCK.translation[0]"."""
    low: float
    high: float

    def apply(self, simulation: Simulation, fields: Fields, random: np.random.Generator) -> Varied:
        """Set the field.

        Raises:
            UnknownNameError: there is no such place.
            FieldError: the value does not fit.
        """
        value = float(random.uniform(self.low, self.high))
        fields.set(self.place, value)
        return {self.place: value}


@dataclass(frozen=True)
class Push:
    """A horizontal velocity in any direction with which a solid starts an episode."""

    node: str
    """A place, as in `sim.node(...)`."""
    fastest: float
    """m/s."""

    def apply(self, simulation: Simulation, fields: Fields, random: np.random.Generator) -> Varied:
        """Set the velocity.

        Raises:
            UnknownNameError: there is no such node.
        """
        angle, speed = random.uniform(-np.pi, np.pi), random.uniform(0, self.fastest)
        x, y = float(speed * np.cos(angle)), float(speed * np.sin(angle))
        NodeView(simulation.physics, fields.node(self.node)).set_velocity((x, y, 0.0))
        return {f"{self.node}.velocity": [x, y, 0.0]}
