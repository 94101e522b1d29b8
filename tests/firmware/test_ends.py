"""Boards that crash or come late under `verify`: it says why, and by how much."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from wbridge.main import main

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot { name "r" children [ LED { name "led" } ] }
"""
CODE = """#include <webots/led.h>
#include <webots/robot.h>

HELPER
int main(void) {
  wb_robot_init();
  const WbDeviceTag led = wb_robot_get_device("led");
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_led_set(led, k % 2);
#if defined(__AVR__) || defined(__arm__)
    if (k == 5) { FAULT }
#endif
  }
  return 0;
}
"""
DEEP = """
static volatile int depth;
__attribute__((noinline)) static int deep(int n) {
  volatile char room[64];
  room[n % 64] = (char)n;
  depth = n;
  return n > 30000 ? room[3] : deep(n + 1) + room[n % 64];
}
"""
PINS = {"arduino-uno": "D13", "stm32f405": "PC9", "microbit": "P8"}


def _verified(board: str, folder: Path, fault: str, helper: str = "", more: str = "") -> list[str]:
    require_board(board)
    (folder / "w.wbt").write_text(WORLD)
    (folder / "c.c").write_text(CODE.replace("FAULT", fault).replace("HELPER", helper))
    text = f'format = 1\nworld = "w.wbt"\nrobot = "r"\nboard = "{board}"\nflavor = "standalone"\n'
    text += f'controller = "c.c"\n{more}\n[devices.led]\ndriver = "gpio_led"\npin = "{PINS[board]}"\n'
    (folder / "hardware.toml").write_text(text)
    return ["firmware", "verify", str(folder / "hardware.toml"), "--steps", "20", "--flavor", "standalone"]


@pytest.mark.boards
def test_an_unknown_instruction_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """`udf` is undefined for ever (ARMv7-M, A7.7.191); CFSR then has UNDEFINSTR."""
    assert main(_verified("stm32f405", tmp_path, '__asm volatile("udf #0");')) == 1
    assert "the firmware has crashed: an undefined instruction" in str(capsys.readouterr())


@pytest.mark.boards
def test_a_processor_without_fault_registers_tells_of_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(_verified("microbit", tmp_path, '__asm volatile("udf #0");')) == 1
    assert "the firmware has crashed: a fault of the processor" in str(capsys.readouterr())


@pytest.mark.parametrize("board", boards("arduino-uno", "stm32f405", "microbit"))
def test_a_stack_that_grows_into_variables_is_named(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(_verified(board, tmp_path, "deep(0);", DEEP, "unbounded_stack = true")) == 1
    said = str(capsys.readouterr())
    assert "the firmware has crashed: its stack has grown into its variables (stack overflow)" in said


@pytest.mark.parametrize("board", boards("arduino-uno", "stm32f405"))
def test_a_step_that_comes_late_is_told_with_its_milliseconds(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    main(_verified(board, tmp_path, "for (volatile long i = 0; i < 400000; i++) { }"))
    said = str(capsys.readouterr())
    assert (
        "14 of 20 steps of the controller were not in time on the board; the first is step 6 (96 ms)" in said
    )


def test_a_step_in_time_is_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(_verified("arduino-uno", tmp_path, "")) == 0
    assert "not in time" not in str(capsys.readouterr())
