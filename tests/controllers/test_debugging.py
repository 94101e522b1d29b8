"""Controllers in Python that pause at lines while the simulation waits.

Judge: the lines of the program, and the values that it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project, robot
from wbridge.wbcore.controllers.debugging.debugger import Debugger
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Runner

PROGRAM = """from controller import Robot
import helper

def doubled(value):
    result = 2 * value
    return result

robot = Robot()
count = 0
while robot.step(16) != -1:
    count += 1
    twice = doubled(count)
    helper.note(twice)
    if count == 5:
        raise RuntimeError("five")
"""
HELPER = """notes = []

def note(value):
    notes.append(value)
"""
COUNTS, CALLS, IN_DOUBLED, IN_NOTE = 11, 12, 5, 4


class Session:
    """A run whose controller is paused and goes on as a test wants."""

    def __init__(self, runner: Runner, file: Path) -> None:
        self.runner, self.file = runner, file
        self.debugger = Debugger(runner.server)
        self._script: Iterator[None] = iter(())
        self.is_over = False
        (self._task,) = runner.controllers.tasks

    @property
    def paused(self) -> dict[str, Any]:
        paused = self.debugger.shown()["r"]
        assert paused is not None
        return dict(paused)

    def play(self, script: Callable[[Session], Iterator[None]], *lines: int) -> None:
        """Run with breakpoints; whenever the program has paused, the script goes on to its next yield."""
        self.debugger.set_breakpoints(str(self.file), lines)
        self.debugger.attach(self._task)
        self.runner.restart_controller(self.runner.simulation.robots.list[0])
        self._script = script(self)
        seen: list[object] = []

        def attend() -> None:
            paused = self.debugger.shown().get("r")
            if paused is not None and (not seen or seen[-1] is not paused):
                seen.append(paused)
                if next(self._script, self) is self:
                    self.is_over = True
                    self.runner.end(0, "the script is over")

        self.runner.on_wait = attend
        self.runner.run()

    def go(self, command: str) -> None:
        self.debugger.do("r", command)


@pytest.fixture
def session(project: Project) -> Iterator[Session]:
    project.write(robot("r", "counter"), counter=PROGRAM)
    project.file("counter", "helper.py", HELPER)
    runner = project.runner()
    made = Session(runner, project.folder / "controllers" / "counter" / "counter.py")
    yield made
    made.debugger.close()
    runner.close()


def variables(paused: dict[str, Any]) -> dict[str, str]:
    return dict(paused["variables"])


def test_a_breakpoint_holds_the_world_and_shows_variables(session: Session):
    def script(on: Session) -> Iterator[None]:
        for count in (0, 1, 2):
            assert on.paused["line"] == COUNTS
            assert variables(on.paused)["count"] == str(count)
            assert on.paused["stack"] == [["<module>", "counter.py", COUNTS]]
            assert on.runner.simulation.steps == count + 1 == on.runner.steps
            assert "helper" not in variables(on.paused), "modules are no values"
            on.go("continue")
            yield

    session.play(script, COUNTS)
    assert session.is_over


def test_steps_over_into_and_out(session: Session):
    def script(on: Session) -> Iterator[None]:
        places = []
        for command in ("over", "into", "over", "out", "over", "into", "out", "continue"):
            places.append((on.paused["stack"][0][0], on.paused["line"]))
            on.go(command)
            yield
        assert places == [
            *(("<module>", COUNTS), ("<module>", CALLS)),
            *(("doubled", IN_DOUBLED), ("doubled", IN_DOUBLED + 1)),
            *(("<module>", CALLS + 1), ("<module>", CALLS + 2)),
            *(("<module>", COUNTS - 1), ("<module>", COUNTS)),
        ]

    session.play(script, COUNTS)
    assert session.is_over


def test_breakpoints_of_a_running_program_change(session: Session):
    def script(on: Session) -> Iterator[None]:
        assert on.paused["line"] == COUNTS
        on.debugger.set_breakpoints(str(on.file), [])
        on.debugger.set_breakpoints(str(on.file.with_name("helper.py")), [IN_NOTE])
        on.go("continue")
        yield
        assert (on.paused["stack"][0], len(on.paused["stack"])) == (["note", "helper.py", IN_NOTE], 2)
        assert variables(on.paused) == {"value": "2"}
        on.go("out")
        yield

    session.play(script, COUNTS)
    assert session.is_over


def test_errors_are_printed_as_without_breakpoints(project: Project, tmp_path: Path):
    project.write(robot("r", "counter"), counter=PROGRAM)
    project.file("counter", "helper.py", HELPER)
    plain = project.printed()
    place = tmp_path / "printed.txt"
    with place.open("wb") as file, project.runner(output=Output(file.fileno(), file.fileno())) as runner:
        debugger = Debugger(runner.server)
        debugger.attach(runner.controllers.tasks[0])
        runner.restart_controller(runner.simulation.robots.list[0])
        outcome = runner.run()
        debugger.close()
    assert "line 15, in <module>" in plain and place.read_text() == plain
    assert outcome.controllers[-1].is_error


def test_a_controller_starts_as_usual_after_it_was_detached(session: Session):
    (task,) = session.runner.controllers.tasks
    before = task.launcher, task.variables
    session.debugger.attach(task)
    assert (task.launcher, task.variables) != before
    session.debugger.detach(task)
    assert (task.launcher, task.variables) == before
    with pytest.raises(ValueError, match="start its controller with breakpoints first"):
        session.debugger.do("r", "over")
