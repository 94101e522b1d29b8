"""Faults in the registers of boards with an STM32 are found by the tests that compare these with formulas.

QEMU does not keep the registers, so that `wbridge firmware verify` cannot find them.
"""

from __future__ import annotations

from functools import partial

import pytest

from tests.firmware import test_stm32_registers
from tests.firmware.mutants.catalogue import LEAST, Fault, read_faults

BOARD, IS_HSE_READY, MHZ = next(case for case in test_stm32_registers.CASES if case[0] == "stm32f405")
CHECKS = [
    test_stm32_registers.test_the_clock_tree_keeps_the_limits_of_the_chip,
    test_stm32_registers.test_serial_ports_have_their_baud_rates,
    test_stm32_registers.test_timers_make_pwm_and_servo_pulses,
    test_stm32_registers.test_the_watchdog_resets_a_hanging_board_after_half_a_second,
    test_stm32_registers.test_pins_have_the_functions_that_were_asked_for,
    test_stm32_registers.test_systick_makes_the_ticks_of_stepper_motors,  # of another program
]


def finder(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> str:
    """The first test that fails with a fault; "": none."""
    registers = partial(test_stm32_registers.registers, fault=fault)
    with monkeypatch.context() as changed:
        changed.setattr(test_stm32_registers, "registers", registers)
        for check in CHECKS:
            try:
                check(BOARD, IS_HSE_READY, MHZ)
            except (AssertionError, KeyError):
                return str(check.__name__)
    return ""


@pytest.mark.boards
def test_nine_of_ten_faults_in_registers_are_found(monkeypatch: pytest.MonkeyPatch):
    faults = read_faults("stm32.toml")[BOARD]
    finders = {fault.name: finder(fault, monkeypatch) for fault in faults}
    missed = [name for name, test in finders.items() if not test]
    assert len(missed) <= (1 - LEAST) * len(faults), missed
    assert missed == [fault.name for fault in faults if fault.survives]


def test_without_a_fault_no_test_fails(monkeypatch: pytest.MonkeyPatch):
    same = Fault("none", "board.c", "board_start", "board_start")
    assert finder(same, monkeypatch) == ""
