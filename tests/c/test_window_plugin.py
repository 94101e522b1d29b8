"""Robot-window plugins in C: `wbridge run` builds them, and controllers in C call them in each step.

Judge: the order of the calls in the manual of Webots 8.3.1, chapter Robot, and the functions of libraries of
HTML windows since R2022b.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot { name "robot" controller "driver" window "panel" children [ LED { name "led" } ] }
"""
DRIVER = """#include <stdio.h>
#include <webots/led.h>
#include <webots/robot.h>
#include <webots/robot_window.h>
int main(void) {
  wb_robot_init();
  for (int i = 0; i < 2; ++i)
    wb_robot_step(16);
  printf("led %d, custom %s\\n", wb_led_get(wb_robot_get_device("led")),
         (const char *)wb_robot_window_custom_function("a"));
  wb_robot_cleanup();
  return 0;
}
"""
OLD = """#include <stdio.h>
#include <webots/led.h>
#include <webots/robot.h>
#include <webots/robot_window.h>
bool wbw_init() { printf("init %s\\n", wb_robot_get_name()); return true; }
void wbw_write_actuators() { printf("write\\n"); wb_led_set(wb_robot_get_device("led"), 7); }
void wbw_pre_update_gui() { printf("pre_update\\n"); }
static int updates; /* of a step; their number depends on how long it takes */
void wbw_update_gui() { if (!updates++) printf("update\\n"); wb_robot_step(16); }
void wbw_read_sensors() { updates = 0; printf("read\\n"); }
void *wbw_robot_window_custom_function(void *arg) { (void)arg; return "answer"; }
void wbw_cleanup() { printf("cleanup\\n"); }
"""
NEW = """#include <stdio.h>
#include <webots/plugins/robot_window/robot_wwi.h>
#include <webots/robot.h>
void wb_robot_window_init() { wb_robot_wwi_send_text("hello"); printf("init\\n"); }
void wb_robot_window_step(int ms) { printf("step %d at %g\\n", ms, wb_robot_get_time()); }
void wb_robot_window_cleanup() { printf("cleanup\\n"); }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("cc", "compiles the plugin")
    for name, text in {
        "worlds/a.wbt": WORLD,
        "controllers/driver/driver.c": DRIVER,
        "plugins/robot_windows/panel/panel.c": OLD,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def simulate(project: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wbridge", "run", str(project / "worlds" / "a.wbt"), *options]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_functions_until_r2022a_are_called_in_the_order_of_the_manual(project: Path):
    done = simulate(project)
    step = ["write", "pre_update", "update", "read"]
    assert done.stdout.splitlines()[:11] == [
        *("init robot", *step, *step, "led 7, custom answer", "cleanup"),
    ], done.stderr
    assert "called by a robot window; only the controller may make steps" in done.stderr


def test_functions_since_r2022b_are_called(project: Path):
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text(NEW)
    (project / "controllers" / "driver" / "driver.c").write_text(DRIVER.replace("custom %s", "custom %p"))
    done = simulate(project)
    lines = done.stdout.splitlines()
    assert lines[:3] == ["init", "step 16 at 0.016", "step 16 at 0.032"], done.stderr
    assert lines[4] == "cleanup"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("int nothing;\n", "it has neither wb_robot_window_init, _step and _cleanup nor wbw_init"),
        (OLD.replace("return true;", "return false;"), "it does not support this robot"),
        (
            "void wbw_missing();\nvoid wb_robot_window_init() { wbw_missing(); }",
            "undefined symbol: wbw_missing",
        ),
    ],
)
def test_the_controller_goes_on_without_a_plugin_that_cannot_be_used(project: Path, source: str, said: str):
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text(source)
    (project / "controllers" / "driver" / "driver.c").write_text(DRIVER.replace("custom %s", "custom %p"))
    done = simulate(project)
    assert said in done.stderr and "the controller goes on without it" in done.stderr
    assert "led 0, custom (nil)" in done.stdout


def test_a_run_goes_on_without_a_plugin_that_cannot_be_built(project: Path):
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text("#error\n")
    (project / "controllers" / "driver" / "driver.c").write_text(DRIVER.replace("custom %s", "custom %p"))
    done = simulate(project)
    assert "could not build" in done.stderr and "The simulation runs without this plugin." in done.stderr
    assert done.stdout.startswith("led 0, custom "), done.stderr


def test_a_plugin_with_an_outdated_library_must_be_built(project: Path):
    folder = project / "plugins" / "robot_windows" / "panel"
    (folder / "panel.c").write_text("#error\n")
    (folder / "libpanel.so").write_bytes(b"")
    done = simulate(project)
    assert done.returncode == 2 and "could not build" in done.stderr


IN_PYTHON = """from controller import Robot
robot = Robot()
led, sensor = robot.getDevice("led"), robot.getDevice("sensor")
sensor.enable(16)
for _ in range(3):
    robot.step(16)
