"""A policy in whole numbers, for boards without a floating-point unit: weights of 8 bits, values of 16.

The generated program in C computes the same numbers bit by bit (wbridge/learning/policies/c_program.py).

* An input is a number of 16 bits: -32767 to 32767 for the range in which it was while the policy was trained.
* Row i of a layer has weights of 8 bits, multiplied by 2^shift[i]; its sum has 32 bits.
* What follows is a number of 16 bits with `FRACTION` bits behind the point, limited to -16 to 16.
* tanh is read from a table with linear interpolation; its values have 15 bits behind the point.
* An output is the sum itself, as a part of the motor's range.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.policies.policy import Policy

__all__ = ["FRACTION", "FULL", "QuantizedLayer", "QuantizedPolicy", "TABLE", "TABLE_BITS"]

Integers = NDArray[np.int64]
FULL = 32767
"""The largest number of 16 bits."""
INPUT_BITS = 15
"""Bits behind the point of inputs and of values after tanh."""
FRACTION = 11
"""Bits behind the point of sums and of values after relu."""
UNIT = 1 << FRACTION
"""1, as a sum."""
TABLE_BITS = 7
"""Bits of a sum between two entries of the table: 1/16."""
TABLE = np.rint(np.tanh(np.arange(129) / 16) * FULL).astype(np.int64)
"""tanh of 0 to 8."""
WIDEST = 127
MOST_SHIFT = 20
MOST_INPUTS = 256
"""Of a layer: 2^30 of the bias and 2^30 of the products are the most that a sum has."""


@dataclass(frozen=True)
class QuantizedLayer:
    """A layer in whole numbers."""

    weights: Integers
    """Shape (outputs, inputs), -127 to 127."""
    bias: Integers
    """Shape (outputs,), in the units of the sums."""
    shift: Integers
    """Shape (outputs,): bits by which the sums are shifted to the right; negative to the left."""
    activation: str

    def apply(self, values: Integers) -> Integers:
        """Return the outputs for rows of inputs."""
        sums = shifted(values @ self.weights.T + self.bias, self.shift)
        return activated(sums, self.activation)

    @property
    def bits(self) -> int:
        """Bits behind the point of the outputs."""
        return INPUT_BITS if self.activation == "tanh" else FRACTION


class QuantizedPolicy:
    """Turns observations into actions in whole numbers."""

    def __init__(self, policy: Policy) -> None:
        """
        Raises:
            ValueError: an input was never seen in training, so that its range is not known; or a layer is
                too wide.
        """
        self.policy = policy
        ranges = np.array([(each.least, each.most) for each in policy.inputs], np.float64)
        if not np.isfinite(ranges).all():
            names = [
                each.name
                for each, row in zip(policy.inputs, ranges, strict=True)
                if not np.isfinite(row).all()
            ]
            raise ValueError(f"the range of these inputs is not known: {', '.join(names)}")
        widest = max(layer.weights.shape[1] for layer in policy.layers)
        if widest > MOST_INPUTS:
            raise ValueError(f"a layer has {widest} inputs; sums of 32 bits have room for {MOST_INPUTS}")
        self.middle = ranges.mean(axis=1).astype(np.float32)
        self.factor = (FULL / np.maximum(np.ptp(ranges, axis=1) / 2, 1e-6)).astype(np.float32)
        """What inputs are multiplied by, after the middle was subtracted."""
        low, high = (limits.astype(np.float64) for limits in policy.limits)
        self.center = ((low + high) / 2).astype(np.float32)
        self.unit = ((high - low) / 2 / (1 << FRACTION)).astype(np.float32)
        """Of an output (rad, m, rad/s, ...)."""
        layers = self._layers(low, high)
        if len(layers) > 1 and layers[-2].activation == "clip" and _is_identity(layers[-1]):
            layers.pop()  # the layer before limits the outputs already
        self.layers = tuple(layers)

    def _layers(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> list[QuantizedLayer]:
        """Return the layers, with ranges of inputs in the first and of outputs in the last."""
        quantized: list[QuantizedLayer] = []
        bits = INPUT_BITS
        last = len(self.policy.layers) - 1
        for number, layer in enumerate(self.policy.layers):
            weights, bias = layer.weights.astype(np.float64), layer.bias.astype(np.float64)
            if number == 0:
                bias = bias + weights @ self.middle
                weights = weights * (FULL / self.factor.astype(np.float64))
            if number == last:
                half = (high - low) / 2
                bias, weights = (bias - (low + high) / 2) / half, weights / half[:, None]
            activation = layer.activation if number < last else "clip"
            quantized.append(_quantized(weights, bias, bits, activation))
            bits = quantized[-1].bits
        return quantized

    def act(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the actions for observations, shape (outputs,) or (copies, outputs)."""
        scaled = (np.asarray(observations, np.float32) - self.middle) * self.factor
        values = np.floor(np.clip(scaled, -FULL, FULL) + np.float32(0.5)).astype(np.int64)
        for layer in self.layers:
            values = layer.apply(values)
        actions: NDArray[np.float32] = self.center + values.astype(np.float32) * self.unit
        return actions


def _quantized(
    weights: NDArray[np.float64], bias: NDArray[np.float64], bits: int, activation: str
) -> QuantizedLayer:
    """Return a layer whose inputs have a number of bits behind the point."""
    largest = np.maximum(np.abs(weights).max(axis=1), 2.0**-MOST_SHIFT)
    shift = np.floor(np.log2(WIDEST / largest)).astype(np.int64)
    scaled = np.rint(weights * 2.0 ** shift[:, None]).astype(np.int64)
    limit = 2.0**30
    biases = np.rint(np.clip(bias * 2.0 ** (shift + bits), -limit, limit)).astype(np.int64)
    return QuantizedLayer(scaled, biases, shift + bits - FRACTION, activation)


def _is_identity(layer: QuantizedLayer) -> bool:
    """Return True if the outputs of a layer are its inputs."""
    count = len(layer.bias)
    sums = np.eye(count, dtype=np.int64) * UNIT
    return layer.weights.shape == (count, count) and np.array_equal(layer.apply(sums), sums)


def shifted(sums: Integers, shift: Integers) -> Integers:
    """Return sums shifted to the right, rounded to the nearest, and limited to 16 bits."""
    right = np.maximum(shift, 0)
    half = np.where(right > 0, 1 << np.maximum(right - 1, 0), 0)
    moved = (sums + half) >> right
    moved = np.clip(moved, -FULL, FULL) << np.maximum(-shift, 0)
    limited: Integers = np.clip(moved, -FULL, FULL)
    return limited


def activated(sums: Integers, activation: str) -> Integers:
    """Return what follows a layer."""
    if activation == "relu":
        return np.maximum(sums, 0)
    if activation == "clip":
        return np.clip(sums, -UNIT, UNIT)
    return _tanh(sums) if activation == "tanh" else sums


def _tanh(sums: Integers) -> Integers:
    size = np.minimum(np.abs(sums), (8 << FRACTION) - 1)
    place, rest = size >> TABLE_BITS, size & (1 << TABLE_BITS) - 1
    low, high = TABLE[place], TABLE[place + 1]
    values: Integers = np.sign(sums) * (low + ((high - low) * rest >> TABLE_BITS))
    return values
