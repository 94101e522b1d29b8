"""PPO for robots in a single file, as CleanRL writes its algorithms: all of it can be read and changed.

    python ppo_one_file.py [ID] [--steps N] [--seed N]

Needs PyTorch. The method is that of Schulman et al. 2017, with advantages after Schulman et al. 2015.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Normal

parser = ArgumentParser()
parser.add_argument("task", nargs="?", default="wbridge/EpuckArena-v0")
parser.add_argument("--steps", type=int, default=120_000, help="of all copies together")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--threads", type=int, default=2)
args = parser.parse_args()

COPIES, ROLLOUT, EPOCHS, BATCHES = 16, 128, 8, 8
GAMMA, TRACE, CLIP, RATE = 0.98, 0.95, 0.2, 1e-3
torch.manual_seed(args.seed)
torch.set_num_threads(1)  # the networks are small

# The copies of the world are stepped together. An episode that has ended begins again in the next step.
envs = gymnasium.make_vec(f"wbridge.gym:{args.task}", num_envs=COPIES, threads=args.threads)
inputs, outputs = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
low, high = (torch.tensor(bound) for bound in (envs.single_action_space.low, envs.single_action_space.high))


def layers(last: int, gain: float) -> nn.Sequential:
    """A network with two hidden layers."""
    parts = [nn.Linear(inputs, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, last)]
    for part in parts[::2]:
        nn.init.orthogonal_(part.weight, gain if part is parts[-1] else 2**0.5)
        nn.init.zeros_(part.bias)
    return nn.Sequential(*parts)


actor, critic = layers(outputs, 0.01), layers(1, 1.0)
spread = nn.Parameter(torch.full((outputs,), -0.5))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters(), spread], lr=RATE, eps=1e-5)


class Scale:
    """Running mean and deviation of the observations, which networks get in this unit."""

    def __init__(self) -> None:
        self.mean, self.square, self.count = np.zeros(inputs), np.ones(inputs), 1e-4

    def __call__(self, seen: np.ndarray, learns: bool = True) -> torch.Tensor:
        if learns:
            self.count += len(seen)
            self.mean += (seen - self.mean).sum(axis=0) / self.count
            self.square += (np.square(seen - self.mean) - self.square).sum(axis=0) / self.count
        scaled = (seen - self.mean) / np.sqrt(self.square + 1e-6)
        return torch.tensor(np.clip(scaled, -5, 5), dtype=torch.float32)


def act(actions: torch.Tensor) -> np.ndarray:
    """Actions of -1 to 1 in the units of the motors."""
    return ((low + high) / 2 + (high - low) / 2 * actions.clamp(-1, 1)).numpy().astype(np.float32)


scale = Scale()
observations, _ = envs.reset(seed=args.seed)
seen, was_over = scale(observations), torch.zeros(COPIES)
start, updates = time.time(), args.steps // (COPIES * ROLLOUT)
running, returns = np.zeros(COPIES), []
for update in range(1, updates + 1):
    optimizer.param_groups[0]["lr"] = RATE * (1 - (update - 1) / updates)
    rows = []
    with torch.no_grad():
        for _ in range(ROLLOUT):
            chances = Normal(actor(seen), spread.exp())
            action = chances.sample()
            observations, reward, terminated, truncated, _ = envs.step(act(action))
            is_over = torch.tensor(terminated | truncated, dtype=torch.float32)
            running = np.where(was_over, 0, running) + reward
            returns += running[terminated | truncated].tolist()
            judged = (chances.log_prob(action).sum(1), critic(seen)[:, 0], torch.tensor(reward))
            rows.append((seen, action, *judged, is_over, was_over))
            seen, was_over = scale(observations), is_over
        states, actions, chance, values, rewards, ends, resets = (
            torch.stack(column) for column in zip(*rows, strict=True)
        )
        rewards = rewards.float()

        # Generalized advantages, from the last step back.
        advantages, later, value = torch.zeros_like(values), 0.0, critic(seen)[:, 0]
        for i in reversed(range(ROLLOUT)):
            gap = rewards[i] + GAMMA * value * (1 - ends[i]) - values[i]
            advantages[i] = later = gap + GAMMA * TRACE * (1 - ends[i]) * later
            value = values[i]
    goals = advantages + values
    kept = resets.flatten() == 0  # the step that begins an episode has no action
    data = [part.flatten(0, 1)[kept] for part in (states, actions, chance, advantages, goals)]

    for _ in range(EPOCHS):
        for part in torch.randperm(len(data[0])).chunk(BATCHES):
            states, actions, chance, advantages, goals = (column[part] for column in data)
            chances = Normal(actor(states), spread.exp())
            ratio = (chances.log_prob(actions).sum(1) - chance).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
            loss = -gain + 0.5 * nn.functional.mse_loss(critic(states)[:, 0], goals)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters(), spread], 0.5)
            optimizer.step()
    if update % 10 == 0:
        steps = update * COPIES * ROLLOUT
        rate = steps / (time.time() - start)
        print(f"{steps} steps: return {np.mean(returns[-50:]):.1f}, {rate:.0f} steps per second")
envs.close()

# Ten episodes that the training has not seen, without noise.
envs = gymnasium.make_vec(f"wbridge.gym:{args.task}", num_envs=10, threads=args.threads)
observations, _ = envs.reset(seed=1_000_000)
total, alive = np.zeros(10), np.ones(10, bool)
while alive.any():
    with torch.no_grad():
        actions = act(actor(scale(observations, learns=False)))
    observations, reward, terminated, truncated, _ = envs.step(actions)
    total += reward * alive
    alive &= ~(terminated | truncated)
print(f"return {total.mean():.1f}")
