"""Encoders with one track: each edge counts in the direction of the motor's last command.

Judge: edges that are driven at the pin, and the sign of the command.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_drivers import pin
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.problems import HardwareError

MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 3.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {
    "wheel": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    "turned": ("PositionSensor", {"type": "rotational", "motor": 1}),
}
COUNTS = 40
NAMES = {"pwm": "D5", "forward": "D2", "backward": "D4", "pin": "D10"}
ON_PICO = {"pwm": "GP2", "forward": "GP3", "backward": "GP6", "pin": "GP7"}


DRV8833 = {"forward": "D5", "backward": "D6", "pin": "D10"}
DRV8833_ON_PICO = {"forward": "GP2", "backward": "GP3", "pin": "GP7"}


def hardware_text(board: str, names: dict[str, str]) -> str:
    motor = "".join(f'{name} = "{pin}"\n' for name, pin in names.items() if name != "pin")
    driver = "hbridge" if "pwm" in names else "drv8833"
    return (
        f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n'
        f'[devices.wheel]\ndriver = "{driver}"\n{motor}full_speed = 4.0\n'
        f'[devices.turned]\ndriver = "single_track_encoder"\npin = "{names["pin"]}"\ncounts = {COUNTS}.0\n'
        'motor = "wheel"\n'
    )


@pytest.mark.parametrize("motor", ["hbridge", "drv8833"])
@pytest.mark.parametrize("board", boards("host", "arduino-uno", "pico"))
def test_edges_count_in_the_direction_of_the_command(board: str, motor: str, tmp_path: Path):
    require_board(board)
    names = {name: pin(board, one) for name, one in (NAMES if motor == "hbridge" else DRV8833).items()}
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(board, names), table), tmp_path / "firmware")
    robot, level = Robot(built, table), 1
    with robot.bench:
        robot.bench.drive(names["pin"], level)
        robot.set(1, "position", math.inf)
        place, heading = 0, 1
        for velocity, edges in ((2.0, 11), (0.0, 3), (-2.0, 20), (0.0, 2), (1.0, 5)):
            robot.set(1, "velocity", velocity)
            robot.step()
            heading = int(math.copysign(1, velocity)) if velocity else heading
            for _ in range(edges):
                level = 1 - level
                robot.bench.drive(names["pin"], level)
                robot.pass_time(0.001)
            place += heading * edges
            robot.pass_time(0.032)
            robot.step()
            robot.pass_time(0.032)
            read = robot.step()["turned.position"]
            assert read == pytest.approx(2 * math.pi * place / COUNTS, rel=1e-5)


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [
        RotationalMotor { name "wheel" maxVelocity 3 maxTorque 0.001 }
        PositionSensor { name "turned" }
      ]
      endPoint Solid { name "tire" boundingObject Box { size 0.1 0.02 0.02 } physics Physics { } }
    }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <math.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag wheel = wb_robot_get_device("wheel"), turned = wb_robot_get_device("turned");
  wb_position_sensor_enable(turned, 16);
  wb_motor_set_position(wheel, INFINITY);
  for (int k = 0; wb_robot_step(16) != -1; k++) wb_motor_set_velocity(wheel, k % 60 < 35 ? 3 : -3);
}
""",
    ".py": """from controller import Robot

robot = Robot()
wheel, turned = robot.getDevice("wheel"), robot.getDevice("turned")
turned.enable(16)
wheel.setPosition(float("inf"))
k = 0
while robot.step(16) != -1:
    wheel.setVelocity(3 if k % 60 < 35 else -3)
    k += 1
""",
}


@pytest.mark.parametrize(
    ("board", "suffix", "names"),
    [
        ("arduino-uno", ".c", NAMES),
        ("host-python", ".py", ON_PICO),
        ("arduino-uno", ".c", DRV8833),
        ("host-python", ".py", DRV8833_ON_PICO),
        pytest.param("host", ".c", NAMES, marks=pytest.mark.slow),
        pytest.param("pico", ".c", ON_PICO, marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", ON_PICO, marks=pytest.mark.boards),
    ],
)
def test_verify_counts_as_the_board_does(board: str, suffix: str, names: dict[str, str], tmp_path: Path):
    """The weak motor goes on for a while when it reverses: the board counts these edges the wrong way."""
    if suffix == ".c":
        require_board(board)
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    head = f'format = 1\nflavor = "standalone"\ncontroller = "code{suffix}"\n'
    (tmp_path / "hardware.toml").write_text(hardware_text(board, names).replace("format = 1\n", head))
    words = ["--steps", "100", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('motor = "wheel"\n', "", "motor is missing"),
        ('motor = "wheel"', 'motor = "tire"', "expected a device with the driver hbridge or drv8833"),
    ],
)
def test_it_needs_its_motor(old: str, new: str, why: str, tmp_path: Path):
    text = hardware_text("host", NAMES)
    with pytest.raises(HardwareError, match=why):
        mapped(tmp_path, text.replace(old, new), table_of(DEVICES))
