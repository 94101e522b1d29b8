"""Policies with random weights, for tests."""

from __future__ import annotations

import numpy as np

from wbridge.learning.policies.policy import Input, Layer, Output, Policy

__all__ = ["explorer", "random_policy", "readings"]

FRONT = Input("front", "front", "DistanceSensor", 0, 0, 1000, 0, 1000)
GYRO = tuple(
    Input(f"gyro.{axis}", "gyro", "Gyro", place, -np.inf, np.inf, -3, 5) for place, axis in enumerate("xyz")
)
GOAL = Input("goal", "", "", 0, 1, 2, 1, 2)
WHEELS = tuple(Output(f"{side} wheel motor", "velocity", -12, 12) for side in ("left", "right"))


def random_policy(
    inputs: tuple[Input, ...], outputs: tuple[Output, ...], activations: tuple[str, ...], seed: int = 0
) -> Policy:
    """Return a policy with hidden layers of 6, one for each activation but the last, that of the outputs."""
    random = np.random.default_rng(seed)
    middle = np.array([(each.least + each.most) / 2 for each in inputs])
    half = np.array([(each.most - each.least) / 2 for each in inputs])
    sizes = [len(inputs), *[6] * (len(activations) - 1), len(outputs)]
    layers = []
    for number, activation in enumerate(activations):
        weights = random.normal(size=(sizes[number + 1], sizes[number])) / np.sqrt(sizes[number])
        bias = random.normal(size=sizes[number + 1]) / 2
        if number == 0:
            weights = weights / half
            bias = bias - weights @ middle
        layers.append(Layer(weights.astype(np.float32), bias.astype(np.float32), activation))
    reach = np.diag([(output.high - output.low) / 2 for output in outputs]).astype(np.float32)
    center = np.array([(output.high + output.low) / 2 for output in outputs], np.float32)
    return Policy(inputs, outputs, (*layers, Layer(reach, center)), 32, "wbridge/TwoWheelsExplore-v0")


def explorer() -> Policy:
    """Return a policy for the robot of worlds/two_wheels.wbt."""
    return random_policy((FRONT,), WHEELS, ("tanh", "clip"), seed=9)


def mixed(hidden: str) -> Policy:
    """Return a policy with all kinds of inputs and outputs."""
    outputs = (*WHEELS, Output("arm", "position", -1, 2))
    return random_policy((FRONT, *GYRO, GOAL), outputs, (hidden, hidden, "clip"), seed=5)


def readings(policy: Policy, count: int, seed: int = 1) -> np.ndarray:
    """Return observations, some of them beyond the ranges of training."""
    random = np.random.default_rng(seed)
    ranges = np.array([(each.least, each.most) for each in policy.inputs])
    spread = np.ptp(ranges, axis=1)
    seen = random.uniform(ranges[:, 0] - 0.2 * spread, ranges[:, 1] + 0.2 * spread, (count, len(ranges)))
    limits = np.array([(each.low, each.high) for each in policy.inputs])
    return np.clip(seen, limits[:, 0], limits[:, 1]).astype(np.float32)
