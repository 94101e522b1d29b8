"""The programs of docs/grading.md do what the page says."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from wbridge.pytest_plugin import run_world
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

WORLD = "worlds/epuck_arena.wbt"
TEXT = (CHECKOUT / "docs" / "grading.md").read_text("utf-8")
SEEDS, RUNS, SUITE, JUDGE, PLOT = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _program(text: str) -> str:
    return text.replace(WORLD, str(CHECKOUT / WORLD))


def test_a_seed_is_drawn_from(monkeypatch: pytest.MonkeyPatch):
    drawn = []
    for seed in ("3", "3", "4"):
        monkeypatch.setenv("WBRIDGE_SEED", seed)
        exec(SEEDS, {})
        drawn.append(random.random())
    assert drawn[0] == drawn[1] != drawn[2]


def test_controllers_are_scored_by_their_way():
    names: dict[str, dict[int, float]] = {}
    exec(_program(RUNS), names)
    assert list(names["scores"]) == [0, 1, 2]
    # Wheels of 0.02 m at 4 rad/s for 3.2 s.
    assert all(0.2 < one <= 0.0205 * 4 * 3.2 for one in names["scores"].values())


def test_the_suite_for_pytest_passes():
    names: dict[str, Any] = {}
    exec(_program(SUITE), names)
    (test,) = [one for name, one in names.items() if name.startswith("test_")]
    test(run_world)


@pytest.mark.parametrize(("driver", "status"), [("obstacle_avoider", 0), ("ram", 1)])
def test_a_judge_counts_touches_and_ends_the_run(tmp_path: Path, driver: str, status: int):
    ram = (CHECKOUT / "controllers" / "obstacle_avoider" / "obstacle_avoider.py").read_text("utf-8")
    for name, text in (("judge", JUDGE), ("ram", ram.replace("NEAR = 90", "NEAR = 1e9"))):
        (tmp_path / "controllers" / name).mkdir(parents=True)
        (tmp_path / "controllers" / name / f"{name}.py").write_text(text, "utf-8")
    world = tmp_path / "worlds" / "exam.wbt"
    world.parent.mkdir()
    arena = (CHECKOUT / WORLD).read_text("utf-8").replace('"../protos', f'"{CHECKOUT}/protos')
    world.write_text(f'{arena}Robot {{ name "judge" supervisor TRUE controller "judge" }}\n', "utf-8")
    with (tmp_path / "said").open("wb") as said:
        output = Output(said.fileno(), 2)
        options = RunOptions(seed=9, inline=True, controllers={"e-puck": driver}, output=output)
        with Runner(load_world(world), options) as runner:
            assert runner.run().status == status
    told = json.loads((tmp_path / "said").read_text())
    assert told["seed"] == "9" and (told["touched"] > 0) == bool(status)


def test_a_record_is_read_for_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    names: dict[str, list] = {}
    exec(_program(PLOT), names)
    assert len(names["path"]) == 126 == len(names["seen"])
    assert names["path"][0] == pytest.approx((-0.1, 0.0), abs=1e-6)
    assert names["path"][-1][0] > 0.0
    assert names["seen"][-1] > 0
