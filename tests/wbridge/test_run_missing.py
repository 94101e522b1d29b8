"""`wbridge run --allow-missing`: what did not run is named, by exit code and last line, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.controllers.project import LOOP, Project, robot
from wbridge.main import main

BOB = 'Unknown { name "bob" controller "drive" }\n'
BALL = 'Solid { name "ball" physics Physics { } boundingObject Sphere { } }\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def run(project: Project, *options: str) -> int:
    return main(["run", str(project.world), "--duration", "0.16", "--allow-missing", *options])


def test_a_robot_whose_model_is_missing_is_named(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "loop"), BOB, loop=LOOP, header="#VRML_SIM R2021b utf8\n")
    assert run(project) == 1
    out, err = capfd.readouterr()
    assert (
        'error: robot "bob" is a placeholder because its model Unknown is missing: its controller "drive"'
        in err
    )
    assert out.splitlines()[-1].endswith('; 1 model missing, 1 robot without controller: "bob"')


def test_a_world_whose_only_robot_is_missing_is_not_simulated(project: Project):
    project.write(BOB, header="#VRML_SIM R2021b utf8\n")
    assert run(project) == 1


@pytest.mark.parametrize("options", [["--controller", "bob=<none>"], ["--no-controllers"]])
def test_whoever_wants_no_controller_gets_no_error(
    project: Project, options: list[str], capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "loop"), BOB, loop=LOOP, header="#VRML_SIM R2021b utf8\n")
    assert run(project, "--json", *options) == 0
    result = json.loads(capfd.readouterr().out)
    assert (result["missing_models"], result["missing_robots"]) == (["Unknown"], [])


def test_what_falls_out_of_the_world_is_named(project: Project, capfd: pytest.CaptureFixture[str]):
    """After 3 s of free fall: 44 m."""
    project.write(BALL)
    assert run(project, "--no-controllers", "--duration", "3") == 0
    assert 'Solid "ball" falls out of the world: it is 44' in capfd.readouterr().err


def test_what_lies_on_a_floor_or_flies_is_not_said_to_fall(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    floor = "Solid { boundingObject Plane { size 9 9 } }\n"
    dropped = BALL.replace("physics", "translation 0 0 12 physics")
    thrown = BALL.replace("ball", "thrown").replace(
        "physics", "translation 3 0 2 linearVelocity 0 0 40 physics"
    )
    project.write(floor, dropped, thrown)
    assert run(project, "--no-controllers", "--duration", "3") == 0
    assert "falls out" not in capfd.readouterr().err