print("python", led.get(), sensor.getValue(), robot.wwiReceiveText(), flush=True)
"""
TALKING = """#include <stdio.h>
#include <webots/led.h>
#include <webots/plugins/robot_window/robot_wwi.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>
static int steps;
void wb_robot_window_init() { printf("init %s\\n", wb_robot_get_name()); }
void wb_robot_window_step(int ms) {
  const WbDeviceTag sensor = wb_robot_get_device("sensor");
  printf("step %d at %g reads %g\\n", ms, wb_robot_get_time(), wb_position_sensor_get_value(sensor));
  if (!steps++) wb_led_set(wb_robot_get_device("led"), 3);
  fflush(stdout);
}
void wb_robot_window_cleanup() { printf("cleanup\\n"); fflush(stdout); }
"""
WITH_SENSOR = """ HingeJoint {
  jointParameters HingeJointParameters { position 0.5 }
  device PositionSensor { name "sensor" }
  endPoint Solid { }
} """


def test_controllers_in_python_have_windows_in_c(project: Path):
    """The window reads what the controller enabled, and its commands reach the simulation."""
    (project / "worlds" / "a.wbt").write_text(WORLD.replace("LED {", WITH_SENSOR + "LED {"))
    (project / "controllers" / "driver" / "driver.c").unlink()
    (project / "controllers" / "driver" / "driver.py").write_text(IN_PYTHON)
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text(TALKING)
    done = simulate(project, "--record", str(project / "run.csv"))
    assert done.stdout.splitlines()[:4] == [
        "init robot",
        *(f"step 16 at {time:g} reads 0.5" for time in (0.016, 0.032, 0.048)),
    ], done.stderr
    assert "cleanup" in done.stdout.splitlines()
    last = (project / "run.csv").read_text().splitlines()
    assert dict(zip(last[0].split(","), last[-1].split(","), strict=True))["robot/led.set"] == "3.0"


CRASH = "void wb_robot_window_init() {}\nvoid wb_robot_window_step(int ms) { *(volatile int *)0 = ms; }"


@pytest.mark.parametrize("language", ["c", "python"])
def test_a_crash_names_library_and_function(project: Path, language: str):
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text(CRASH)
    if language == "python":
        (project / "controllers" / "driver" / "driver.c").unlink()
        (project / "controllers" / "driver" / "driver.py").write_text(
            "from controller import Robot\nrobot = Robot()\nrobot.step(16)\n"
        )
    done = simulate(project)
    assert "panel.so: wb_robot_window_step crashed: Segmentation fault" in done.stderr
    assert done.stderr.count("Segmentation fault") == 1, done.stderr


def test_an_endless_loop_ends_the_controller_with_its_output(project: Path):
    loop = """
    #include <stdio.h>
    void wb_robot_window_init() { printf("almost"); for (volatile int on = 1; on;) {} }
    """
    (project / "plugins" / "robot_windows" / "panel" / "panel.c").write_text(loop)
    done = simulate(project, "--fail-on-controller-error", WBRIDGE_PLUGIN_LIMIT="0.6")
    call = "panel.so: wb_robot_window_init"
    assert f"{call} has not returned yet; its limit is 0.6 s" in done.stderr
    assert f"{call} did not return within 0.6 s; the controller ends" in done.stderr
    assert done.returncode == 1 and done.stdout.startswith("almost"), done.stderr
