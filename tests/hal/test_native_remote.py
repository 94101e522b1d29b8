"""Remote-control plugins in C: `wbridge run` builds them, and controllers in Python and C use them.

Judge: Webots' header remote_control.h (which functions exist and when they are called), and what the plugin
in this file computes from the calls that it gets.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from wbridge.hal.plugins import PluginError
from wbridge.hal.remote_plugins import find_plugin, plugins

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot {
  name "robot" controller "driver" remoteControl "wire"
  children [
    LED { name "led" }
    Camera { name "camera" width 2 height 1 }
    DistanceSensor { name "ds" }
    Accelerometer { name "acc" }
  ]
}
"""
PLUGIN = """
#include <stdio.h>
#include <string.h>
#include <webots/camera.h>
#include <webots/device.h>
#include <webots/remote_control.h>
#include <webots/robot.h>

static WbDeviceTag ds, acc, camera;
static int led;

static bool start(const char *where) {
  printf("start %s, %d devices, %s, camera %d x %d\\n", where, wb_robot_get_number_of_devices(),
         wb_device_get_name(ds), wb_camera_get_width(camera), wb_camera_get_height(camera));
  return !strcmp(where, "here");
}
static void stop(void) { printf("stop\\n"); fflush(stdout); }
static bool has_failed(void) { return false; }
static void stop_actuators(void) { printf("stop actuators\\n"); }
static void led_set(WbDeviceTag tag, int state) { led = 10 * tag + state; }
static void period(WbDeviceTag tag, int ms) { printf("period of %s: %d\\n", wb_device_get_name(tag), ms); }
static int step(int ms) {
  const double values[] = {1, 2, ms};
  const unsigned char image[] = {1, 2, 3, 255, 4, 5, 6, 255};
  wbr_distance_sensor_set_value(ds, led);
  wbr_accelerometer_set_values(acc, values);
  memcpy(wbr_camera_get_image_buffer(camera), image, sizeof image);
  return 0;
}

bool wbr_init(WbrInterface *ri) {
  ds = wb_robot_get_device("ds");
  acc = wb_robot_get_device("acc");
  camera = wb_robot_get_device("camera");
  ri->mandatory.wbr_start = start;
  ri->mandatory.wbr_stop = stop;
  ri->mandatory.wbr_has_failed = has_failed;
  ri->mandatory.wbr_stop_actuators = stop_actuators;
  ri->mandatory.wbr_robot_step = step;
  ri->wbr_set_sampling_period = period;
  ri->wbr_led_set = led_set;
  return true;
}

void wbr_cleanup(void) { printf("cleanup\\n"); }
"""
IN_PYTHON = """from controller import Robot
robot = Robot()
ds, acc, camera = (robot.getDevice(name) for name in ("ds", "acc", "camera"))
for sensor in (ds, acc, camera):
    sensor.enable(16)
robot.setMode(2, "here")
robot.getDevice("led").set(1)
robot.step(16)
robot.step(16)
print(ds.getValue(), acc.getValues(), list(camera.getImage()), robot.getMode(), flush=True)
robot.setMode(0, "")
"""
IN_C = """#include <stdio.h>
#include <webots/camera.h>
#include <webots/distance_sensor.h>
#include <webots/led.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  const WbDeviceTag ds = wb_robot_get_device("ds"), camera = wb_robot_get_device("camera");
  wb_distance_sensor_enable(ds, 16);
  wb_camera_enable(camera, 16);
  wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "here");
  wb_led_set(wb_robot_get_device("led"), 1);
  wb_robot_step(16);
  wb_robot_step(16);
  printf("%g %d\\n", wb_distance_sensor_get_value(ds), wb_camera_get_image(camera)[6]);
  wb_robot_cleanup();
  return 0;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("cc", "compiles the plugin")
    for name, text in {"worlds/a.wbt": WORLD, "plugins/remote_controls/wire/wire.c": PLUGIN}.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "controllers" / "driver").mkdir(parents=True)
    return tmp_path


def simulate(project: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wbridge", "run", str(project / "worlds" / "a.wbt")]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_a_controller_in_python_drives_the_robot_of_a_plugin(project: Path):
    (project / "controllers" / "driver" / "driver.py").write_text(IN_PYTHON)
    done = simulate(project)
    lines = done.stdout.splitlines()
    assert "start here, 4 devices, ds, camera 2 x 1" in lines, done.stderr
    assert "period of ds: 16" in lines
    assert "11.0 [1.0, 2.0, 16.0] [1, 2, 3, 255, 4, 5, 6, 255] 2" in lines
    assert lines.index("stop actuators") < lines.index("stop") < lines.index("cleanup")


def test_a_controller_in_c_drives_it_too(project: Path):
    (project / "controllers" / "driver" / "driver.c").write_text(IN_C)
    done = simulate(project)
    assert "11 6" in done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "bool wbr_init",
            "bool wbr_initialize",
            "undefined symbol: wbr_init; a remote control in C has wbr_init",
        ),
        ("  ri->mandatory.wbr_stop = stop;\n", "", "wbr_init did not set wbr_stop"),
        ("ds = wb_robot", "ds = wb_nobody", "undefined symbol: wb_nobody_get_device"),
    ],
)
def test_an_incomplete_plugin_is_refused_with_what_it_lacks(project: Path, old: str, new: str, said: str):
    source = project / "plugins" / "remote_controls" / "wire" / "wire.c"
    source.write_text(
        PLUGIN.replace(old, new).replace(
            "static WbDeviceTag", "int wb_nobody_get_device();\nstatic WbDeviceTag"
        )
    )
    (project / "controllers" / "driver" / "driver.py").write_text(IN_PYTHON)
    done = simulate(project)
    assert done.stderr.count(said) == 1, done.stderr
    assert "0 devices" not in done.stdout


def test_a_library_of_another_program_is_no_plugin(tmp_path: Path):
    folder = tmp_path / "plugins" / "remote_controls" / "wire"
    folder.mkdir(parents=True)
    (folder / "libwire.so").write_bytes(b"\x7fELF no library")
    assert "wire" in plugins(str(tmp_path))
    with pytest.raises(PluginError, match=r"libwire\.so cannot be loaded"):
        find_plugin("wire", str(tmp_path))


@pytest.mark.parametrize("language", ["py", "c"])
def test_a_crash_names_library_and_function(project: Path, language: str):
    source = project / "plugins" / "remote_controls" / "wire" / "wire.c"
    source.write_text(PLUGIN.replace("{ led = 10 * tag + state; }", "{ *(volatile int *)0 = tag + state; }"))
    (project / "controllers" / "driver" / f"driver.{language}").write_text(
        IN_PYTHON if language == "py" else IN_C
    )
    done = simulate(project)
    assert "libwire.so: wbr_led_set crashed: Segmentation fault" in done.stderr
    assert done.stderr.count("Segmentation fault") == 1, done.stderr


def test_an_exception_in_cpp_names_library_and_function(project: Path):
    folder = project / "plugins" / "remote_controls" / "wire"
    (folder / "wire.c").unlink()
    text = PLUGIN.replace(
        "{ led = 10 * tag + state; }", '{ (void)tag; (void)state; throw std::out_of_range("no such leg"); }'
    )
    text = text.replace("bool wbr_init", 'extern "C" bool wbr_init').replace(
        "void wbr_cleanup", 'extern "C" void wbr_cleanup'
    )
    (folder / "wire.cpp").write_text("#include <stdexcept>\n" + text)
    (project / "controllers" / "driver" / "driver.py").write_text(IN_PYTHON)
    done = simulate(project)
    assert "no such leg" in done.stderr, done.stderr
    assert "libwire.so: wbr_led_set crashed: Aborted" in done.stderr


@pytest.mark.parametrize(
    ("language", "old", "function"),
    [
        ("py", '  return !strcmp(where, "here");', "wbr_start"),
        ("c", "  return 0;", "wbr_robot_step"),
    ],
)
def test_an_endless_loop_ends_the_controller(project: Path, language: str, old: str, function: str):
    source = project / "plugins" / "remote_controls" / "wire" / "wire.c"
    source.write_text(PLUGIN.replace(old, "  for (volatile int on = 1; on;) {}\n" + old, 1))
    (project / "controllers" / "driver" / f"driver.{language}").write_text(
        IN_PYTHON if language == "py" else IN_C
    )
    done = simulate(project, WBRIDGE_PLUGIN_LIMIT="0.6")
    assert f"libwire.so: {function} did not return within 0.6 s; the controller ends" in done.stderr
    assert done.stderr.count("did not return") == 1, done.stderr
