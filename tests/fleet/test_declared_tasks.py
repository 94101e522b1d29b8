"""Declared tasks: judged by Gymnasium's checker, by uniform motion, and by the fields of the world."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from importlib.metadata import EntryPoint
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.fleet.declared_cart import ARRIVED, cart_task
from tests.fleet.learning_worlds import SPEED, STEP_MS
from wbridge.api.fields import Fields
from wbridge.gym import DeclaredTask, Reward, Truth, make_env, make_vector_env
from wbridge.learning.registry import GROUP, SAMPLES, register_all
from wbridge.wbfleet.gym.parallel_env import RobotsEnv

FAST = np.array([SPEED], np.float32)
STEP_S = 2 * STEP_MS / 1000


def test_an_id_with_the_module_needs_no_import():
    program = "import gymnasium as g; e = g.make('wbridge.gym:wbridge/ArmReach-v0'); print(e.spec.id)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "wbridge/ArmReach-v0\n"


@pytest.mark.parametrize("name", SAMPLES)
def test_gymnasium_accepts_each_registered_id(name: str):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Box (observation|action) space.*")
        env = gymnasium.make(f"wbridge/{name}", episode_s=0.5)
        check_env(env.unwrapped, skip_render_check=True)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert info["varied"]
    *_, ended = (env.step(env.action_space.sample()) for _ in range(8))
    assert sum(ended[4]["rewards"].values()) == pytest.approx(ended[1])
    env.close()


def test_the_reward_is_the_sum_of_the_terms(tmp_path: Path):
    """The cart reaches its velocity in a step; what its sensor and its pose say is the same way."""
    env = make_env(cart_task(tmp_path))
    _, info = env.reset(seed=1)
    before, *_ = env.step(FAST)
    seen, reward, *_, info = env.step(FAST)
    place, goal = seen
    assert place - before[0] == pytest.approx(SPEED * STEP_S, rel=1e-5)
    assert info["rewards"] == pytest.approx(
        {"place": 10 * place, "command": -0.5, "gap": goal - place, "arrived": 0}
    )
    assert reward == pytest.approx(10 * place - 0.5 + goal - place)
    assert {type(value) for value in info["rewards"].values()} == {float}  # they print as numbers
    assert info["truth"]["cart"][0] == pytest.approx(place, abs=1e-6)


def test_an_end_has_its_own_reward(tmp_path: Path):
    env = make_env(cart_task(tmp_path))
    env.reset(seed=1)
    outcomes = [env.step(FAST)]
    while not outcomes[-1][2]:
        outcomes.append(env.step(FAST))
    assert len(outcomes) == pytest.approx(ARRIVED / (SPEED * STEP_S), abs=1.5)
    assert outcomes[-1][4]["ends"] == {"arrived": True}
    assert outcomes[-1][4]["rewards"]["arrived"] == 5
    assert outcomes[-2][4]["rewards"]["arrived"] == 0


def test_what_varies_is_in_the_world_and_in_the_info(tmp_path: Path):
    env = make_env(cart_task(tmp_path))
    fields = Fields(env.unwrapped.simulation)
    seen = [env.reset(seed=seed) for seed in (1, 2, 1)]
    varied = [info["varied"] for _, info in seen]
    assert varied[0] == varied[2] != varied[1]
    for place, (low, high) in {
        "ROBOT.translation[1]": (-2, 2),
        "ROBOT.CART.physics.density": (100, 900),
    }.items():
        assert low < varied[2][place] < high
        assert fields.get(place) == pytest.approx(varied[2][place])
    assert seen[2][0][1] == pytest.approx(varied[2]["goal"])
    assert 1 < varied[2]["goal"] < 2


def test_copies_are_what_single_ones_are_on_any_number_of_threads(tmp_path: Path):
    task = cart_task(tmp_path)
    single = make_env(task)
    first, begun = single.reset(seed=8)
    steps = [single.step(FAST) for _ in range(4)]
    assert steps[-1][2]
    for threads in (1, 2):
        copies = make_vector_env(task, num_envs=3, threads=threads)
        observations, info = copies.reset(seed=7)
        assert np.array_equal(observations[1], first)
        assert info["varied"]["ROBOT.translation[1]"][1] == begun["varied"]["ROBOT.translation[1]"]
        for seen, reward, ended, _, step_info in steps:
            observations, rewards, ends, _, info = copies.step(np.tile(FAST, (3, 1)))
            assert np.array_equal(observations[1], seen)
            assert (rewards[1], ends[1]) == (reward, ended)
            assert info["rewards"]["gap"][1] == step_info["rewards"]["gap"]
            assert np.array_equal(info["truth"]["cart"][1], step_info["truth"]["cart"])
        copies.close()


def test_copies_say_what_the_next_episode_has_chosen(tmp_path: Path):
    copies = make_vector_env(cart_task(tmp_path), num_envs=2, episode_s=STEP_S)
    copies.reset(seed=1)
    actions = np.zeros((2, 1), np.float32)
    *_, cuts, _ = copies.step(actions)
    assert cuts.all()
    observations, rewards, *_, info = copies.step(actions)
    assert rewards.tolist() == [0, 0]
    assert observations[:, 1] == pytest.approx(info["varied"]["goal"])


def test_tasks_of_other_packages_are_registered_by_their_entry_points():
    place = "wbridge.learning.tasks.two_wheels_explore:TwoWheelsExplore"
    register_all([EntryPoint("mine/Arena-v0", place, GROUP)])
    try:
        env = gymnasium.make("mine/Arena-v0", step_ms=32)
        assert env.unwrapped.agent.step_ms == 32
        env.close()
    finally:
        gymnasium.registry.pop("mine/Arena-v0")


def test_privileged_observations_and_pictures_are_parts_of_a_dict():
    env = gymnasium.make("wbridge/EpuckArena-v0", cameras=["camera"], privileged=True, observations=["gs*"])
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert {key: part.shape for key, part in seen.items()} == {
        "sensors": (3,),
        "camera": (39, 52, 3),
        "truth": (6,),
    }
    assert seen["truth"][:3] == pytest.approx(info["truth"]["position"])
    env.close()


def test_several_robots_share_a_declared_task(tmp_path: Path):
    task = cart_task(tmp_path)
    env = RobotsEnv(task.world, task(), step_ms=STEP_MS, observations=["place"])
    observations, infos = env.reset(seed=1)
    assert observations["cart"].shape == env.observation_space("cart").shape == (2,)
    assert infos["cart"]["varied"]["goal"] == pytest.approx(observations["cart"][1])
    _, rewards, _, _, infos = env.step({"cart": FAST})
    assert sum(infos["cart"]["rewards"].values()) == pytest.approx(rewards["cart"])


def test_wrong_declarations_are_explained(tmp_path: Path):
    task = cart_task(tmp_path)
    with pytest.raises(ValueError, match=re.escape('no setting "step"; did you mean')):
        make_env(task, step=3)
    with pytest.raises(ValueError, match=r"\"camras\"; did you mean 'cameras'\?; allowed: .*privileged"):
        make_env(task, camras=["camera"])
    with pytest.raises(ValueError, match="did you mean 'threads'"):
        make_vector_env(task, thread=2)
    with pytest.raises(ValueError, match='has no class "Arm"'):
        make_env("wbridge.learning.tasks.arm_reach:Arm")
    with pytest.raises(ValueError, match="expected one of translation, quaternion"):
        Truth("CART", "speed")

    class Wrong(task):
        rewards = (Reward("placed", 1, lambda seen: seen["plaice"]),)

    env = make_env(Wrong)
    env.reset(seed=1)
    with pytest.raises(KeyError, match="did you mean 'place'"):
        env.step(FAST)

    class Bare(DeclaredTask):
        world = task.world

    with pytest.raises(ValueError, match="declares no truths"):
        make_env(Bare, privileged=True)
