"""The fault latch of boards with a Cortex-M or RISC-V under QEMU, which resets the machine as the chip does
and keeps its RAM.

Judges: ARMv7-M Architecture Reference Manual, B1.5 (faults) and B3.2.6 (AIRCR, SYSRESETREQ); what the board
prints, and what its program has set its pins to, read from outside.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.onboard import HEAD, made
from wbridge.hal.link.faults import ACKNOWLEDGE, FAULT_LINE, TEXTS, Fault
from wbridge.wbfirmware.building.build import Built

CODE = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
static volatile uint32_t nothing;
int main(void) {
  wb_robot_init();
  printf("begin\\n");
  WbDeviceTag left = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_velocity(left, 8);
  for (int k = 0; wb_robot_step(16) != -1; k++)
    if (k == 3) { WRONG }
}
"""
FAULTS = {
    "jump": '__asm volatile("ldr r3, =0xEFFFFFF1\\n bx r3" ::: "r3");',
    "instruction": '__asm volatile("udf #0");',
    "address": "*(volatile uint32_t *)0xF0000000 = 1;",
}
RISC_V = {
    "jump": '__asm volatile("li t0, 0x00000001\\n jr t0" ::: "t0");',
    "instruction": '__asm volatile(".word 0");',
    "address": "*(volatile uint32_t *)0xF0000000 = 1;",
}
"""The same for the board with RISC-V: an all-zero instruction is illegal (Unprivileged ISA, 1.5)."""
PATIENCE = 60.0
"""s for a line of text on a busy computer; the test waits for the text and not for a time."""


class Running:
    """A board that runs by itself, with its wire at this program."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.said = b""

    def hear(self, text: str) -> None:
        """Wait until the board has printed something, and forget it and what came before."""
        assert self._process.stdout is not None
        while text.encode() not in self.said:
            ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
            assert ready, self.said
            self.said += os.read(self._process.stdout.fileno(), 4096)
        self.said = self.said.partition(text.encode())[2]

    def send(self, data: bytes) -> None:
        """Send bytes to the board."""
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()


@contextmanager
def running(built: Built) -> Iterator[Running]:
    """Start a board under QEMU."""
    emulation = built.board.emulation
    lines = ["-serial", "null"] * int(emulation.get("wire", 0))
    command = [
        emulation["program"],
        *emulation["arguments"],
        "-kernel",
        str(built.program),
        "-display",
        "none",
    ]
    process = subprocess.Popen(
        [*command, "-monitor", "none", *lines, "-serial", "stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        yield Running(process)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("wrong", FAULTS)
@pytest.mark.parametrize("board", boards("microbit", "stm32f405", "stm32vldiscovery", "riscv-virt"))
def test_a_fault_of_the_processor_is_latched(board: str, wrong: str, tmp_path: Path):
    require_board(board)
    if (board, wrong) == ("microbit", "address"):
        pytest.skip("QEMU's nRF51 has no addresses at which a write fails")
    code = (RISC_V if board == "riscv-virt" else FAULTS)[wrong]
    built = made(tmp_path, board, HEAD + CODE.replace("WRONG", code))
    with running(built) as robot:
        robot.hear("begin\n")
        robot.hear(FAULT_LINE + TEXTS[Fault.FAULT])
        robot.hear(FAULT_LINE)  # again, and the controller has not started meanwhile
        assert b"begin" not in robot.said
        robot.send(ACKNOWLEDGE)
        robot.hear("begin\n")
        robot.hear(FAULT_LINE + TEXTS[Fault.FAULT])
