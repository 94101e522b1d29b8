"""`breakpoint()` in controllers that a run starts: the judge is Python's own debugger at a real terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controllers.project import Project, robot
from tests.waiting import PATIENCE

if sys.platform != "win32":
    import pty

CODE = """
from controller import Robot
robot = Robot()
secret = 41
for i in range(3):
    robot.step(16)
    if i == 1:
        breakpoint()
print("left at", round(robot.getTime(), 3), secret)
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A world whose controller stops after its second step."""
    return Project(tmp_path).write(robot("walker", "stops"), stops=CODE)


class Terminal:
    """A user at the terminal of a run."""

    def __init__(self, world: Path, *options: str) -> None:
        self.own, run = pty.openpty()
        command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
        self.process = subprocess.Popen(
            command, stdin=run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        os.close(run)

    def read(self) -> str:
        """What the debugger has written, up to its next prompt."""
        shown = b""
        while not shown.endswith((b"(walker) ", b"(Pdb) ")):
            assert select.select([self.own], [], [], PATIENCE)[0], shown
            shown += os.read(self.own, 4096)
        return shown.decode()

    def enter(self, line: str) -> None:
        """Type a line."""
        os.write(self.own, f"{line}\n".encode())

    def end(self) -> tuple[int, str]:
        """Exit code and output of the run, which ends by itself."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output

    def close(self) -> None:
        """End all."""
        self.process.kill()
        self.process.wait()
        os.close(self.own)


@pytest.fixture(params=[(), ("--inline",)], ids=["process", "inline"])
def terminal(world: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    user = Terminal(world, *request.param)
    yield user
    user.close()


def test_the_debugger_reads_and_writes_at_the_terminal_of_the_run(terminal: Terminal):
    assert "stops.py(5)" in terminal.read()
    terminal.enter("p secret, round(robot.getTime(), 3)")
    assert "(41, 0.032)" in terminal.read()
    terminal.enter("secret = 42")
    terminal.read()
    terminal.enter("continue")
    code, output = terminal.end()
    assert (code, "left at 0.048 42" in output) == (0, True), output


def test_a_user_steps_over_a_step_of_the_robot(terminal: Terminal):
    terminal.read()
    terminal.enter("next")
    terminal.read()
    terminal.enter("next")
    assert "if i == 1" in terminal.read()
    terminal.enter("p round(robot.getTime(), 3)")
    assert "0.048" in terminal.read()
    terminal.enter("continue")
    assert terminal.end()[0] == 0


def test_quitting_ends_the_controller_without_a_traceback(terminal: Terminal):
    terminal.read()
    terminal.enter("quit")
    code, output = terminal.end()
    assert code == 0
    assert "Traceback" not in output
    assert "left at" not in output


def test_without_a_terminal_the_controller_goes_on_and_says_so_once(world: Path):
    command = [sys.executable, "-m", "wbridge", "run", str(world)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert done.stderr.count("breakpoint() ignored: the run has no terminal") == 1
    assert "(stops.py:8)" in done.stderr
    assert "left at 0.048 41" in done.stdout


def test_a_debugger_that_the_user_has_chosen_stays(world: Path):
    environment = os.environ | {"PYTHONBREAKPOINT": "builtins.print"}
    command = [sys.executable, "-m", "wbridge", "run", str(world)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert "ignored" not in done.stderr
