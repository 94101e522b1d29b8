"""What QEMU's bench waits for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from hal.firmware.emulators import qemu_machine
from hal.firmware.emulators.qemu_bench import LEVEL
from hal.firmware.emulators.qemu_machine import Machine, MachineError
from tests.firmware.conftest import Firmware, boards

EMULATED = [param for param in boards() if param.marks]


@pytest.mark.parametrize("board", EMULATED)
def test_what_is_written_after_the_start_lasts(built: Callable[..., Firmware], board: str):
    firmware = built(board).built
    with closing(Machine(firmware.board, firmware.program, lockstep=False)) as machine:
        level = machine.symbols["bench_pins"] + LEVEL
        machine.await_start()
        ticks = machine.read(machine.symbols["bench_now"], 4)
        assert ticks > 0
        machine.write(level, 1, 1)
        while machine.read(machine.symbols["bench_now"], 4) == ticks:
            pass
        assert machine.read(level, 1) == 1


@pytest.mark.parametrize("board", EMULATED)
def test_a_firmware_that_never_starts(
    built: Callable[..., Firmware], monkeypatch: pytest.MonkeyPatch, board: str
):
    firmware = built(board).built
    monkeypatch.setattr(qemu_machine, "START", 0.0)
    with (
        closing(Machine(firmware.board, firmware.program, lockstep=True)) as machine,  # it stands still
        pytest.raises(MachineError, match="has not started its clock within 0 s"),
    ):
        machine.await_start()
