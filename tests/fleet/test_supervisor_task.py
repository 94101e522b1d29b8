"""The program of a supervisor judges: rewards and ends are those of a task in Python for the same motion."""

from __future__ import annotations

import re
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.fleet.learning_worlds import SPEED, STEP_MS, cart, rail
from tests.fleet.worlds import write_controller
from wbridge.wbfleet.gym import RobotEnv, RobotVectorEnv, SupervisorTask, Task, Verdict
from wbridge.wbfleet.gym.others import OthersError
from wbridge.wbfleet.gym.parallel_env import RobotsEnv

GOAL = 0.1
"""Where the cart arrives (m)."""
FAST = np.array([SPEED], np.float32)
JUDGE = 'Robot { name "judge" supervisor TRUE controller "judge" customData "hello" }\n'
HEAD = """
import json, os, random
from controller import Supervisor
judge = Supervisor()
cart = judge.getFromDef("ROBOT.CART")
judge.setCustomData("before the first step")
while judge.step(8) != -1:
    place = cart.getPosition()[0]
"""
PROGRAM = (
    HEAD
    + f"""
    message = {{"reward": place, "over": place >= {GOAL}, "info": {{"place": place}}}}
    judge.setCustomData(json.dumps(message))
"""
)
NUMBER = HEAD + '    judge.setCustomData("%r" % place)\n'


class Arrive(Task):
    """Judges as PROGRAM does."""

    def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
        place = float(simulation.node("ROBOT.CART").translation[0])
        return Verdict(place, place >= GOAL, {"place": place})


def judged(folder: Path, program: str = PROGRAM) -> Path:
    write_controller(folder, "judge", program)
    return rail(folder, cart(), JUDGE)


def episode(env: RobotEnv, seed: int | None = 1) -> list[tuple[Any, ...]]:
    env.reset(seed=seed)
    made = [env.step(FAST)]
    while not made[-1][2] and len(made) < 60:
        made.append(env.step(FAST))
    return [(one[0].tolist(), *one[1:]) for one in made]


@pytest.mark.parametrize("inline", [True, False])
def test_a_supervisor_judges_as_a_task_does(tmp_path: Path, inline: bool):
    world = judged(tmp_path)
    alone, other = RobotEnv(world, Arrive()), RobotEnv(world, SupervisorTask("judge", inline))
    expected = episode(alone)
    assert expected[-1][2] and len(expected) > 10
    for _ in range(2):  # the second episode begins as the first one did
        assert episode(other) == expected
    alone.close()
    other.close()


def test_gymnasium_accepts_it(tmp_path: Path):
    env = RobotEnv(judged(tmp_path), SupervisorTask("judge", inline=True))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Box (observation|action) space.*")
        warnings.filterwarnings("ignore", ".*not have.*spec.*|.*render.*")
        check_env(env, skip_render_check=True)
    env.close()


def test_rewards_of_all_messages_of_a_step_are_added(tmp_path: Path):
    """A plain number is a reward, too. Four messages come in each step of 32 ms."""
    world = judged(tmp_path, NUMBER)
    fine = RobotEnv(world, SupervisorTask("judge", inline=True))
    coarse = RobotEnv(world, SupervisorTask("judge", inline=True), step_ms=4 * STEP_MS)
    rewards = [one[1] for one in episode(fine)[:12]]
    assert [one[1] for one in episode(coarse)[:3]] == [sum(rewards[i : i + 4]) for i in (0, 4, 8)]
    fine.close()
    coarse.close()


def test_a_supervisor_gets_the_seed_of_each_episode(tmp_path: Path):
    chance = HEAD.replace("while", 'random.seed(os.environ["WBRIDGE_SEED"])\nwhile')
    world = judged(tmp_path, f"{chance}    judge.setCustomData(str(random.random()))\n")
    env = RobotEnv(world, SupervisorTask("judge", inline=True))
    first, second, again = episode(env, 5), episode(env, None), episode(env, 5)
    assert first == again != second
    env.close()


def test_copies_are_judged_one_by_one(tmp_path: Path):
    world = judged(tmp_path)
    single = RobotEnv(world, SupervisorTask("judge", inline=True))
    copies = RobotVectorEnv(world, lambda: SupervisorTask("judge", inline=True), 2)
    copies.reset(seed=1)
    actions = np.array([[SPEED], [0]], np.float32)
    for one in episode(single):
        observations, rewards, ends, *_ = copies.step(actions)
        assert (observations[0].tolist(), rewards[0], ends[0]) == one[:3]
        assert (rewards[1], ends[1]) == (0, False)
    single.close()
    copies.close()


def test_the_supervisor_does_not_learn(tmp_path: Path):
    env = RobotsEnv(judged(tmp_path), SupervisorTask("judge", inline=True))
    env.reset(seed=1)
    _, rewards, *_ = env.step({"cart": FAST})
    assert rewards["cart"] > 0
    env.close()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('judge.setCustomData("well done")', 'customData is "well done"; expected a number, or {"reward"'),
        ("judge.setCustomData('{\"reward\": NaN}')", "expected a number"),
        ("judge.setCustomData('{\"rewards\": 1}')", "expected a number"),
        ('judge.setCustomData("[" * 60000)', "expected a number"),
        ("judge.simulationQuit(0)", "cannot go on: a supervisor has ended the simulation"),
        ("judge.simulationReset()", "a supervisor has reset or reloaded the world"),
        ("raise ValueError", "cannot go on: a controller has failed"),
        ("break", "cannot go on: all controllers have ended"),
    ],
)
def test_faults_of_a_supervisor_are_explained(tmp_path: Path, line: str, words: str):
    world = judged(tmp_path, f"{HEAD}    {line}\n")
    with closing(RobotEnv(world, SupervisorTask("judge", inline=True))) as env:
        env.reset(seed=1)
        with pytest.raises(OthersError, match=re.escape(words)):
            for _ in range(3):
                env.step(FAST)


def test_a_supervisor_that_never_steps_is_given_up(tmp_path: Path):
    world = judged(tmp_path, "while True: pass\n")
    with (
        closing(RobotEnv(world, SupervisorTask("judge", timeout_s=0.3))) as env,
        pytest.raises(OthersError, match="timed out waiting for a controller"),
    ):
        env.reset(seed=1)


def test_wrong_arguments_are_explained(tmp_path: Path):
    world = judged(tmp_path)
    with pytest.raises(ValueError, match="no robot \"jude\"; did you mean 'judge'"):
        RobotEnv(world, SupervisorTask("jude"))
    with pytest.raises(ValueError, match='robot "judge" judges, so it cannot learn'):
        RobotEnv(world, SupervisorTask("judge"), robot="judge")
    with pytest.raises(ValueError, match="threads: expected 1"):
        RobotVectorEnv(world, lambda: SupervisorTask("judge", inline=True), 2, threads=2)
    (tmp_path / "controllers" / "judge" / "judge.py").unlink()
    with pytest.raises(OthersError, match="no controller could be started"):
        RobotEnv(world, SupervisorTask("judge"))
