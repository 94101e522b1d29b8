"""Controllers inside of the simulator's process that begin their robot twice, or step in another thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project, robot

AGAIN = """
from controller import Robot
robot = Robot()
robot.step(16)
robot.__del__()
robot = Robot()
print([robot.step(16) for _ in range(3)], robot.getTime())
"""
OTHER = """
import threading
from controller import Robot
robot = Robot()
robot.step(16)
robot.step(16)


def step():
    try:
        robot.step(16)
    except SystemExit as end:
        print("code", end)


thread = threading.Thread(target=step)
thread.start()
thread.join()
print("ends", robot.step(16))
"""


@pytest.mark.parametrize("inline", [False, True])
def test_a_program_may_begin_its_robot_again(tmp_path: Path, inline: bool):
    """Its second connection waits for the answers to its own requests; both make their steps."""
    project = Project(tmp_path)
    project.write(robot("a", "c"), c=AGAIN)
    assert project.printed(limit=50, inline=inline) == "[0, 0, 0] 0.064\n"


def test_a_step_in_another_thread_is_reported(tmp_path: Path):
    """Its frames cannot be left for those of the simulator, which is in the first thread."""
    project = Project(tmp_path)
    project.write(robot("a", "c"), c=OTHER)
    message, code = project.printed(limit=50, inline=True).splitlines()
    assert code == "code 1"
    assert message == (
        "Lost the simulator: inside of the simulator's process, a controller makes steps in its first thread "
        "only; run it without --inline"
    )
