"""What `wbridge check` calls an error stops every way to run a world; its warnings are counted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wbridge.failures import InputError
from wbridge.main import main
from wbridge.options import Loading
from wbridge.pytest_plugin import run_world
from wbridge.running.world import load
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.scene.load import LoadOptions, load_world
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.gym.env import RobotEnv
from wbridge.wbfleet.gym.task import Task
from wbridge.wbfleet.sweeps.job import Job, simulate

HEAD = "#VRML_SIM R2025a utf8\nWorldInfo { } Viewpoint { }\n"
FALLING = """\
DEF BODY Solid {
  translation 0 0 1
  children [ Shape { geometry Box { size 0.1 0.1 0.1 } } ]
  boundingObject Mesh { url "body.stl" }
  physics Physics { }
}
Robot { controller "<none>" }
"""
PALE = """\
Solid { children [ Shape {
  appearance PBRAppearance { baseColorMap ImageTexture { url "paint.png" } } geometry Box { } } ] }
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A solid that would fall through everything, as its collision mesh is missing."""
    (tmp_path / "fall.wbt").write_text(HEAD + FALLING)
    return tmp_path / "fall.wbt"


def outcome(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    capsys.readouterr()
    code = main([str(word) for word in words])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize("command", [["check"], ["run", "--steps", "1"]])
def test_a_missing_collision_mesh_stops_each_command(
    command: list[str], world: Path, capsys: pytest.CaptureFixture[str]
):
    code, said = outcome(capsys, command[0], world, *command[1:])
    assert code == 2
    assert f"{world}:6:25: error: the mesh body.stl is missing, and a boundingObject uses it" in said
    assert "--allow-missing" in said


@pytest.mark.parametrize("command", [["check"], ["run", "--steps", "1"]])
def test_missing_files_can_be_allowed(command: list[str], world: Path, capsys: pytest.CaptureFixture[str]):
    code, _ = outcome(capsys, command[0], world, *command[1:], "--allow-missing")
    assert code == 0


def test_all_commands_load_worlds_by_the_same_judgement(world: Path):
    with pytest.raises(InputError, match=r"error: the mesh body.stl is missing"):
        load(world, Loading())
    assert load(world, Loading(allow_missing=True)).report.errors == []


def test_the_library_raises(world: Path):
    with pytest.raises(WorldError, match=r"the mesh body.stl is missing") as caught:
        Simulation(world)
    assert [one.code for one in caught.value.findings] == ["missing-mesh"]
    Simulation(world, options=LoadOptions(allow_missing=True)).step()


def test_run_counts_what_check_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A missing texture is a warning: the world runs."""
    world = tmp_path / "my pale.wbt"
    world.write_text(HEAD + PALE)
    code, said = outcome(capsys, "run", world, "--steps", "1", "--no-controllers")
    assert code == 0
    assert f"{world}: 1 warning; for details: wbridge check '{world}'" in said
    code, said = outcome(capsys, "check", world)
    assert code == 0
    assert "1 texture or mesh is missing: paint.png" in said


WAYS = {
    "an environment": lambda world: RobotEnv(world, Task()),
    "a test of the pytest plugin": lambda world: run_world(world, 0.1),
    "a runner": lambda world: Runner(load_world(world)),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_from_python_raises(way: str, world: Path):
    with pytest.raises(WorldError, match=r"the mesh body.stl is missing"):
        WAYS[way](world)


def test_a_run_of_a_sweep_fails(world: Path):
    job = Job(str(world), {}, None, 0.1, {}, False, None, False, ())
    assert simulate(job)["status"] != 0
    assert "the mesh body.stl is missing" in simulate(job)["reason"]
    assert simulate(job._replace(allow_missing=True))["status"] == 0


def test_grades_are_refused(world: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)  # root is refused before
    tests = world.with_name("tests.toml")
    tests.write_text(
        f'world = "{world.name}"\nduration = 1\n[[criterion]]\nname = "runs"\n'
        'metric = "travel(BODY)"\nat_least = 1\n'
    )
    (world.parent / "somebody.py").write_text("")
    code, said = outcome(capsys, "grade", tests, world.parent)
    assert code == 2
    assert "the mesh body.stl is missing" in said
