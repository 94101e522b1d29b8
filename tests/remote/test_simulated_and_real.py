"""One controller file: the simulator starts it, it drives the simulated robot, then a robot at a wire."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.serving import Serving
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import SlaveOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

WORLD = """#VRML_SIM R2025a utf8
WorldInfo {
  basicTimeStep 8
}
Robot {
  name "rover"
  controller "go"
  remoteControl "wblink"
  children [
    HingeJoint {
      device [
        RotationalMotor {
          name "motor"
        }
        PositionSensor {
          name "encoder"
        }
      ]
      endPoint Solid {
        boundingObject Box {
          size 0.1 0.1 0.1
        }
        physics Physics {
        }
      }
    }
    DistanceSensor {
      name "ds"
    }
  ]
}
"""
CONTROLLER = """
import sys
from controller import Robot

robot = Robot()
motor, ds = robot.getDevice("motor"), robot.getDevice("ds")
ds.enable(8)
motor.setPosition(float("inf"))
motor.setVelocity(0.5)
robot.step(8)
simulated = ds.getValue()
robot.setMode(2, sys.argv[1])
print("mode", robot.getMode())
for k in range(20):
    robot.step(8)
    motor.setVelocity(ds.getValue())
print("simulated", simulated, "real", ds.getValue())
robot.setMode(0, "")
robot.step(8)
print("mode", robot.getMode())
"""


class Seeing(RecordingRobot):
    """Shows one quarter of its steps."""

    def step(self, elapsed: int) -> bool:
        """Count."""
        done = super().step(elapsed)
        self.values["ds.value"] = self.now / 32
        return done


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The world in a project with the controller."""
    (tmp_path / "worlds").mkdir()
    folder = tmp_path / "controllers" / "go"
    folder.mkdir(parents=True)
    (folder / "go.py").write_text(CONTROLLER)
    path = tmp_path / "worlds" / "rover.wbt"
    path.write_text(WORLD)
    return path


@pytest.mark.parametrize(
    ("wire", "options"), [("pty://", []), ("tcp://127.0.0.1", []), ("pty://", ["--inline"])]
)
def test_a_controller_drives_both(world: Path, wire: str, options: list[str]):
    (table,) = device_tables(load_world(world))
    seeing = Seeing()
    robot = Serving(wire, table, SlaveOptions(virtual=True), seeing)  # a busy machine is waited for
    text = WORLD.replace('controller "go"', f'controller "go"\n  controllerArgs [ "{robot.url}" ]')
    world.write_text(text)
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "wbridge",
                "run",
                str(world),
                "--mode",
                "fast",
                "--timeout",
                "60",
                *options,
            ],
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    finally:
        robot.close()
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith(("mode", "simulated"))]
    assert [lines[0], lines[2]] == ["mode 2", "mode 0"], done.stdout + done.stderr
    assert lines[1].endswith("real 5.0")
    assert seeing.commands[:2] == [("motor.position", float("inf")), ("motor.velocity", 0.5)]
    assert [value for _, value in seeing.commands[2:]] == [0.25 * k for k in range(1, 20)]
    assert seeing.stops > 0
    assert seeing.state == {}
