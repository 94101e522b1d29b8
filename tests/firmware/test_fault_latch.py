"""After a fault a board keeps its motors off, says why, and goes on when somebody acknowledges it.

Real faults under simavr: an endless loop, a jump to the program's start (where empty flash leads), an
interrupt without a function. Judge: what the motor's pins do. With interrupts disabled, the watchdog resets a
real chip after twice its time (data sheet of the ATmega328P, 10.9.2); simavr 1.6 does not.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import absent
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import HEAD, lockstep
from tests.firmware.test_arduino_sketch import CORE
from wbridge.hal.link.faults import ACKNOWLEDGE, FAULT_LINE, TEXTS, Fault, fault_in, fault_text
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

CODE = """#include <avr/interrupt.h>
#include <avr/io.h>
#include <math.h>
#include <stdio.h>
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
    "endless loop": ("for (volatile int k = 0;;) k = 1;", Fault.WATCHDOG),
    "jump to the start": ('__asm volatile("jmp 0");', Fault.FAULT),
    "unknown interrupt": ("ADCSRA |= _BV(ADIE) | _BV(ADSC);", Fault.FAULT),
}
ONE_AND_SLOW_ONES = [
    pytest.param(wrong, marks=pytest.mark.slow if k else ()) for k, wrong in enumerate(FAULTS)
]
RUNS_US = 40_000


BOARDS = boards("arduino-uno", "arduino-mega", "arduino-leonardo", "arduino")


def program(folder: Path, board: str, wrong: str, before: str = "") -> tuple[Built, str]:
    """A firmware with a fault and C code before it, and the PWM pin of a motor."""
    require_board(board)
    if load_board(board).project.sketch and not CORE.is_file():
        absent("arduino-core-avr is not installed: it builds Arduino sketches")
    code, _ = FAULTS[wrong]
    (folder / "c.c").write_text(HEAD + CODE.replace("WRONG", before + code))
    text = propose(two_wheels(), str(WORLD), board).replace('"slave"', '"standalone"\ncontroller = "c.c"')
    (folder / "hardware.toml").write_text(text.replace('wire = "usb"', 'wire = "serial"'))
    (pwm, *_) = re.findall('pwm = "(.*)"', text)
    return build(load_hardware(folder / "hardware.toml", two_wheels()), folder / "firmware"), pwm


def stopped(bench: Bench, pwm: str, fault: Fault) -> float:
    """Let the board run into its fault, which stops the motor; the duty of the motor before."""
    assert bench.run(RUNS_US) == b"begin\n"
    duty = bench.show(pwm).value
    assert duty > 0.3
    said = bench.run(1_500_000).decode()
    assert bench.show(pwm).value == 0
    assert [fault_in(line) for line in said.splitlines()] == [fault]
    return duty


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("wrong", ONE_AND_SLOW_ONES)
def test_a_fault_stops_the_motors_until_it_is_acknowledged(board: str, wrong: str, tmp_path: Path):
    built, pwm = program(tmp_path, board, wrong)
    with lockstep(built) as bench:
        duty = stopped(bench, pwm, FAULTS[wrong][1])
        bench.send(b"drive!")
        assert bench.run(100_000) == b"" and bench.show(pwm).value == 0
        bench.send(ACKNOWLEDGE)
        assert bench.run(RUNS_US) == b"begin\n"
        assert bench.show(pwm).value == duty


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.slow  # five seconds of an emulated board, which begin as those of the test above
@pytest.mark.parametrize("wrong", FAULTS)
def test_a_fault_is_said_again_until_it_is_acknowledged(board: str, wrong: str, tmp_path: Path):
    fault = FAULTS[wrong][1]
    built, pwm = program(tmp_path, board, wrong)
    with lockstep(built) as bench:
        duty = stopped(bench, pwm, fault)
        assert fault_in(bench.run(5_100_000).decode()) == fault, "whoever connects later hears of it, too"
        assert bench.show(pwm).value == 0
        bench.send(ACKNOWLEDGE)
        assert bench.run(RUNS_US) == b"begin\n"
        assert bench.show(pwm).value == duty


def test_lines_of_faults_are_recognized():
    for fault, text in TEXTS.items():
        assert fault_in(f"{FAULT_LINE}{text}; the motors stay off\r\n") is fault
    assert fault_in("wbridge: a step of 16 ms took 45 ms") is None
    assert fault_in("the controller says: " + FAULT_LINE + TEXTS[Fault.HANG]) is None
    assert fault_text(7) == "fault 7"
