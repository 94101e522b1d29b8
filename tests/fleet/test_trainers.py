"""Trainers: a policy learns what is worth most, and the same seed gives the same policy."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.fleet.learning_worlds import SPEED, STEP_MS, rail
from wbridge.gym import DeclaredTask, Goal, Reward, Seen, Settings, Vary, register_task
from wbridge.learning.policies.onnx_reader import read_policy
from wbridge.learning.trainers.setup import returns_of, scales_of
from wbridge.main import main

WORLD: list[str] = []
"""The world of the task, which is written when a test begins."""
ID = "tests/Follow-v0"


def gap(seen: Seen) -> NDArray[np.float32]:
    """Return the gap between the cart and its goal (m)."""
    gaps: NDArray[np.float32] = np.abs(seen["place"] - seen["goal"])
    return gaps


class Follow(DeclaredTask):
    """Move the cart to a goal on either side."""

    world = ""
    settings = Settings(step_ms=4 * STEP_MS, episode_s=0.8, observations=["place"])
    rewards = (Reward("gap", -1, gap),)
    varied = (Vary("ROBOT.translation[1]", -1, 1),)
    goals = (Goal("goal", -0.2, 0.2),)


@pytest.fixture
def task(tmp_path: Path) -> Iterator[str]:
    # The class that the place names, whoever has imported this module before.
    place = "tests.fleet.test_trainers"
    import_module(place).Follow.world = str(rail(tmp_path))
    register_task(ID, f"{place}:Follow")
    yield ID
    gymnasium.registry.pop(ID)


def test_a_cart_learns_to_reach_any_goal(task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A cart that stands still loses the distance of the goal in each step; the fastest loses it only on its
    way. The policy recovers more than two thirds of the difference."""
    path = tmp_path / "follow.onnx"
    words = ["train", task, "--seed", "2", "--steps", "24", "--hidden", "4", "--out", str(path), "--json"]
    assert main(words) == 0
    result = json.loads(capsys.readouterr().out)
    policy = read_policy(path)
    still = returns_of(task, lambda seen: np.zeros((len(seen), 1), np.float32)).mean()

    def best(seen: NDArray[np.float32]) -> NDArray[np.float32]:
        step_s = Follow.settings.step_ms / 1000
        speeds: NDArray[np.float32] = np.clip((seen[:, 1:] - seen[:, :1]) / step_s, -SPEED, SPEED)
        return speeds

    possible = returns_of(task, best).mean()
    assert result["return"] == pytest.approx(returns_of(task, policy.act).mean(), abs=1e-6)
    assert result["return"] > still + 0.67 * (possible - still)
    assert policy.notes["trainer"] == "es"


def test_a_seed_gives_the_same_policy(task: str, tmp_path: Path):
    paths = [tmp_path / f"{number}.onnx" for number in range(3)]
    for path, seed in zip(paths, ("1", "1", "2"), strict=True):
        assert main(["train", task, "--seed", seed, "--steps", "1", "--out", str(path), "--quiet"]) == 0
    first, second, other = (path.read_bytes() for path in paths)
    assert first == second != other


def test_ranges_come_from_bounds_or_from_what_is_reached(task: str):
    scales = scales_of(task, 1)
    assert scales.center == pytest.approx([0]) and scales.reach == pytest.approx([SPEED])
    assert scales.middle[1] == pytest.approx(0, abs=1e-7) and scales.half[1] == pytest.approx(0.2)
    assert 0 < scales.half[0] < SPEED * 0.8  # of the cart's place, which has no bounds


def test_wrong_words_are_explained(task: str, capsys: pytest.CaptureFixture[str]):
    assert main(["train", "EpuckAren-v0"]) == 2
    assert "no task 'EpuckAren-v0'; did you mean 'EpuckArena-v0'?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["train", task, "--hidden", "0"])
    assert "is not a list of sizes" in capsys.readouterr().err
    assert main(["train"]) == 0
    rows = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert [ID, "Move the cart to a goal on either side."] in rows


TASKS = """\
from tests.fleet.test_trainers import Follow


class Chase(Follow):
    \"\"\"Move the cart to a goal.\"\"\"
"""


@pytest.fixture
def tasks_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a file of tasks, from which commands are called."""
    (tmp_path / "my_tasks_here.py").write_text(TASKS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    gymnasium.registry.pop("my_tasks_here/Chase-v0", None)
    for name in [each for each in sys.modules if each.startswith("my_tasks_here")]:
        del sys.modules[name]


def test_a_class_in_a_file_is_trained_and_judged(
    task: str, tasks_here: Path, capsys: pytest.CaptureFixture[str]
):
    """Nothing is registered for it, neither before the training nor in the process that judges."""
    words = ["train", "my_tasks_here:Chase", "--steps", "1", "--out", "chase.onnx", "--json", "--quiet"]
    assert main(words) == 0
    trained = json.loads(capsys.readouterr().out)["return"]
    gymnasium.registry.pop("my_tasks_here/Chase-v0")
    assert main(["policy", "chase.onnx", "--judge", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["return"] == pytest.approx(trained, abs=1e-6)


@pytest.mark.parametrize(
    ("place", "text", "words"),
    [
        ("my_tasks_here:Chas", "", "no class \"Chas\" that is a DeclaredTask; did you mean 'Chase'?"),
        ("my_tasks_her:Chase", "", "no file my_tasks_her.py in "),
        ("my_tasks_here:", "", "expected MODULE:CLASS, such as my_tasks:MyTask"),
        ("my_tasks_here_too:A", "x = (\n", "my_tasks_here_too.py:1: SyntaxError: '(' was never closed"),
        ("my_tasks_here_too:A", "\nimport nump\n", "my_tasks_here_too.py:2: ModuleNotFoundError: No module"),
    ],
)
def test_mistakes_in_a_file_of_tasks_are_explained(
    place: str, text: str, words: str, tasks_here: Path, capsys: pytest.CaptureFixture[str]
):
    (tasks_here / "my_tasks_here_too.py").write_text(text)
    assert main(["train", place]) == 2
    assert words in capsys.readouterr().err
