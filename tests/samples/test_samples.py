"""All samples: worlds and hardware maps name controllers that exist, and these work as processes, too."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.wbcore.scene.load import load_world

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))
MAPS = sorted((CHECKOUT / "worlds").glob("*.toml"))
FOLDERS = sorted(one for one in (CHECKOUT / "controllers").iterdir() if one.is_dir())
IN_PYTHON = [one.name for one in FOLDERS if (one / f"{one.name}.py").is_file()]
IN_CXX = [one.name for one in FOLDERS if (one / f"{one.name}.cpp").is_file()]
IN_C = [one.name for one in FOLDERS if (one / f"{one.name}.c").is_file()]


def controllers_of(path: Path) -> set[str]:
    """The controllers that a world names."""
    world = load_world(path)
    assert list(world.report) == []
    named = {str(node.get("controller")) for node in world.walk() if node.is_a("Robot")}
    return named - {"<none>", "<generic>", ""}


def controller_of_map(path: Path) -> str:
    """The controller that a hardware map puts on the board."""
    found = re.search(r'^controller = "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    file = (path.parent / found[1]).resolve()
    assert file.exists()
    return file.stem


FOR_ANY_ROBOT = {"ros2", "conveyor_belt", "e-puck_avoid_obstacles", "youbot"}
"""Controllers that users' own worlds name; all but the first are controllers of Webots."""
IN_OTHER_LANGUAGES = {"two_wheels_avoider_cpp", "two_wheels_avoider_loop"}
"""Controllers that do what two_wheels_avoider does; users name them instead of it."""


def test_each_controller_belongs_to_a_world_or_a_board_and_the_other_way_round():
    named = set().union(*(controllers_of(path) for path in WORLDS), map(controller_of_map, MAPS))
    assert named | FOR_ANY_ROBOT | IN_OTHER_LANGUAGES == {one.name for one in FOLDERS}
    assert sorted(IN_PYTHON + IN_C + IN_CXX) == [one.name for one in FOLDERS]


@pytest.mark.parametrize("name", IN_C)
def test_a_controller_in_c_says_its_purpose_and_knows_the_api_only(name: str):
    text = (CHECKOUT / "controllers" / name / f"{name}.c").read_text(encoding="utf-8")
    assert text.startswith("/* ")
    included = re.findall(r"#include <(.+)>", text)
    assert "webots/robot.h" in included
    assert all(one.startswith("webots/") or "/" not in one for one in included)


@pytest.mark.parametrize("name", sorted(set(IN_PYTHON) - FOR_ANY_ROBOT))
def test_a_controller_in_python_says_its_purpose_and_knows_the_api_only(name: str):
    text = (CHECKOUT / "controllers" / name / f"{name}.py").read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert "from controller import" in text or "from vehicle import" in text
    assert "wbcore" not in text and "hal" not in text.split('"""', 2)[2].split()


@pytest.mark.parametrize(
    "name",
    [
        "two_robots",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("arm", "ball_on_a_ramp", "motion_playback")),
    ],
)
def test_samples_that_end_do_so_as_processes(name: str):
    command = [sys.executable, "-m", "wbridge", "run", f"worlds/{name}.wbt", "--fail-on-controller-error"]
    done = subprocess.run(
        [*command, "--timeout", "60"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    inside = subprocess.run([*command, "--inline"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert sorted(done.stdout.splitlines()[:-1]) == sorted(inside.stdout.splitlines()[:-1])
    # The last line ends with the hash of the state, which is the same both ways.
    assert done.stdout.split()[-1] == inside.stdout.split()[-1]


def test_the_road_of_the_car_lies_on_the_ground_that_carries_its_tires():
    # A StraightRoadSegment has no bounding object of its own (manual of Webots: roadBoundingObject is FALSE).
    world = load_world(CHECKOUT / "worlds" / "car.wbt")
    places = {node.get("name"): node.get("translation") for node in world.nodes if node.is_a("Solid")}
    assert 0 < places["road"][2] - places["floor"][2] <= 0.005
