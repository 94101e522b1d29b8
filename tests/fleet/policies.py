"""Policies with random weights, and the world of a robot that they drive, for tests."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.conftest import CHECKOUT
from wbridge.learning.policies.policy import Input, Layer, Output, Policy
from wbridge.learning.policies.quantized import QuantizedPolicy

__all__ = ["commands_of", "explorer", "mixed", "random_policy", "readings", "world_of"]

Numbers = NDArray[np.float32]
MOTORS = [f"two wheels/{side} wheel motor.set_velocity" for side in ("left", "right")]

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


def world_of(folder: Path) -> Path:
    """Write the world of the robot with two wheels, with a box near it."""
    path = folder / "worlds" / "two_wheels.wbt"
    path.parent.mkdir(exist_ok=True)
    world = (CHECKOUT / "worlds" / "two_wheels.wbt").read_text()
    world = world.replace("translation 0.88 0.05 0.1", "translation 0.43 0.05 0.1")
    path.write_text(world.replace("../protos", f"{CHECKOUT}/protos"))
    return path


def commands_of(trace: Path, policy: Policy | QuantizedPolicy, step_ms: int) -> tuple[Numbers, Numbers]:
    """Return what a recorded run commands, and what the policy computes from what was measured before."""
    with trace.open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = [row for row in rows if round(float(row["time"]) * 1000) % step_ms == 0 and row[MOTORS[0]]]
    seen = np.array([[float(row["two wheels/front.value"] or "nan")] for row in steps[:-1]], np.float32)
    commands = np.array([[float(row[motor]) for motor in MOTORS] for row in steps[1:]], np.float32)
    measured = ~np.isnan(seen[:, 0])
    assert measured.sum() > 20
    return commands[measured], np.stack([policy.act(row) for row in seen[measured]])
