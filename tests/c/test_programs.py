"""Programs in C and C++ that go wrong, or end in their own way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project, robot, steps
from wbridge.libcontroller import compiling

pytestmark = pytest.mark.usefixtures("c_home")

START = """
#include <stdio.h>
#include <stdlib.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
"""
MOTION = """
#include <webots/Robot.hpp>
#include <webots/utils/Motion.hpp>
int main() {
  auto *robot = new webots::Robot();
  webots::Motion motion("PLACE/dance.motion");
  motion.play();
  while (robot->step(16) != -1 && !motion.isOver()) {
  }
  delete robot;
  return 0;
}
"""
FINDER = """
#include <iostream>
#include <webots/Camera.hpp>
#include <webots/LED.hpp>
#include <webots/Robot.hpp>
int main() {
  webots::Robot robot;
  webots::Camera *camera = robot.getCamera("finder");
  camera->enable(16);
  robot.step(16);
  std::cout << static_cast<char>(camera->getType()) << ' ' << camera->getMaxRange() << ' '
            << camera->getRangeImage()[0] << ' ' << (camera == robot.getCamera("finder")) << ' '
            << (robot.getRangeFinder("finder") != nullptr) << ' '
            << (robot.getCamera("lamp") == nullptr) << std::endl;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def _build(project: Project, name: str, text: str) -> Path:
    program = compiling.compile_controller(project.file("native", name, text).parent)
    assert program is not None
    return program


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("volatile int *none = 0; *none = 1;", "signal 11 (SIGSEGV): it accessed invalid memory"),
        ("abort();", "signal 6 (SIGABRT): it aborted"),
    ],
)
def test_a_crash_loses_no_line_and_tells_its_cause(
    project: Project, caplog: pytest.LogCaptureFixture, wrong: str, said: str
):
    code = f'{START}  wb_robot_step(16);\n  printf("before\\n");\n  {wrong}\n}}\n'
    program = _build(project, "native.c", code)
    project.write(robot("a", "<none>"), robot("b", "short"), short=steps(3))
    assert project.printed(controllers={"a": str(program)}) == "before\n"
    assert f'robot "a": its controller was ended by {said}' in caplog.text


def test_a_motion_may_outlive_its_robot(project: Project, caplog: pytest.LogCaptureFixture):
    """As a local object behind `delete robot` does."""
    motor = 'HingeJoint { device RotationalMotor { name "m" } endPoint Solid { } }'
    program = _build(project, "native.cpp", MOTION.replace("PLACE", str(project.folder)))
    (project.folder / "dance.motion").write_text(
        "\ufeff#WEBOTS_MOTION,V1.0,m\r\n00:00:000,A,0\r\n00:00:100,B,1\r\n"
    )
    project.write(robot("a", "<none>", children=motor))
    with caplog.at_level("INFO"):
        assert project.printed(controllers={"a": str(program)}) == ""
    assert 'robot "a": its controller ended with exit code 0' in caplog.messages


def test_an_error_in_a_loop_is_said_ten_times(project: Project):
    code = f'{START}  while (wb_robot_step(16) != -1) wb_robot_get_device("m");\n}}\n'
    program = _build(project, "native.c", code)
    project.write(robot("a", "<none>"))
    said = project.printed(30, controllers={"a": str(program)}).splitlines()
    assert len(said) == 10 and len(set(said[:-1])) == 1
    assert said[-1] == f"{said[0]} This message is not repeated."


def test_a_camera_of_8_3_that_measures_distances_is_a_camera_in_cpp(project: Project):
    """Judge: manual of 8.3.1, chapter Camera: getRangeImage, getMaxRange and getType are its methods."""
    devices = 'Camera { name "finder" type "range-finder" maxRange 5 } LED { name "lamp" }'
    program = _build(project, "native.cpp", FINDER)
    project.write(robot("a", "<none>", children=devices))
    assert project.printed(controllers={"a": str(program)}) == "r 5 inf 1 1 1\n"
