"""Looking at earlier moments of a run, and branching from them: the bits of a run that never went back."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import STEP_MS, Project, robot
from tests.windows.test_scene_handler import Page
from wbridge.wbcore.windows.allowed import NOTHING
from wbridge.wbcore.windows.checkpoints import MOST_BYTES, Checkpoint, Checkpoints
from wbridge.wbcore.windows.driving_pages import DrivingPages

HEADER = "#VRML_SIM R2025a utf8\n"
BALL = (
    'DEF BALL Solid { name "ball" translation 0.3 0.2 1 children [ Shape { geometry DEF BODY Sphere { '
    "radius 0.1 } } ] boundingObject USE BODY physics Physics { density -1 mass 2 } }\n"
    'Solid { name "floor" children [ DEF GROUND Shape { geometry Plane { size 20 20 } } ] '
    "boundingObject USE GROUND }\n"
)
DRIVEN = robot(
    "cart",
    "wobble",
    "translation 0 2 0.1 boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 1 }",
    'SliderJoint { jointParameters JointParameters { axis 0 0 1 } device [ LinearMotor { name "motor" '
    'maxVelocity 5 } PositionSensor { name "sensor" } ] endPoint Solid { '
    "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } }",
)
WOBBLE = """
from controller import Robot
robot = Robot()
motor, sensor = robot.getDevice("motor"), robot.getDevice("sensor")
sensor.enable(16)
total = 0.0
while robot.step(16) != -1:
    total += sensor.getValue() + 0.001  # depends on all readings so far
    motor.setPosition(0.1 + 0.05 * (total % 1.0))
