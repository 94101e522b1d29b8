"""Under QEMU, verify examines a board after its controller has ended: motors with a velocity stand.

Judge: the manual's chapter on `wb_robot_cleanup`, and the fault itself: without the line that stops the
robot, the wheels go on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.wbcore.scene.load import load_world
from wbridge.wbfirmware.building.build import build, compile_project
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.flavor_check import FlavorResult, check_flavor, desktop_program

STEPS = 10
NEVER = 2 * STEPS
"""A step after the run: verify ends the controller."""
STOP = "  robot_stop();\n  for (;;) update_drivers();"
CODE = """#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag left = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_velocity(left, 3.0);
  for (int k = 0; wb_robot_step(16) != -1; k++)
    if (k == LAST) break;
  wb_robot_cleanup();
  return 0;
}
"""
CLOCKS = ["stm32f405", "microbit", "riscv-virt"]
"""Boards with the three clocks under QEMU."""


def compared(board: str, folder: Path, last: int, *, stops: bool) -> FlavorResult:
    """Verify a controller that ends after some step, on a board which stops its motors then, or does not."""
    require_board(board)
    source = folder / "wheels.c"
    source.write_text(CODE.replace("LAST", str(last)))
    text = propose(two_wheels(), str(WORLD), board)
    text = text.replace('flavor = "slave"', f'flavor = "standalone"\ncontroller = "{source}"')
    (folder / "hardware.toml").write_text(text)
    hardware = load_hardware(folder / "hardware.toml", two_wheels())
    built = build(hardware, folder / "firmware")
    if not stops:
        place = folder / "firmware" / "standalone.c"
        code = place.read_text()
        assert STOP in code
        place.write_text(code.replace(STOP, "  for (;;) update_drivers();"))
        compile_project(hardware, folder / "firmware")
    return check_flavor(hardware, built, lambda: load_world(WORLD), desktop_of(hardware), STEPS)


def desktop_of(hardware: Hardware) -> Path:
    """The same controller, for this computer."""
    assert hardware.controller is not None
    return desktop_program(hardware.controller)


@pytest.mark.boards
@pytest.mark.parametrize(("board", "last"), [*((board, NEVER) for board in CLOCKS), (CLOCKS[0], STEPS // 2)])
def test_motors_stand_after_the_end(board: str, last: int, tmp_path: Path):
    result = compared(board, tmp_path, last, stops=True)
    assert result.agrees, (result.failure, result.first)
    rows = [row for row in result.rows if row.value == "velocity after the end"]
    assert [row.board for row in rows] == [0.0, 0.0]


@pytest.mark.boards
@pytest.mark.parametrize("board", CLOCKS)
def test_motors_that_run_on_are_found(board: str, tmp_path: Path):
    first = compared(board, tmp_path, NEVER, stops=False).first
    assert first is not None
    assert first.value == "velocity after the end"
    assert "left" in first.device


@pytest.mark.boards
def test_what_runs_after_the_end_is_not_taken_for_verified(tmp_path: Path):
    coverage = compared("stm32f405", tmp_path, NEVER, stops=True).coverage
    assert coverage is not None
    lines = (tmp_path / "firmware" / "standalone.c").read_text().splitlines()
    end = lines.index("  robot_stop();") + 1
    assert coverage.lines["standalone.c"].get(end) is False
