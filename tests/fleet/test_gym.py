"""Robots as Gymnasium environments: judged by Gymnasium's own checker and by uniform motion."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tests.fleet.learning_worlds import SPEED, STEP_MS, cart, rail
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.gym import RobotEnv, RobotVectorEnv, Task, Verdict

GOAL = 0.1
"""Where the cart arrives (m)."""
FAST = np.array([SPEED], np.float32)


class Arrive(Task):
    """Worth the way of the cart; over at the goal."""

    def judge(self, simulation: Simulation, robot: str, action: NDArray[np.float32]) -> Verdict:
        """Judge by the place of the cart."""
        place = float(simulation.node("ROBOT.CART").translation[0])
        return Verdict(place, place >= GOAL, {"place": place})


def env(tmp_path: Path, *robots: str, **settings: Any) -> RobotEnv:
    return RobotEnv(rail(tmp_path, *robots), Arrive(), **settings)


def test_gymnasium_accepts_it(tmp_path: Path):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Box (observation|action) space.*")
        warnings.filterwarnings("ignore", ".*not have.*spec.*|.*render.*")
        check_env(env(tmp_path), skip_render_check=True)


def test_spaces_come_from_the_device_table(tmp_path: Path):
    made = env(tmp_path)
    assert made.agent.controls.names == ("drive.velocity",)
    assert made.action_space.high.tolist() == [SPEED]
    assert made.agent.readings.names == ("place", "eye")
    assert made.observation_space.high.tolist() == [np.inf, 1000]


def test_motors_with_limits_are_driven_by_position(tmp_path: Path):
    made = env(tmp_path, cart(limits="minPosition -0.2 maxPosition 0.3"))
    assert made.agent.controls.names == ("drive.position",)
    assert made.action_space.low.tolist() == pytest.approx([-0.2])
    made.reset(seed=1)
    for _ in range(100):
        seen, *_ = made.step(np.array([0.05], np.float32))
    assert seen[0] == pytest.approx(0.05, abs=1e-4)


def test_a_cart_moves_by_speed_times_time(tmp_path: Path):
    """A linear motor reaches its velocity in one step; the force is ample."""
    made = env(tmp_path, step_ms=4 * STEP_MS)
    made.reset(seed=1)
    before, *_ = made.step(FAST)
    after, reward, *_ = made.step(FAST)
    assert after[0] - before[0] == pytest.approx(SPEED * 4 * STEP_MS / 1000, rel=1e-5)
    assert reward == pytest.approx(after[0], rel=1e-6)


def test_episodes_end_at_the_goal_or_in_time(tmp_path: Path):
    made = env(tmp_path, episode_s=1)
    made.reset(seed=1)
    steps = next(i for i in range(1, 1000) if made.step(FAST)[2])
    assert steps == pytest.approx(GOAL / SPEED / (STEP_MS / 1000), abs=2)
    made.reset()
    ends = [made.step(np.zeros(1, np.float32))[3] for _ in range(1000 // STEP_MS)]
    assert ends == [False] * (len(ends) - 1) + [True]


def test_a_seed_repeats_an_episode_bit_by_bit(tmp_path: Path):
    made = env(tmp_path, cart(noise="noise 0.1"))

    def episode(seed: int | None) -> list[bytes]:
        seen, _ = made.reset(seed=seed)
        return [seen.tobytes(), *(made.step(FAST)[0].tobytes() for _ in range(9))]

    first, second, again = episode(5), episode(None), episode(5)
    assert again == first
    assert second != first


def test_copies_are_what_single_ones_are_on_any_number_of_threads(tmp_path: Path):
    world = rail(tmp_path, cart(noise="noise 0.1"))
    single = RobotEnv(world, Arrive())
    seen, _ = single.reset(seed=8)
    expected = [seen, *(single.step(FAST)[0] for _ in range(5))]
    for threads in (1, 2):
        copies = RobotVectorEnv(world, Arrive, 3, threads=threads)
        found = [copies.reset(seed=7)[0][1]]
        found += [copies.step(np.tile(FAST, (3, 1)))[0][1] for _ in range(5)]
        assert np.array_equal(found, expected)
        copies.close()


def test_copies_begin_again_in_the_step_after_the_end(tmp_path: Path):
    copies = RobotVectorEnv(rail(tmp_path), Arrive, 2, episode_s=3 * STEP_MS / 1000)
    assert copies.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    start, _ = copies.reset(seed=1)
    actions = np.array([[SPEED], [0]], np.float32)
    ends = [copies.step(actions) for _ in range(4)]
    assert [one[3].tolist() for one in ends] == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    assert ends[2][0][0][0] > 0
    assert np.array_equal(ends[3][0], start)
    assert ends[2][4]["place"][0] == pytest.approx(ends[2][1][0])


def test_wrong_arguments_are_explained(tmp_path: Path):
    world = rail(tmp_path)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"robot": "card"}, 'no robot "card"; did you mean \'cart\'?; robots: "cart"'),
        ({"actions": {"driv": "velocity"}}, 'no motor "driv"; did you mean '),
        ({"actions": {"drive": "speed"}}, 'unknown mode "speed"; allowed: position, velocity, force'),
        ({"actions": {"drive": "position"}}, "has no position limits"),
        ({"actions": ["drive"]}, """a dict of motor names and modes, as in {"drive": "velocity"}, not"""),
        ({"observations": "place"}, "a list of sensor names, as in ['place'], not a text"),
        ({"observations": ["plaice"]}, 'no numeric sensor "plaice"'),
        ({"step_ms": 12}, "expected a multiple of the basic time step 8 ms, not 12"),
        ({"render_mode": "human"}, 'expected None or "rgb_array"'),
    ]
    for arguments, words in cases:
        with pytest.raises((ValueError, TypeError), match=re.escape(words)):
            RobotEnv(world, Arrive(), **arguments)
    made = RobotEnv(world, Arrive())
    made.reset()
    for action in ([1, 2], [np.nan]):
        with pytest.raises(ValueError, match="expected 1 finite numbers"):
            made.step(np.array(action, np.float32))


def test_pictures_are_those_of_the_viewpoint(tmp_path: Path):
    world = rail(tmp_path)
    world.write_text(
        world.read_text() + "Viewpoint { position 5 0 0 orientation 0 0 1 0 }\n"
        "Background { skyColor [ 1 0 0 ] }\n"
    )
    made = RobotEnv(world, Arrive(), render_mode="rgb_array")
    made.simulation.view_size = (16, 8)
    made.reset()
    picture = made.render()
    assert picture is not None and picture.shape == (8, 16, 3)
    red, green, blue = picture[4, 8].tolist()
    assert red > 200 and green == blue == 0


def test_a_body_that_breaks_ends_the_episode(tmp_path: Path):
    class Break(Arrive):
        def begin(self, simulation: Simulation, random: np.random.Generator) -> None:
            simulation.node("ROBOT.CART").set_velocity((1e308, 0, 0))

    made = RobotEnv(rail(tmp_path), Break())
    made.reset(seed=1)
    _, reward, terminated, _, info = made.step(FAST)
    assert (reward, terminated) == (0, True)
    assert "CART" in info["error"]
    made.reset(seed=1)
    assert made.simulation.time == 0
