"""Threads of a controller in C take turns in calls of the API, as with Webots' library."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import require_tool
from tests.controllers.project import Project, robot
from wbridge.hal import turns
from wbridge.libcontroller.compiling import source_folder
from wbridge.running.building import build_late

THREADS, STEPS = 3, 200
DEVICES = (
    'HingeJoint { device [ RotationalMotor { name "m" } PositionSensor { name "s" } ] endPoint Solid { } }'
)
CODE = f"""
#include <pthread.h>
#include <stdio.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

static void *steps(void *ignored) {{
  const WbDeviceTag motor = wb_robot_get_device("m"), sensor = wb_robot_get_device("s");
  volatile double sum = 0;
  for (int i = 0; i < {STEPS}; ++i) {{
    wb_robot_step(16);
    for (int k = 0; k < 20; ++k) {{
      wb_motor_set_position(motor, 0.01 * k);
      sum += wb_position_sensor_get_value(sensor);
      wb_position_sensor_enable(sensor, 16);
    }}
  }}
  return ignored;
}}

int main(void) {{
  pthread_t threads[{THREADS}];
  wb_robot_init();
  wb_position_sensor_enable(wb_robot_get_device("s"), 16);
  wb_robot_step(16);
  for (int i = 0; i < {THREADS}; ++i) pthread_create(&threads[i], NULL, steps, NULL);
  for (int i = 0; i < {THREADS}; ++i) pthread_join(threads[i], NULL);
  printf("%.3f\\n", wb_robot_get_time());
  wb_robot_cleanup();
  return 0;
}}
"""


def test_each_thread_makes_its_steps(tmp_path: Path):
    """Overlapping calls ended such a program: their packets were mixed."""
    require_tool("cc", "controllers in C are compiled with it")
    for tool in ("nm", "objcopy"):
        require_tool(tool, "the library is prepared for threads with it")
    project = Project(tmp_path)
    project.write(robot("a", "c", children=DEVICES))
    project.file("c", "c.c", CODE)
    assert project.printed(build=build_late) == f"{(THREADS * STEPS + 1) * 0.016:.3f}\n"


def test_only_defined_functions_take_turns_and_no_mutexes_of_the_program():
    """A function that the library lacks stays an error of the linker; a mutex would never be free."""
    include = source_folder() / "include"
    names = ["wb_robot_step", "wb_robot_mutex_lock", "wb_robot_task_new", "own", "wb_radio_set_callback"]
    assert turns.renamed(include, names).split() == [
        "wb_radio_set_callback",
        "own_wb_radio_set_callback",
        "wb_robot_step",
        "own_wb_robot_step",
    ]
    code = turns.source(include, names)
    assert "own_wb_robot_step(int duration);" in code and "wb_motor" not in code
