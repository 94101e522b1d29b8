"""`wbridge run --shadow`: the simulated robot goes along while its controller drives the real one."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.wbridge.test_remote import bridge
from wbridge.main import main

TWO_WHEELS = CHECKOUT / "worlds" / "two_wheels.wbt"
STEP_S, STEPS = 0.016, 100
SPEED = 5.0
IN_PYTHON = f"""
import sys
from controller import Robot

robot = Robot()
motors = [robot.getDevice(f"{{side}} wheel motor") for side in ("left", "right")]
encoder, front = robot.getDevice("left wheel sensor"), robot.getDevice("front")
encoder.enable(16)
robot.setMode(2, sys.argv[1])
front.enable(16)
for motor in motors:
    motor.setPosition(float("inf"))
    motor.setVelocity({SPEED})
for _ in range({STEPS}):
    robot.step(16)
robot.setMode(0, "")
for motor in motors:
    motor.setVelocity(0)
robot.step(64)
"""
IN_C = f"""
#include <math.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>
int main(int argc, char **argv) {{
  wb_robot_init();
  const char *names[] = {{"left wheel motor", "right wheel motor"}};
  WbDeviceTag motors[] = {{wb_robot_get_device(names[0]), wb_robot_get_device(names[1])}};
  wb_position_sensor_enable(wb_robot_get_device("left wheel sensor"), 16);
  wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, argv[argc - 1]);
  wb_distance_sensor_enable(wb_robot_get_device("front"), 16);
  for (int k = 0; k < 2; ++k) {{
    wb_motor_set_position(motors[k], INFINITY);
    wb_motor_set_velocity(motors[k], {SPEED});
  }}
  for (int k = 0; k < {STEPS}; ++k) wb_robot_step(16);
  wb_robot_set_mode(WB_MODE_SIMULATION, "");
  for (int k = 0; k < 2; ++k) wb_motor_set_velocity(motors[k], 0);
  wb_robot_step(64);
  wb_robot_cleanup();
  return 0;
}}
"""


def project(folder: Path, url: str, source: str, suffix: str) -> Path:
    """A world whose controller drives the robot at a URL."""
    (folder / "worlds").mkdir()
    place = folder / "controllers" / "drive"
    place.mkdir(parents=True)
    (place / f"drive.{suffix}").write_text(source)
    text = TWO_WHEELS.read_text().replace("../protos", f"{CHECKOUT}/protos")
    changed = f'controller "drive"\n  remoteControl "wblink"\n  controllerArgs [ "{url}" ]'
    world = folder / "worlds" / "two_wheels.wbt"
    world.write_text(text.replace('controller "<none>"', changed))
    return world


def run(world: Path, *options: str) -> dict[str, list[float]]:
    """Run it; the columns of the recording."""
    target = world.with_suffix(".csv")
    assert main(["run", str(world), "--quiet", "--timeout", "60", "--record", str(target), *options]) == 0
    with target.open(newline="") as file:
        header, *rows = csv.reader(file)
    return {name: [float(row[k] or "nan") for row in rows] for k, name in enumerate(header)}


@pytest.mark.parametrize(
    ("way", "source", "suffix"),
    [("beside", IN_PYTHON, "py"), ("mirror", IN_PYTHON, "py"), ("beside", IN_C, "c")],
    ids=["beside", "mirror", "beside, in C"],
)
def test_the_model_goes_along_and_both_are_recorded(way: str, source: str, suffix: str, tmp_path: Path):
    if suffix == "c":
        require_tool("cc", "controllers in C are built with it")
    with bridge("tcp://127.0.0.1", "--mode", "steps", world=TWO_WHEELS) as url:
        columns = run(project(tmp_path, url, source, suffix), "--shadow", way)
    real = columns["real two wheels/left wheel sensor.position"]
    model = columns["two wheels/left wheel sensor.value"]
    turned = SPEED * STEP_S * STEPS
    assert max(one for one in real if one == one) == pytest.approx(turned, rel=0.05)
    assert model[-2] == pytest.approx(turned, rel=0.1)
    assert columns["two wheels.x"][-1] > 0.5 * columns["two wheels.x"][0] + 0.05
    assert SPEED in columns["two wheels/left wheel motor.set_velocity"]
    assert any(one == one for one in columns["real two wheels/front.value"])
    if way == "beside":  # the model follows one or two steps behind
        gaps = [abs(r - m) for r, m in zip(real, model, strict=True) if r == r and m == m]
        assert max(gaps[:STEPS]) <= 3 * SPEED * STEP_S


def test_without_it_the_model_stands(tmp_path: Path):
    with bridge("tcp://127.0.0.1", "--mode", "steps", world=TWO_WHEELS) as url:
        columns = run(project(tmp_path, url, IN_PYTHON, "py"))
    assert abs(columns["two wheels.x"][-1] - columns["two wheels.x"][0]) < 0.01
    assert not any(name.startswith("real") for name in columns)


def test_a_world_without_remote_control_is_told(capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(TWO_WHEELS), "--shadow", "mirror"]) == 2
    assert "no robot in this world has remote control" in capsys.readouterr().err
