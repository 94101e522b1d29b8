"""Several robots as a PettingZoo environment: judged by PettingZoo's own test."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import parallel_api_test

from tests.fleet.learning_worlds import SPEED, cart, rail
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.gym import Task, Verdict
from wbridge.wbfleet.gym.parallel_env import RobotsEnv


class Race(Task):
    """Worth the way of each cart; the first one ends early."""

    def judge(self, simulation: Simulation, robot: str, action: NDArray[np.float32]) -> Verdict:
        """Judge by the place of the robot's cart."""
        place = float(simulation.node(f"{robot.upper()}.CART").translation[0])
        return Verdict(place, robot == "a" and place > 0.05)


def test_pettingzoo_accepts_it(tmp_path: Path):
    made = RobotsEnv(rail(tmp_path, cart("a", "A"), cart("b", "B", 1)), Race(), episode_s=0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parallel_api_test(made, num_cycles=120)


def test_each_robot_has_its_own_end(tmp_path: Path):
    made = RobotsEnv(rail(tmp_path, cart("a", "A"), cart("b", "B", 1)), Race())
    made.reset(seed=1)
    action = np.array([SPEED], np.float32)
    while "a" in made.agents:
        _, rewards, *_ = made.step(dict.fromkeys(made.agents, action))
    assert rewards["a"] == pytest.approx(rewards["b"], rel=1e-6)
    assert made.agents == ["b"]
    assert set(made.step({"b": action})[0]) == {"b"}


def test_robots_need_different_names(tmp_path: Path):
    with pytest.raises(ValueError, match='several robots have the name "a"; change their field name'):
        RobotsEnv(rail(tmp_path, cart("a", "A"), cart("a", "B", 1)), Race())


def test_unknown_ways_to_render_are_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="expected None or \"rgb_array\", not 'human'"):
        RobotsEnv(rail(tmp_path, cart()), Race(), render_mode="human")
