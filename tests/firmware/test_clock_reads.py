"""The clock of a board is read at any moment, and no byte is left waiting while the board sleeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards
from tests.firmware.onboard import HEAD, made, text_of
from wbridge.hal.link import messages as m
from wbridge.hal.link.framing import frame_cobs
from wbridge.wbfirmware.bench import Bench

LONGEST_MS = 30_000
CODE = """
#include <stdint.h>
#include <stdio.h>

#include "board.h"

#define ROUNDS 120 /* the lowest byte of milliseconds overflows 20 times in them */
#define READS_OF_MILLIS 20000u
#define READS_OF_MICROS 300
#define LOCKED 30 /* less than a millisecond */

static uint32_t jumps_of_millis(void) {
  uint32_t before = board_millis(), jumps = 0;
  for (uint16_t k = 0; k < READS_OF_MILLIS; k++) {
    const uint32_t now = board_millis();
    if (now - before > 2) jumps++; /* an overflow may count two */
    before = now;
  }
  return jumps;
}

static uint32_t jumps_of_micros(uint16_t reads) {
  uint32_t before = board_micros(), jumps = 0;
  for (uint16_t k = 0; k < reads; k++) {
    const uint32_t now = board_micros();
    if (now - before > 500) jumps++;
    before = now;
  }
  return jumps;
}

int main(void) {
  uint32_t millis = 0, micros = 0, locked = 0;
  wb_robot_init();
  for (int round = 0; round < ROUNDS; round++) {
    millis += jumps_of_millis();
    micros += jumps_of_micros(READS_OF_MICROS);
    for (int k = 0; k < 3; k++) {
      board_lock();
      locked += jumps_of_micros(LOCKED);
      board_unlock();
    }
    wb_robot_step(16); /* feeds the watchdog */
  }
  printf("jumps %lu %lu %lu.\\n", (unsigned long)millis, (unsigned long)micros, (unsigned long)locked);
  wb_robot_step(64);
  return 0;
}
"""
LATE_CODE = """
#include <stdint.h>
#include <stdio.h>

#include "board.h"

#define LATE_US 2500u /* some interrupts of the clock are missed */

int main(void) {
  wb_robot_init();
  wb_robot_step(16);
  const uint32_t begin_ms = board_millis(), begin_us = board_micros();
  for (uint32_t k = 0; k < 200; k++) {
    board_lock();
    for (const uint32_t start = board_micros(); board_micros() - start < LATE_US + k;) {
    }
    board_unlock();
    wb_robot_step(16);
  }
  const uint32_t ms = board_millis() - begin_ms, us = board_micros() - begin_us;
  printf("lost %ld.\\n", (long)(us / 1000) - (long)ms);
  wb_robot_step(64);
  return 0;
}
"""
PHASE_US, PHASES, TICK_US = 4, 256, 1024
"""A request comes in each phase of the clock's interrupt, which also wakes a sleeping board."""
SLICE_US, MOST_SLICES = 40, 500
JITTER_US = 500


@pytest.mark.parametrize("board", boards("arduino-uno"))
def test_the_clock_never_jumps(board: str, tmp_path: Path):
    """Its interrupt comes at each instruction of a reading sooner or later."""
    program = made(tmp_path, board, HEAD + CODE)
    assert "jumps 0 0 0." in text_of(program, LONGEST_MS)


@pytest.mark.parametrize("board", boards("pico"))
def test_the_clock_goes_on_after_its_interrupt_was_late(board: str, tmp_path: Path):
    """Its next alarm is in the future, in whatever phase interrupts are allowed again."""
    program = made(tmp_path, board, HEAD + LATE_CODE)
    text = text_of(program, LONGEST_MS)
    assert re.search(r"lost (-1|0|1)\.", text), text


def _answered(bench: Bench, request: bytes) -> int:
    """Return after how many us a request is answered; the answer is complete then."""
    bench.send(request)
    slices = 0
    while not bench.run(SLICE_US):
        slices += 1
        assert slices < MOST_SLICES
    while bench.run(TICK_US):
        pass
    return slices * SLICE_US


@pytest.mark.parametrize("board", boards("arduino-uno"))
def test_a_request_is_answered_as_soon_in_each_phase_of_the_clock(board: str, built: Callable[..., Firmware]):
    """Nobody waits for a byte that came between the last look and the sleep."""
    request = frame_cobs(m.encode(m.ReadTable(1, 0)))
    firmware = built(board).built
    with Bench(firmware.board, firmware.program, lockstep=True) as bench:
        bench.run(100 * TICK_US)
        times = []
        for phase in range(PHASES):
            passed = _answered(bench, request)
            times.append(passed)
            bench.run(PHASE_US + TICK_US - (passed + phase) % TICK_US)
    assert max(times) - min(times) < JITTER_US
