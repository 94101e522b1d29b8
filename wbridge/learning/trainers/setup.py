"""What all trainers start from: a task, the ranges of its numbers, and episodes that measure a policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from wbridge.learning.policies.policy import Input, Layer, Output, Policy
from wbridge.wbfleet.gym.env import RobotEnv
from wbridge.wbfleet.gym.episodes import Agent

__all__ = ["Act", "AnyVectorEnv", "Scales", "Setup", "TrainingError", "policy_of", "returns_of", "scales_of"]

Numbers = NDArray[np.float32]
Act: TypeAlias = Callable[[Numbers], Numbers]
"""Returns actions for rows of observations."""
AnyVectorEnv: TypeAlias = "VectorEnv[Numbers, Numbers, NDArray[np.bool_]]"
SAMPLES_TO_SCALE = 400
"""Random steps after which the ranges of numbers without bounds are known."""
EPISODES = 10
"""Episodes by which a policy is judged; no trainer sees them."""
JUDGED_FROM = 1_000_000
"""Their first seed."""


class TrainingError(ValueError):
    """A policy cannot be trained; the message says why."""


class Scales(NamedTuple):
    """The ranges of an environment's numbers, which map them to -1 to 1."""

    middle: Numbers
    half: Numbers
    center: Numbers
    """Of actions."""
    reach: Numbers
    """Half the range of actions."""


@dataclass(frozen=True)
class Setup:
    """What is to be trained."""

    env_id: str
    seed: int
    steps: int | None
    """Steps of training; None: the trainer's own choice."""
    hidden: tuple[int, ...]
    """Sizes of the hidden layers."""
    threads: int
    note: Callable[[str, float], None]
    """Called with the progress in words, and the return so far."""


def scales_of(env_id: str, seed: int) -> Scales:
    """Return the ranges of an environment: its bounds, or, without bounds, what random actions reach.

    Raises:
        TrainingError: it is no environment of a robot, or has unlimited actions.
    """
    env = gymnasium.make(env_id)
    try:
        base = env.unwrapped
        if not isinstance(base, RobotEnv):
            raise TrainingError(f"{env_id}: expected a task of wbridge; `wbridge train` lists them")
        low, high = base.agent.controls.low, base.agent.controls.high
        if not np.isfinite([low, high]).all():
            raise TrainingError(f"{env_id}: the actions have no limits")
        least, most = base.agent.low, base.agent.high
        if not np.isfinite([least, most]).all():
            seen = _random_observations(base, seed)
            spread = np.ptp(seen, axis=0)
            least = np.where(np.isfinite(least), least, seen.min(axis=0) - 0.1 * spread)
            most = np.where(np.isfinite(most), most, seen.max(axis=0) + 0.1 * spread)
    finally:
        env.close()
    half = np.maximum((most - least) / 2, np.float32(1e-6))
    return Scales(
        *(each.astype(np.float32) for each in ((least + most) / 2, half, (low + high) / 2, (high - low) / 2))
    )


def _random_observations(env: RobotEnv, seed: int) -> Numbers:
    """Return what random actions lead to."""
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    seen = [observation]
    for _ in range(SAMPLES_TO_SCALE):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            observation, _ = env.reset()
        seen.append(observation)
    return np.stack(seen)


def policy_of(env_id: str, scales: Scales, layers: tuple[Layer, ...], notes: dict[str, str]) -> Policy:
    """Return a policy whose network has inputs and outputs of -1 to 1.

    Args:
        env_id: the task.
        scales: its ranges.
        layers: the network; the last layer has no activation or "clip".
        notes: how it was trained.
    """
    env = gymnasium.make(env_id)
    assert isinstance(env.unwrapped, RobotEnv), "scales_of has checked it"
    agent = env.unwrapped.agent
    env.close()
    first, *others = layers
    weights = (first.weights / scales.half).astype(np.float32)
    scaled = Layer(weights, first.bias - weights @ scales.middle, first.activation)
    to_actions = Layer(np.diag(scales.reach), scales.center)
    return Policy(
        inputs_of(agent, scales),
        outputs_of(agent),
        (scaled, *others, to_actions),
        agent.step_ms,
        env_id,
        notes,
    )


def inputs_of(agent: Agent, scales: Scales) -> tuple[Input, ...]:
    """Return the inputs of a policy for an agent."""
    sources = [*agent.readings.sources, *((("", "", 0),) * len(agent.task.goal_space.names))]
    bounds = zip(agent.low.tolist(), agent.high.tolist(), strict=True)
    ranges = zip((scales.middle - scales.half).tolist(), (scales.middle + scales.half).tolist(), strict=True)
    return tuple(
        Input(name, *source, *bound, *scale)
        for name, source, bound, scale in zip(agent.names, sources, bounds, ranges, strict=True)
    )


def outputs_of(agent: Agent) -> tuple[Output, ...]:
    """Return the outputs of a policy for an agent."""
    limits = zip(agent.controls.low.tolist(), agent.controls.high.tolist(), strict=True)
    return tuple(
        Output(*_split(name), low, high)
        for name, (low, high) in zip(agent.controls.names, limits, strict=True)
    )


def _split(name: str) -> tuple[str, str]:
    """Return the motor and the mode of a number in actions."""
    motor, _, mode = name.rpartition(".")
    return motor, mode


def returns_of(env_id: str, act: Act, episodes: int = EPISODES, threads: int = 1) -> NDArray[np.float64]:
    """Return the sums of rewards of episodes that no trainer has seen, shape (episodes,)."""
    copies: AnyVectorEnv = gymnasium.make_vec(env_id, num_envs=episodes, threads=threads)
    try:
        return episode(copies, act, list(range(JUDGED_FROM, JUDGED_FROM + episodes)))
    finally:
        copies.close()


def episode(copies: AnyVectorEnv, act: Act, seeds: list[int]) -> NDArray[np.float64]:
    """Make an episode in each copy; return the sums of rewards.

    Args:
        copies: of an environment.
        act: the policy.
        seeds: of the episodes.
    """
    observations, _ = copies.reset(seed=seeds)  # type: ignore[arg-type]  # a list is allowed, too
    totals, is_running = np.zeros(copies.num_envs), np.ones(copies.num_envs, np.bool_)
    while is_running.any():
        observations, rewards, ends, cuts, _ = copies.step(act(observations))
        totals += np.where(is_running, rewards, 0.0)
        is_running &= ~(ends | cuts)
    return totals
