"""H bridges never get both directions at once.

Judge: data sheets of bridges: a transistor takes up to some microseconds to switch off (L298: 1.5 us until
its current begins to fall, and 0.2 us more), and two that conduct at once short the battery.
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

MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 3.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {"wheel": ("RotationalMotor", {**MOTOR, "type": "rotational"})}
LEAST_US, MOST_US = 5.0, 200.0
NO_REVERSAL_US = 1e6


def hardware_text(board: str, names: tuple[str, str, str]) -> str:
    pwm, forward, backward = names
    return (
        f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n'
        f'[devices.wheel]\ndriver = "hbridge"\npwm = "{pwm}"\nforward = "{forward}"\n'
        f'backward = "{backward}"\nfull_speed = 4.0\n'
    )


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "pico"))
def test_directions_change_with_a_gap(board: str, tmp_path: Path):
    require_board(board)
    names = pin(board, "D3"), pin(board, "D2"), pin(board, "D4")
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(board, names), table), tmp_path / "firmware")
    bridge = f"BRIDGE:{names[1]}:{names[2]}"
    robot = Robot(built, table)
    with robot.bench:
        assert robot.bench.show(bridge)[:2] == ("gap", NO_REVERSAL_US)
        robot.set(1, "position", math.inf)
        for velocity in (2.0, -2.0, 1.0, 0.0, -1.0):
            robot.set(1, "velocity", velocity)
            robot.step()
            robot.pass_time(0.01)
            ways = [robot.bench.show(one).value for one in names[1:]]
            assert ways == [velocity > 0, velocity < 0]
        assert LEAST_US <= robot.bench.show(bridge).value <= MOST_US


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device RotationalMotor { name "wheel" maxVelocity 3 }
      endPoint Solid { name "tire" boundingObject Box { size 0.1 0.02 0.02 } physics Physics { } }
    }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
CODE = """from controller import Robot

robot = Robot()
wheel = robot.getDevice("wheel")
wheel.setPosition(float("inf"))
k = 0
while robot.step(16) != -1:
    wheel.setVelocity(2 if k % 10 < 5 else -2)
    k += 1
"""


@pytest.mark.parametrize("fault", ["", "the new direction first"])
def test_verify_sees_both_directions_at_once(fault: str, tmp_path: Path):
    """MicroPython's driver, and the same one with a fault."""
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / "code.py").write_text(CODE)
    text = hardware_text("host-python", ("GP2", "GP3", "GP6"))
    text = text.replace("format = 1\n", 'format = 1\nflavor = "standalone"\ncontroller = "code.py"\n')
    place = tmp_path / "hardware.toml"
    place.write_text(text)
    assert main(["-q", "firmware", "build", str(place)]) == 0
    driver = tmp_path / "firmware" / "wb" / "hbridge.py"
    if fault:
        begin, _, end = driver.read_text().partition("        if way <= 0:\n")
        assert end
        early = "        if way:\n            (self._forward if way > 0 else self._backward).value(1)\n"
        driver.write_text(f"{begin}{early}        if way <= 0:\n{end}")
    words = ["--steps", "40", "--flavor", "standalone", "--firmware", str(driver.parents[1] / "main.py")]
    assert main(["-q", "firmware", "verify", str(place), *words]) == (1 if fault else 0)
