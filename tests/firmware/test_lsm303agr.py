"""The accelerometer of an LSM303AGR, which a micro:bit V1.5 has.

Judge: ST's data sheet (DocID027765): identity 0x33 in 0x0F; CTRL_REG1_A 0x57 is 100 Hz and three axes; in
CTRL_REG4_A BDU, HR and the range; x, y and z in the upper 12 bits of 0x28 to 0x2D, read with bit 7 of the
register set; 1.95 mg a step at 4 g.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build

DEVICES: dict[str, tuple[str, dict[str, Any]]] = {"shaken": ("Accelerometer", {"lookupTable": []})}
CHIP = "I2C:0x19"
GRAVITY = 9.80665


def hardware_text(board: str, pins: tuple[str, str]) -> str:
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
    text += '[devices.shaken]\ndriver = "lsm303agr_accelerometer"\n'
    return text + f'sda = "{pins[0]}"\nscl = "{pins[1]}"\naxes = ["y", "-x", "z"]\n'


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "pico"))
def test_a_board_reads_it(board: str, tmp_path: Path):
    require_board(board)
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(board, BUS[board]), table), tmp_path / "firmware")
    robot = Robot(built, table)
    with robot.bench:

        def read() -> dict[str, tuple[float, ...]]:
            robot.pass_time(0.04)
            robot.step()
            robot.pass_time(0.04)
            return robot.step()

        drive = robot.bench.drive
        drive(f"{CHIP}:0x0F", 0x32)
        assert "shaken.acceleration" not in read(), "another chip"
        drive(f"{CHIP}:0x0F", 0x33)
        drive(f"{CHIP}:0x20", 0x07)
        for k, number in enumerate((512, -256, 100)):
            drive(f"{CHIP}:{0xA8 + 2 * k}", (number << 4) & 0xFF)
            drive(f"{CHIP}:{0xA9 + 2 * k}", (number << 4) >> 8 & 0xFF)
        values = read()["shaken.acceleration"]
        step = 1.95e-3 * GRAVITY
        assert values == pytest.approx([-256 * step, -512 * step, 100 * step], rel=1e-5)
        assert robot.bench.show(f"{CHIP}:0x20").value == 0x57
        assert robot.bench.show(f"{CHIP}:0x23").value == 0x88 | 1 << 4
        drive(f"{CHIP}:0x20", 0x07)  # it had no power
        read()
        assert robot.bench.show(f"{CHIP}:0x20").value == 0x57, "it is set up again"


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot {
  name "all"
  rotation 1 0 0 0.4
  children [ Accelerometer { name "shaken" } ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <webots/accelerometer.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  wb_accelerometer_enable(wb_robot_get_device("shaken"), 16);
  while (wb_robot_step(16) != -1) continue;
}
""",
    ".cpp": """#include <webots/Accelerometer.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  robot.getAccelerometer("shaken")->enable(16);
  while (robot.step(16) != -1) continue;
}
""",
    ".py": """from controller import Robot

robot = Robot()
robot.getDevice("shaken").enable(16)
while robot.step(16) != -1:
    pass
""",
}


@pytest.mark.parametrize(
    ("board", "suffix", "pins"),
    [
        ("arduino-uno", ".cpp", ("A4", "A5")),
        ("host-python", ".py", ("GP4", "GP5")),
        pytest.param("host", ".c", ("D20", "D21"), marks=pytest.mark.slow),
    ],
)
def test_verify_compares_it(board: str, suffix: str, pins: tuple[str, str], tmp_path: Path):
    if suffix != ".py":
        require_board(board)
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    head = f'format = 1\nflavor = "standalone"\ncontroller = "code{suffix}"\n'
    (tmp_path / "hardware.toml").write_text(hardware_text(board, pins).replace("format = 1\n", head))
    words = ["--steps", "60", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
