"""Trains a policy with Stable-Baselines3's PPO, which needs PyTorch."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from wbridge.hal.installation import package_command
from wbridge.learning.policies.policy import Layer, Policy
from wbridge.learning.trainers.setup import Scales, Setup, TrainingError, policy_of, scales_of
from wbridge.wbfleet.gym.env import AnyEnv, AnyWrapper
from wbridge.wbfleet.gym.task import Info

Numbers = NDArray[np.float32]
Torch: TypeAlias = Any
"""An object of PyTorch or Stable-Baselines3, which may be missing."""
STEPS = 60_000
COPIES = 4
ROLLOUT = 512
"""Steps of each copy between two updates."""
DEFAULT_HIDDEN = (32, 32)


def train(setup: Setup) -> Policy:
    """Train a policy.

    Raises:
        TrainingError: Stable-Baselines3 is missing, or the task cannot be trained.
    """
    try:
        baselines = import_module("stable_baselines3")
        environments = import_module("stable_baselines3.common.vec_env")
        monitor = import_module("stable_baselines3.common.monitor")
    except ImportError as problem:
        command = package_command("stable-baselines3")
        raise TrainingError(
            f"--with sb3 needs Stable-Baselines3 ({problem}): {command}; or use --with es"
        ) from None
    scales = scales_of(setup.env_id, setup.seed)
    copies = environments.DummyVecEnv(
        [lambda: monitor.Monitor(ScaledEnv(gymnasium.make(setup.env_id), scales)) for _ in range(COPIES)]
    )
    steps = STEPS if setup.steps is None else setup.steps
    model = baselines.PPO(
        "MlpPolicy",
        copies,
        seed=setup.seed,
        device="cpu",
        n_steps=ROLLOUT,
        gamma=0.98,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": list(setup.hidden or DEFAULT_HIDDEN)},
    )
    while model.num_timesteps < steps:
        model.learn(ROLLOUT * COPIES, reset_num_timesteps=False)
        recent = [episode["r"] for episode in model.ep_info_buffer]
        setup.note(
            f"{model.num_timesteps} of {steps} steps", float(np.mean(recent)) if recent else float("nan")
        )
    copies.close()
    notes = {"trainer": "sb3 PPO", "steps": str(model.num_timesteps), "seed": str(setup.seed)}
    return policy_of(setup.env_id, scales, layers_of_model(model), notes)


def layers_of_model(model: Torch) -> tuple[Layer, ...]:
    """Return the network of the actions of a model of PPO or A2C, which are limited to -1 to 1."""
    hidden = [
        _layer(part, "tanh") for part in model.policy.mlp_extractor.policy_net if hasattr(part, "weight")
    ]
    return (*hidden, _layer(model.policy.action_net, "clip"))


def _layer(linear: Torch, activation: str) -> Layer:
    weights, bias = (part.detach().cpu().numpy().astype(np.float32) for part in (linear.weight, linear.bias))
    return Layer(weights, bias, activation)


class ScaledEnv(AnyWrapper):
    """Observations and actions of -1 to 1, as gradient methods expect them."""

    def __init__(self, env: AnyEnv, scales: Scales) -> None:
        """
        Args:
            env: of a robot.
            scales: its ranges.
        """
        super().__init__(env)
        self._scales = scales
        self.observation_space = Box(-np.inf, np.inf, scales.middle.shape, np.float32)
        self.action_space = Box(-1, 1, scales.center.shape, np.float32)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._scaled(observation), info

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, Info]:
        """Make a step."""
        scales = self._scales
        limited = np.clip(np.asarray(action, np.float32), -1, 1)
        observation, reward, terminated, truncated, info = self.env.step(
            scales.center + scales.reach * limited
        )
        return self._scaled(observation), float(reward), terminated, truncated, info

    def _scaled(self, observation: Numbers) -> Numbers:
        return (observation - self._scales.middle) / self._scales.half
