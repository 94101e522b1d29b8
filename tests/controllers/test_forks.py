"""A copy of a controller's process, made by fork(), leaves the simulator to its parent."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import require_tool
from tests.controllers.project import Project, robot
from wbridge.running.building import build_late

MESSAGE = "Error: a process made by fork() cannot use the robot, which belongs to the process that called"
PYTHON = """
import os, sys
from controller import Robot
robot = Robot()
robot.step(16)
if os.fork() == 0:
    print("copy", robot.getTime(), robot.step(16), flush=True)
    robot.step(16)  # ends it, as after the simulation's end
    print("not reached", flush=True)
print("status", os.wait()[1])
for _ in range(3):
    robot.step(16)
print("parent", robot.getTime())
"""
C = r"""
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webots/robot.h>

int main(void) {
  int status = -1;
  wb_robot_init();
  wb_robot_step(16);
  if (!fork()) {
    printf("copy %g %d\n", wb_robot_get_time(), wb_robot_step(16));
    wb_robot_cleanup();
    return 0;
  }
  wait(&status);
  printf("status %d\n", status);
  for (int k = 0; k < 3; ++k) wb_robot_step(16);
  printf("parent %g\n", wb_robot_get_time());
  wb_robot_cleanup();
  return 0;
}
"""


def check(printed: str) -> None:
    """The copy has got a message and made no step; its parent has made all of its own."""
    lines = printed.splitlines()
    assert len([line for line in lines if line.startswith(MESSAGE)]) == 1
    assert [line for line in lines if not line.startswith(MESSAGE)] == [
        "copy 0.016 -1",
        "status 0",
        "parent 0.064",
    ]


def test_a_copy_in_python_makes_no_steps(tmp_path: Path):
    project = Project(tmp_path)
    project.write(robot("a", "c"), c=PYTHON)
    check(project.printed())


def test_a_copy_in_c_makes_no_steps(tmp_path: Path):
    require_tool("cc", "controllers in C are compiled with it")
    project = Project(tmp_path)
    project.write(robot("a", "c"))
    project.file("c", "c.c", C)
    check(project.printed(build=build_late))
