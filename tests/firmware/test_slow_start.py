"""Boards whose drivers take long to set up their parts: that is no time of the controller's first step."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.firmware import onboard
from tests.firmware.conftest import Firmware, boards, require_board, two_wheels
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.propose import propose

STEP = 16
CODE = f"""{onboard.HEAD}
int main(void) {{
  wb_robot_init();
  const WbDeviceTag status = wb_robot_get_device("status");
  for (int k = 1; wb_robot_step({STEP}) != -1; k++)
    wb_led_set(status, k % 2);
  return 0;
}}
"""
HEAD = "void gpio_led_start(uint8_t k) {"
WAIT = "  for (const uint32_t began = board_millis(); board_millis() - began < 41;)"
"""Neither a whole number of steps nor of half ones."""
WAYS = {"asleep": "board_idle();", "busy": "{\n  }"}


def made(board: str, way: str, folder: Path) -> Firmware:
    """A firmware whose driver of the LED waits before it sets the pin."""
    require_board(board)
    (folder / "code").mkdir()
    (folder / "code" / "robot.c").write_text(CODE)
    text = onboard.MAP if board in onboard.OWN else propose(two_wheels(), "w.wbt", board)
    mapped = onboard.hardware(folder, board, "standalone", "code", text.replace('"slave"', onboard.HERE))
    built = build(mapped, folder / "made")
    driver = folder / "made" / "gpio_led.c"
    text = driver.read_text()
    assert HEAD in text
    driver.write_text(text.replace(HEAD, f"{HEAD}\n{WAIT}\n    {WAYS[way]}\n"))
    subprocess.run(["make", "-s"], cwd=driver.parent, check=True, capture_output=True)
    return Firmware(built, mapped)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("board", boards())
def test_parts_that_are_slow_to_set_up_delay_no_step(board: str, way: str, tmp_path: Path):
    """Judged by Webots' manual, wb_robot_step: time passes in steps, so the LED is lit in every other."""
    firmware = made(board, way, tmp_path)
    pin = firmware.pin("status", "pin")
    lit = []
    with Bench(firmware.built.board, firmware.built.program, lockstep=True) as bench:
        bench.run(1000 * STEP // 2)
        for _ in range(6):
            lit.append(bench.show(pin).value)
            bench.run(1000 * STEP)
    assert lit == [0, 1, 0, 1, 0, 1]
