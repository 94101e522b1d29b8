"""A policy: a network of a few layers, with the names of what goes in and comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
ACTIVATIONS = ("none", "tanh", "relu", "clip")
"""What follows a layer: nothing, tanh, max(0, x), or a limit to -1 and 1."""


class Input(NamedTuple):
    """A number that a policy reads."""

    name: str
    """As in an observation: "ps0", "gyro.x"."""
    device: str
    """The sensor; "" for a goal."""
    kind: str
    """Type of the sensor: "DistanceSensor"; "" for a goal."""
    place: int
    """Which of the sensor's numbers; 0 if it has a single one."""
    low: float
    """Readings are limited to this range; infinite without a limit."""
    high: float
    least: float
    """The range in which readings were while the policy was trained."""
    most: float


class Output(NamedTuple):
    """A number that a policy commands."""

    motor: str
    mode: str
    """"position" (rad, m), "velocity" (rad/s, m/s) or "force" (N m, N)."""
    low: float
    high: float


@dataclass(frozen=True)
class Layer:
    """`activation(weights x + bias)`."""

    weights: Numbers
    """Shape (outputs, inputs)."""
    bias: Numbers
    """Shape (outputs,)."""
    activation: str = "none"
    """One of `ACTIVATIONS`."""

    def apply(self, values: Numbers) -> Numbers:
        """Return the outputs for rows of inputs."""
        sums = values @ self.weights.T + self.bias
        return activated(sums, self.activation)


@dataclass(frozen=True)
class Policy:
    """Turns observations into actions."""

    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    layers: tuple[Layer, ...]
    step_ms: int
    """Time between two actions (ms)."""
    task: str = ""
    """The id of the task that it was trained for."""
    notes: dict[str, str] = field(default_factory=dict)
    """How it was trained, and what it reached."""

    def act(self, observations: Numbers) -> Numbers:
        """Return the actions for observations, shape (outputs,) or (copies, outputs)."""
        values = np.asarray(observations, np.float32)
        for layer in self.layers:
            values = layer.apply(values)
        low, high = self.limits
        actions: Numbers = np.clip(values, low, high)
        return actions

    def check_goal(self, goal: tuple[float, ...]) -> None:
        """Check the numbers of a goal.

        Raises:
            ValueError: there are too few or too many.
        """
        names = [each.name for each in self.inputs if not each.kind]
        if len(goal) != len(names):
            listed = ", ".join(names) or "none"
            raise ValueError(f"goal: expected {len(names)} numbers ({listed}), not {len(goal)}")

    @property
    def limits(self) -> tuple[Numbers, Numbers]:
        """The least and the greatest actions."""
        pairs = np.array([(output.low, output.high) for output in self.outputs], np.float32)
        return pairs[:, 0], pairs[:, 1]


def activated(sums: Numbers, activation: str) -> Numbers:
    """Return what follows a layer."""
    values: Numbers = sums
    if activation == "tanh":
        values = np.tanh(sums)
    elif activation == "relu":
        values = np.maximum(sums, np.float32(0))
    elif activation == "clip":
        values = np.clip(sums, -1, 1)
    return values


def merged(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Return layers in which no two without an activation follow each other."""
    merged_layers: list[Layer] = []
    for layer in layers:
        if merged_layers and merged_layers[-1].activation == "none":
            before = merged_layers.pop()
            weights = layer.weights.astype(np.float64) @ before.weights
            bias = layer.weights.astype(np.float64) @ before.bias + layer.bias
            layer = Layer(weights.astype(np.float32), bias.astype(np.float32), layer.activation)
        merged_layers.append(layer)
    return tuple(merged_layers)
