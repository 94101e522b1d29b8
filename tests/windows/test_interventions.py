"""What the user does to a running world: by the rules of supervisors, noted, and repeated bit by bit."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.windows.interventions import (
    BadFile,
    Intervention,
    InterventionFile,
    Interventions,
    Replay,
    read_interventions,
)

WORLD = (
    "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 10 } Viewpoint { }\n"
    'DEF BALL Solid { name "ball" translation 0 0 10 children [ Shape { appearance DEF LOOK PBRAppearance { '
    "baseColor 1 0 0 } geometry Sphere { radius 0.1 } } ] boundingObject Sphere { radius 0.1 } "
    "physics Physics { density -1 mass 2 } }\nDEF LAMP PointLight { intensity 1 }\n"
)
STEPS = 30


def run(
    project: Project, act: Callable[[Runner, Interventions], Any] | None, path: Path | None = None
) -> str:
    """Run the world with something to do before each step; return the hash of its end."""
    project.write(WORLD.partition("Viewpoint { }\n")[2])
    with project.runner(STEPS) as runner:
        if act is not None:
            does = Interventions(runner)
            runner.actors.append(does)
            does.each_step.append(lambda: act(runner, does))
        elif path is not None:
            runner.actors.append(Replay(runner, read_interventions(path)))
        with (
            closing(InterventionFile(path or Path(os.devnull))) if act is not None else nullcontext() as file
        ):
            if act is not None and file is not None:
                does.noted.append(file.note)
            runner.run()
        return runner.simulation.hash()


def number(runner: Runner, name: str) -> int:
    node = runner.simulation.world.find(name)
    assert node is not None
    return runner.simulation.nodes.number(node)


def _meddle(runner: Runner, does: Interventions) -> None:
    ball = number(runner, "BALL")
    if runner.steps == 3:
        does.do("set", ball, "translation", -1, (0.1, 0.2, 11.0))
    if 5 <= runner.steps < 12:
        does.do("push", ball, (1.0, 2.0, 30.0), (0.05, 0.0, 0.0))
    if runner.steps == 14:
        does.do("turn", ball, (0.0, 0.1, 0.0))
    if runner.steps == 20:
        does.do("hold", ball)


def test_the_same_interventions_give_the_same_bits(project: Project, tmp_path: Path):
    path = tmp_path / "run.jsonl"
    alone = run(project, None)
    touched = run(project, _meddle, path)
    assert touched != alone
    assert run(project, None, path) == touched
    assert len(read_interventions(path)) == 10


def test_a_force_accelerates_by_its_mass(project: Project):
    """Judge: v = F t / m, without gravity."""
    seen: list[Any] = []

    def act(runner: Runner, does: Interventions) -> None:
        if not runner.steps:
            does.do("set", number(runner, "INFO"), "gravity", -1, 0.0)
        does.do("push", number(runner, "BALL"), (4.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        seen.append(runner.simulation.node("BALL").linear_velocity[0])

    project.write(WORLD.partition("Viewpoint { }\n")[2])
    info = project.world.read_text().replace("WorldInfo {", "DEF INFO WorldInfo {", 1)
    project.world.write_text(info)
    with project.runner(STEPS) as runner:
        does = Interventions(runner)
        runner.actors.append(does)
        does.each_step.append(lambda: act(runner, does))
        runner.run()
        step = runner.simulation.step_s
    assert seen[-1] == pytest.approx(4.0 / 2.0 * (STEPS - 1) * step, rel=1e-6)


def test_what_supervisors_cannot_do_users_cannot(project: Project):
    problems: list[str] = []

    def act(runner: Runner, does: Interventions) -> None:
        if runner.steps:
            return
        ball, lamp = number(runner, "BALL"), number(runner, "LAMP")
        for node, name, item, value in (
            (ball, "massless", -1, 1.0),
            (ball, "translation", -1, (1.0, 2.0)),
            (ball, "translation", 0, (1.0, 2.0, 3.0)),
            (ball, "children", -1, 1.0),
            (lamp, "intensity", -1, -1.0),
            (99999, "translation", -1, (0.0, 0.0, 0.0)),
        ):
            try:
                does.do("set", node, name, item, value)
            except ValueError as problem:
                problems.append(str(problem))

    run(project, act)
    assert len(problems) == 6
    assert "no field" in problems[0] and "intensity cannot be -1" in problems[4]
    assert "does not exist" in problems[5]


def test_what_cannot_be_repeated_is_told_and_ends_nothing(project: Project, tmp_path: Path):
    path = tmp_path / "run.jsonl"
    zero = (0.0, 0.0, 0.0)
    made = [
        Intervention(1, "push", 1, (zero, zero)),
        Intervention(1, "turn", 1, (zero,)),
        Intervention(2, "hold", 99, ()),
    ]
    path.write_text("".join(one.line() for one in made))
    project.write(WORLD.partition("Viewpoint { }\n")[2])
    with project.runner(STEPS) as runner:
        replay = Replay(runner, read_interventions(path))
        runner.actors.append(replay)
        assert runner.run().steps == STEPS
    assert [one.partition(":")[0] for one in replay.problems] == ["step 1", "step 1", "step 2"]


def test_a_file_that_is_damaged_is_refused(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    good = Intervention(3, "hold", 7, ()).line()
    for bad in (
        "{",
        "[]",
        '{"step": 1}',
        good + '{"step":1,"do":"hold","node":7,"values":[]}',
        good.replace("hold", "exec"),
        good.replace("hold", "push"),
    ):
        path.write_text(bad)
        with pytest.raises(BadFile, match=r"run\.jsonl:\d: "):
            read_interventions(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile):
        read_interventions(path)


def test_a_file_begins_again_after_a_reset(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    file = InterventionFile(path)
    for step in (4, 9, 2):
        file.note(Intervention(step, "hold", 7, ()))
    file.close()
    assert [one.step for one in read_interventions(path)] == [2]
