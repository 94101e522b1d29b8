"""What emulated boards tell of moments: wrong levels, changes without a lock, pulses that free a bus.

The judges are programs that do each of it a known number of times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.onboard import HEAD, made
from tests.firmware.test_verify_bus import imu_map
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware

PROGRAM = """
#include <stdint.h>
#include "board.h"
#define TIMES 3
REGISTERS

int main(void) {
  wb_robot_init();
  board_input(PIN, true);
  board_output(PIN, false); /* in the right order */
  for (int k = 0; k < TIMES; k++) {
    board_input(PIN, true);
    direction_first();
  }
  for (int k = 0; k < TIMES; k++) change_unlocked();
  while (wb_robot_step(16) != -1) {
  }
  return 0;
}
"""
REGISTERS = {
    "arduino-uno": """
#include <avr/interrupt.h>
#include <avr/io.h>
static void direction_first(void) { DDRB |= 1 << 4; PORTB &= (uint8_t)~(1 << 4); }
static void change_unlocked(void) {
  volatile uint8_t *const port = &PORTB;
  *port = *port ^ 1 << 3;
  PORTB |= 1 << 2; /* a single instruction */
  PORTB &= (uint8_t)~(1 << 2);
  cli();
  *port = *port ^ 1 << 3;
  sei();
  *port = *port;
}
""",
    "pico": """
#define WRITE(place, pin) *(volatile uint32_t *)(place) = 1u << (pin)
static void direction_first(void) {
  WRITE(0xd0000014u, 20);
  WRITE(0xd0000024u, 20);
  WRITE(0xd0000018u, 20);
}
static void change_unlocked(void) { WRITE(0xd000001cu, 21); }
""",
}
PINS = {"arduino-uno": ("D12", "PIN_D12"), "pico": ("GP20", "PIN_GP20")}
UNLOCKED = {"arduino-uno": 3, "pico": 0}
"""Writing the same level again changes nothing."""
STUCK, BUS_ADDRESS = "STUCK:A4:A5", "I2C:0x68"


@pytest.mark.parametrize("board", boards(*PINS))
def test_wrong_levels_and_changes_without_a_lock_are_counted(board: str, tmp_path: Path) -> None:
    pin, constant = PINS[board]
    code = PROGRAM.replace("REGISTERS", REGISTERS[board]).replace("PIN,", f"{constant},")
    built = made(tmp_path, board, HEAD + code)
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.run(100_000)
        assert bench.show(f"MOMENT:{pin}").value == 3
        assert bench.show("PINS:UNLOCKED").value == UNLOCKED[board]


@pytest.fixture(scope="module")
def imu(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A robot with parts on the bus of an Uno."""
    require_board("arduino-uno")
    folder = tmp_path_factory.mktemp("imu")
    path = imu_map(folder, "arduino-uno", 32)
    table = device_tables(load_world(folder / "imu.wbt"))[0]
    return build(load_hardware(path, table), folder / "project")


@pytest.mark.boards
@pytest.mark.parametrize("needed", [4, 9])
def test_a_part_that_holds_the_data_line_lets_go_after_pulses(imu: Built, needed: int) -> None:
    with Bench(imu.board, imu.program, lockstep=True) as bench:
        bench.drive(f"{BUS_ADDRESS}:0x75", 0x68)
        bench.run(200_000)
        assert bench.show(STUCK).value == 0, "nothing is wrong yet"
        bench.hold_bus(True)
        bench.drive(STUCK, needed)
        bench.run(200_000)
        assert bench.show(STUCK).value == needed
        assert bench.show("A4").value == 1
