"""Controllers in C drive real robots unchanged, by `wbridge remote` and by `wb_robot_set_mode`."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.hal.link.serving import Serving
from tests.remote.test_simulated_and_real import WORLD, Seeing
from tests.wbridge.test_remote import bridge
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import SlaveOptions
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

TWO_WHEELS = CHECKOUT / "worlds" / "two_wheels.wbt"
SECONDS, STEPS = "4", 250
AVOIDER = """
#include <math.h>
#include <webots/distance_sensor.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  const WbDeviceTag front = wb_robot_get_device("front"), status = wb_robot_get_device("status");
  const WbDeviceTag left = wb_robot_get_device("left wheel motor");
  const WbDeviceTag right = wb_robot_get_device("right wheel motor");
  wb_distance_sensor_enable(front, step);
  wb_position_sensor_enable(wb_robot_get_device("left wheel sensor"), 2 * step);
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  while (wb_robot_step(step) != -1) {
    const int is_near = wb_distance_sensor_get_value(front) > 600;
    wb_motor_set_velocity(left, 6.0);
    wb_motor_set_velocity(right, is_near ? -4.0 : 6.0);
    wb_led_set(status, is_near);
  }
  wb_robot_cleanup();
  return 0;
}
"""
GO = """
#include <math.h>
#include <stdio.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(int argc, char **argv) {
  wb_robot_init();
  const WbDeviceTag motor = wb_robot_get_device("motor"), ds = wb_robot_get_device("ds");
  wb_distance_sensor_enable(ds, 8);
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, 0.5);
  wb_robot_step(8);
  const double simulated = wb_distance_sensor_get_value(ds);
  wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, argv[argc - 1]);
  printf("mode %d\\n", wb_robot_get_mode());
  for (int k = 0; k < 20; ++k) {
    wb_robot_step(8);
    wb_motor_set_velocity(motor, wb_distance_sensor_get_value(ds));
  }
  printf("simulated %g real %g\\n", simulated, wb_distance_sensor_get_value(ds));
  wb_robot_set_mode(WB_MODE_SIMULATION, "");
  wb_robot_step(8);
  printf("mode %d\\n", wb_robot_get_mode());
  wb_robot_cleanup();
  return 0;
}
"""
CRASH = GO.replace("wb_robot_set_mode(WB_MODE_SIMULATION", "*(volatile int *)0 = 1;\n  wb_robot_set_mode(0")


def controller(folder: Path, name: str, source: str) -> Path:
    """The folder of a controller in C."""
    require_tool("cc", "controllers in C are built with it")
    place = folder / "controllers" / name
    place.mkdir(parents=True)
    (place / f"{name}.c").write_text(source)
    (place / "socket.py").write_text(
        "raise SystemExit('a file of the controller is no module of the gateway')"
    )
    return place


def rows_of(path: Path) -> list[list[str]]:
    """A recording."""
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def avoider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world with a controller in C."""
    folder = tmp_path_factory.mktemp("avoider")
    controller(folder, "avoider", AVOIDER)
    (folder / "worlds").mkdir()
    text = TWO_WHEELS.read_text().replace("../protos", f"{CHECKOUT}/protos")
    world = folder / "worlds" / "two_wheels.wbt"
    world.write_text(text.replace('controller "<none>"', 'controller "avoider"'))
    return world


@pytest.fixture(scope="module")
def simulated(avoider: Path) -> list[list[str]]:
    """Poses, commands and readings of each step in simulation."""
    target = avoider.with_name("run.csv")
    assert main(["run", str(avoider), "--quiet", "--duration", SECONDS, "--record", str(target)]) == 0
    return rows_of(target)


@pytest.mark.parametrize("wire", ["pty://", "tcp://127.0.0.1"])
def test_a_controller_in_c_does_the_same_over_a_wire(
    wire: str, avoider: Path, simulated: list[list[str]], tmp_path: Path
):
    target = tmp_path / "bridge.csv"
    with bridge(wire, "--mode", "steps", "--record", str(target), world=avoider) as url:
        assert main(["remote", str(avoider), "--quiet", "--url", url, "--duration", SECONDS]) == 0
    assert len(simulated) > STEPS
    assert simulated[0][-1] == "two wheels/status.set"
    assert {row[-1] for row in simulated[1:]} == {"", "0.0", "1.0"}  # it meets an obstacle, and leaves it
    assert rows_of(target)[: len(simulated)] == simulated


def rover(folder: Path, source: str, url: str) -> subprocess.CompletedProcess[str]:
    """Run a controller in C in a simulation; its argument is a URL."""
    controller(folder, "go", source)
    (folder / "worlds").mkdir()
    world = folder / "worlds" / "rover.wbt"
    world.write_text(WORLD.replace('controller "go"', f'controller "go"\n  controllerArgs [ "{url}" ]'))
    return subprocess.run(
        [sys.executable, "-m", "wbridge", "run", str(world), "--mode", "fast", "--timeout", "20"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def serve(folder: Path, wire: str, robot: RecordingRobot) -> Serving:
    """A robot with the devices of the rover."""
    path = folder / "table.wbt"
    path.write_text(WORLD)
    (table,) = device_tables(load_world(path))
    return Serving(wire, table, SlaveOptions(virtual=True), robot)  # a busy machine is waited for


@pytest.mark.parametrize("wire", ["pty://", "tcp://127.0.0.1"])
def test_a_controller_in_c_chooses_its_mode(tmp_path: Path, wire: str):
    seeing = Seeing()
    robot = serve(tmp_path, wire, seeing)
    try:
        done = rover(tmp_path, GO, robot.url)
    finally:
        robot.close()
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith(("mode", "simulated"))]
    assert [lines[0], lines[2]] == ["mode 2", "mode 0"], done.stdout + done.stderr
    assert lines[1].endswith("real 5")
    assert seeing.commands[:2] == [("motor.position", math.inf), ("motor.velocity", 0.5)]
    assert [value for _, value in seeing.commands[2:]] == [0.25 * k for k in range(1, 20)]
    assert seeing.stops > 0


def test_a_controller_in_c_that_crashes_lets_the_robot_stop(tmp_path: Path):
    seeing = Seeing()
    robot = serve(tmp_path, "tcp://127.0.0.1", seeing)
    try:
        done = rover(tmp_path, CRASH, robot.url)
        assert "SIGSEGV" in done.stderr
        assert ("motor.velocity", 4.75) in seeing.commands
        assert seeing.stops > 0
    finally:
        robot.close()


def test_a_robot_that_is_not_there_leaves_a_controller_in_c_in_simulation(tmp_path: Path):
    done = rover(tmp_path, GO, "tcp://127.0.0.1:9?table=/no/file")
    assert "the robot stays in simulation" in done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("mode")] == ["mode 0", "mode 0"]
    assert done.returncode == 0


def test_without_python_there_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WBRIDGE_PYTHON", "/no/python")
    done = rover(tmp_path, GO, "tcp://127.0.0.1:9")
    assert "it needs Python with wbridge, which WBRIDGE_PYTHON can name" in done.stderr
    assert done.returncode == 0


def test_a_controller_that_never_connects_ends_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    program = tmp_path / "go" / "go"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    with bridge("tcp://127.0.0.1", world=TWO_WHEELS) as url:
        assert main(["remote", str(TWO_WHEELS), "--url", url, "--controller", str(program)]) == 1
    assert "its controller ended with exit code 7" in capfd.readouterr().err
