"""All samples: worlds name controllers that exist, and these work as processes, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbcore.scene.load import load_world

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))
CONTROLLERS = sorted(one.name for one in (CHECKOUT / "controllers").iterdir() if one.is_dir())


def controllers_of(path: Path) -> set[str]:
    """The controllers that a world names."""
    world = load_world(path)
    assert list(world.report) == []
    named = {str(node.get("controller")) for node in world.walk() if node.is_a("Robot")}
    return named - {"<none>", "<generic>", ""}


def test_each_controller_belongs_to_a_world_and_the_other_way_round():
    named = set().union(*(controllers_of(path) for path in WORLDS))
    assert named == set(CONTROLLERS)


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_controller_stands_in_a_folder_of_its_name_and_says_its_purpose(name: str):
    text = (CHECKOUT / "controllers" / name / f"{name}.py").read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert "from controller import" in text or "from vehicle import" in text
    assert "wbcore" not in text and "hal" not in text.split('"""', 2)[2].split()


@pytest.mark.parametrize("name", ["arm", "ball_on_a_ramp", "two_robots", "motion_playback"])
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
