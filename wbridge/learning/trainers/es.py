"""Trains a small network by the cross-entropy method, in NumPy alone: no gradients, no further packages.

Each generation draws candidates from a normal distribution over all weights, lets each of them make the same
episodes, in copies of the world that are stepped together, and moves the distribution to the best ones
(Rubinstein 1999; the added noise is that of Szita and Lorincz 2006).
"""

from __future__ import annotations

import math
from functools import partial

import gymnasium
import numpy as np
from numpy.typing import NDArray

from wbridge.learning.policies.policy import Layer, Policy
from wbridge.learning.trainers.setup import AnyVectorEnv, Scales, Setup, episode, policy_of, scales_of

Numbers = NDArray[np.float32]
CANDIDATES, EPISODES_EACH, BEST = 16, 2, 5
GENERATIONS = 30
FIRST_SPREAD, ADDED = 1.0, 0.2
"""Standard deviation of the weights at the start, and what is added to it at first."""
FINAL_ROUNDS = 4
"""After the last generation, by which the best candidate is chosen."""
DEFAULT_HIDDEN = (8,)


def train(setup: Setup) -> Policy:
    """Train a policy; the same setup gives the same policy.

    Raises:
        TrainingError: the task cannot be trained.
    """
    scales = scales_of(setup.env_id, setup.seed)
    network = Network(len(scales.middle), setup.hidden or DEFAULT_HIDDEN, len(scales.center))
    random = np.random.default_rng(setup.seed)
    copies = gymnasium.make_vec(setup.env_id, num_envs=CANDIDATES * EPISODES_EACH, threads=setup.threads)
    race = Race(copies, network, scales, random)
    mean, spread = np.zeros(network.size), np.full(network.size, FIRST_SPREAD)
    generations = GENERATIONS if setup.steps is None else max(1, setup.steps)
    try:
        for number in range(generations):
            candidates = mean + spread * random.standard_normal((CANDIDATES, network.size))
            candidates[0] = mean
            returns = race.returns(candidates)
            best = candidates[np.argsort(-returns, kind="stable")[:BEST]]
            mean = best.mean(axis=0)
            spread = best.std(axis=0) + ADDED * max(0.0, 1 - 2 * number / generations)
            setup.note(f"generation {number + 1} of {generations}", float(returns.max()))
        finalists = np.concatenate([mean[None], best, candidates[1 : CANDIDATES - BEST]])
        chosen = finalists[np.argmax(sum(race.returns(finalists) for _ in range(FINAL_ROUNDS)))]
    finally:
        copies.close()
    notes = {"trainer": "es", "generations": str(generations), "seed": str(setup.seed)}
    weights = [
        Layer(layer.weights[0], layer.bias[0], layer.activation) for layer in network.layers(chosen[None])
    ]
    return policy_of(setup.env_id, scales, tuple(weights), notes)


class Network:
    """The shapes of a network, whose weights are one array for each candidate."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], outputs: int) -> None:
        sizes = [inputs, *hidden, outputs]
        self._shapes = [(after, before) for before, after in zip(sizes[:-1], sizes[1:], strict=True)]
        self.size = sum(after * (before + 1) for after, before in self._shapes)
        """Number of weights."""

    def layers(self, candidates: NDArray[np.float64]) -> list[Layer]:
        """Return the layers, whose arrays have a row for each candidate."""
        layers, place = [], 0
        rows = candidates.astype(np.float32)
        for number, (after, before) in enumerate(self._shapes):
            weights = rows[:, place : place + after * before].reshape(-1, after, before) / math.sqrt(before)
            place += after * before
            bias = rows[:, place : place + after]
            place += after
            layers.append(Layer(weights, bias, "tanh" if number < len(self._shapes) - 1 else "clip"))
        return layers


class Race:
    """Episodes that all candidates make: in each round other ones, but the same for each candidate."""

    def __init__(
        self, copies: AnyVectorEnv, network: Network, scales: Scales, random: np.random.Generator
    ) -> None:
        self._copies, self._network, self._scales, self._random = copies, network, scales, random

    def returns(self, candidates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean return of each candidate in the next round."""
        layers = self._network.layers(np.repeat(candidates, EPISODES_EACH, axis=0))
        seeds = self._random.integers(2**31, size=EPISODES_EACH).tolist() * CANDIDATES
        returns = episode(self._copies, partial(_act, layers, self._scales), seeds)
        means: NDArray[np.float64] = returns.reshape(CANDIDATES, EPISODES_EACH).mean(axis=1)
        return means


def _act(layers: list[Layer], scales: Scales, observations: Numbers) -> Numbers:
    """Return the action of each candidate in its own copy: one product of matrices for all of them."""
    values = (observations - scales.middle) / scales.half
    for layer in layers:
        sums = np.matmul(layer.weights, values[:, :, None])[:, :, 0] + layer.bias
        values = np.tanh(sums) if layer.activation == "tanh" else np.clip(sums, -1, 1)
    return scales.center + scales.reach * values