"""
Open = Callable[..., "Run"]


class Arrived(Exception):
    """The branch is there."""


class Run(Page):
    """A page of a run with an inline controller that goes step by step."""

    def go(self, steps: int) -> None:
        """Make steps; pages are served between them."""
        for _ in range(steps):
            assert self.runner.advance()

    def branch(self, step: int) -> None:
        """Branch, and go on until it is there and pauses."""
        poll = self.runner.on_wait
        assert poll is not None and self.answer("branch", moment=step * STEP_MS / 1000) == ""

        def wait() -> None:
            poll()
            if self.message("timeLine")["target"] is None:
                raise Arrived

        self.runner.on_wait = wait
        with pytest.raises(Arrived):
            self.go(step + 1)
        self.runner.on_wait = poll
        assert self.runner.simulation.mode == 0

    def change(self, what: str, **values: Any) -> None:
        """Ask for a change, which is made before the next step, and make that step."""
        self.ask(what, **values, id=7)
        self.go(1)
        assert self.message("results")[-1] == {"id": 7, "problem": ""}

    def answer(self, what: str, **values: Any) -> str:
        self.ask(what, **values, id=7)
        return str(self.message("results")[-1]["problem"])

    @property
    def hash(self) -> str:
        return self.runner.simulation.hash()


@pytest.fixture
def open_run(project: Project, tmp_path: Path) -> Iterator[Open]:
    opened: list[Run] = []

    def make() -> Run:
        project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
        folder = tmp_path / f"scene{len(opened)}"
        folder.mkdir()
        runner = project.runner(None, inline=True)
        opened.append(Run(runner, folder, NOTHING))
        scene = opened[-1].handler.scene_handler
        assert scene is not None
        scene.time_line.checkpoints = Checkpoints(lambda: 0.0)  # none is too expensive
        opened[-1].message("timeLine")  # somebody looks
        return opened[-1]

    yield make
    for page in opened:
        page.runner.close()


def test_looking_back_changes_no_bit(open_run: Open):
    page, other = open_run(), open_run()
    page.go(150)
    other.go(300)
    hash_now = page.hash
    assert page.answer("look", moment=1.2) == ""
    shown = page.message("timeLine")
    assert shown["looking"] == pytest.approx(1.008, abs=0.02) and page.hash != hash_now
    assert page.answer("look", moment=0.0) == ""
    assert page.answer("look", moment=None) == ""
    assert page.hash == hash_now
    assert page.answer("look", moment=2.0) == ""
    page.ask("play", speed=None)  # returns to the present
    page.go(150)
    assert page.message("timeLine")["looking"] is None
    assert page.hash == other.hash


def test_no_garbage_is_collected_while_someone_looks(open_run: Open, monkeypatch: pytest.MonkeyPatch):
    """To examine all objects of a large world takes longer than to restore a state."""
    page = open_run()
    page.go(150)
    simulation = page.runner.simulation
    restore, seen = simulation.restore, []

    def watched(state: bytes) -> None:
        seen.append(gc.isenabled())
        restore(state)

    monkeypatch.setattr(simulation, "restore", watched)
    assert gc.isenabled()
    assert page.answer("look", moment=1.0) == "" and page.answer("look", moment=None) == ""
    assert seen == [False, False] and gc.isenabled()


def test_a_branch_has_the_bits_of_a_run_that_never_went_back(open_run: Open):
    page, other = open_run(), open_run()
    for run in (page, other):
        run.go(40)
        value = [0.5, 0.5, 2.0]
        run.change("edit", node=run.node("BALL"), field="translation", item=-1, value=value)
    page.go(159)
    other.go(59)
    page.branch(100)
    assert page.hash == other.hash
    page.ask("play", speed=None)
    page.go(50)
    other.go(50)
    assert page.hash == other.hash


def test_nodes_that_come_and_go_are_there_in_a_branch(open_run: Open):
    """Also one that was in the world and was deleted later, which a reset alone does not bring back."""
    page, other = open_run(), open_run()
    for run in (page, other):
        run.go(20)
        run.change("add", model="Box", point=[1.0, 1.0, 0.5], node=0)
        node = run.message("selected")["node"]
        run.change("edit", node=node, field="translation", item=-1, value=[1.0, 1.0, 3.0])
        run.go(30)
    expected = other.hash
    page.go(10)
    page.change("remove", node=page.node("BALL"))
    page.go(100)
    page.branch(52)
    assert page.hash == expected


def test_what_people_drive_is_driven_again(open_run: Open):
    page = open_run()
    (cart,) = page.runner.simulation.robots
    page.go(10)
    page.ask("control", robot=cart.number, on=True)
    page.ask("set", robot=cart.number, device=1, channel="position", value=0.3)
    page.go(50)
    expected = page.hash
    page.ask("control", robot=cart.number, on=False)
    page.go(50)
    assert page.hash != expected
    page.branch(60)
    assert page.hash == expected


def test_a_branch_begins_with_a_robot_that_nobody_drives(open_run: Open):
    """Also if a page drives when the branch is chosen, and falls silent on the way."""
    now = [0.0]
    page = open_run()
    page.handler.driving = DrivingPages(lambda: now[0])
    (cart,) = page.runner.simulation.robots
    page.go(10)
    page.ask("control", robot=cart.number, on=True)
    page.ask("set", robot=cart.number, device=1, channel="position", value=0.3)
    page.go(50)
    expected = page.hash
    page.handler.driving.take(cart.number, 5)
    page.go(50)
    now[0] = 100.0
    page.branch(60)
    assert page.hash == expected


def test_a_moment_that_never_was_is_refused(open_run: Open):
    page = open_run()
    assert "let the world run" in page.answer("look", moment=1.0)
    page.go(70)
    assert page.answer("branch", moment=99.0) == "a branch begins between 0 and 1.12 s"
    page.change("add", model="Box", point=[1.0, 1.0, 0.5], node=0)
    assert "branch from there" in page.answer("look", moment=1.0)
    assert page.message("timeLine")["looking"] is None


def test_checkpoints_stay_within_their_bounds():
    kept = Checkpoints()
    size = MOST_BYTES // 40
    for second in range(200):
        kept.keep(Checkpoint(float(second), bytes(size)))
    assert len(kept) <= 40
    assert kept.span[0] == 0.0 and kept.span[1] == 199.0
    moment = kept.before(120.0)
    assert moment is not None and 100.0 < moment.time <= 120.0


def test_a_slow_state_is_taken_less_often():
    """Judge: one checkpoint of 0.5 s allows none in the next 25 s of real time (2 %)."""
    ticks = iter([0.0, 0.5, 25.4, 25.6, 26.1])
    kept = Checkpoints(lambda: next(ticks))

    class World:
        time = 0.0

        def state(self) -> bytes:
            return b"x"

    world: Any = World()
    kept.take(world)
    world.time = 1.0
    kept.take(world)
    assert len(kept) == 1
    kept.take(world)
    assert len(kept) == 2
