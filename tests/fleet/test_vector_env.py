"""Many copies stepped natively do what each of them does alone, bit by bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fleet.learning_worlds import cart, rail
from wbridge.wbfleet.gym import RobotEnv, RobotVectorEnv, Task, VectorTask, Verdict

COUNT, STEPS = 5, 60


class Place(Task):
    """The reward is the cart's place, told by its node."""

    def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
        x = float(simulation.node("ROBOT.CART").translation[0])
        return Verdict(x, x > 0.1, {"x": x})


class PlaceOfSensor(VectorTask):
    """The reward is the cart's place, told by its sensor."""

    def judge_all(self, observations: Any, actions: Any) -> tuple[Any, Any]:
        return observations[:, 0].astype(float), observations[:, 0] > 0.1


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return rail(tmp_path, cart(noise="noise 0.01"))


def alone(world: Path, task: Task, seed: int, actions: np.ndarray, **settings: Any) -> list[tuple[Any, ...]]:
    """What one copy does, which begins again after its ends."""
    env = RobotEnv(world, task, **settings)
    seen: list[tuple[Any, ...]] = [(env.reset(seed=seed)[0].tolist(), 0.0, False, False)]
    is_over = False
    for action in actions:
        if is_over:
            seen.append((env.reset()[0].tolist(), 0.0, False, False))
            is_over = False
            continue
        observation, reward, terminated, truncated, _ = env.step(action)
        seen.append((observation.tolist(), reward, terminated, truncated))
        is_over = terminated or truncated
    env.close()
    return seen


@pytest.mark.parametrize("task", [Place, PlaceOfSensor])
@pytest.mark.parametrize("threads", [1, 3])
def test_copies_do_what_they_do_alone(world: Path, task: type[Task], threads: int) -> None:
    settings: dict[str, Any] = {"step_ms": 16, "episode_s": 0.64}
    env = RobotVectorEnv(world, task, COUNT, threads=threads, **settings)
    random = np.random.default_rng(1)
    low, high = env.single_action_space.low, env.single_action_space.high
    actions = random.uniform(low, high, (STEPS, COUNT, 1)).astype(np.float32)
    actions[:, 0] = high  # this one reaches the end
    seen: list[list[tuple[Any, ...]]] = [[(one.tolist(), 0.0, False, False)] for one in env.reset(seed=5)[0]]
    for row in actions:
        observations, rewards, terminated, truncated, _ = env.step(row)
        for i in range(COUNT):
            seen[i].append((observations[i].tolist(), rewards[i], bool(terminated[i]), bool(truncated[i])))
    env.close()
    for i in range(COUNT):
        assert seen[i] == alone(world, task(), 5 + i, actions[:, i], **settings)
    assert sum(one[2] for one in seen[0]) > 3 and sum(one[3] for one in seen[1]) >= 1


def test_a_task_may_change_the_world(world: Path) -> None:
    """A device that is switched off by a task makes no native step."""

    class Blind(Place):
        def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
            simulation.robots.list[0].device("eye").on_enable(0)
            return super().judge(simulation, robot, action)

    env = RobotVectorEnv(world, Blind, 2, step_ms=16)
    env.reset(seed=1)
    rewards = [env.step(env.action_space.high)[1].tolist() for _ in range(10)]
    assert rewards == sorted(rewards) and rewards[0][0] < rewards[-1][0]
    env.close()


def test_a_gps_on_a_robot_that_does_not_move_is_measured_natively(tmp_path: Path) -> None:
    """Judge: the place in the world file; the velocity is 0."""
    with_gps = cart().replace("DistanceSensor", 'GPS { name "gps" translation 0 0 1 } DistanceSensor', 1)
    env = RobotVectorEnv(rail(tmp_path, with_gps), Place, 2, step_ms=16)
    env.reset(seed=1)
    for _ in range(3):
        observations = env.step(env.action_space.high)[0]
    assert env._batch.is_in.all()
    first = env._copies[0].agents[0].readings.names.index("gps.position.x")
    assert observations[:, first : first + 7].tolist() == [[0, 0, pytest.approx(1.1), 0, 0, 0, 0]] * 2
    env.close()
