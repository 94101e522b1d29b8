"""What QEMU's bench waits for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards
from tests.firmware.onboard import HEAD, made
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.emulators import qemu_machine, qemu_memory
from wbridge.wbfirmware.emulators.qemu_bench import LEVEL, PIN_BYTES, Pins
from wbridge.wbfirmware.emulators.qemu_clock import LEAST, Clock
from wbridge.wbfirmware.emulators.qemu_machine import Machine, MachineError
from wbridge.wbfirmware.emulators.qemu_memory import check_memory, fitted

EMULATED = [param for param in boards() if load_board(str(param.values[0])).emulator == "qemu"]
PINS = 48
"""Of the largest boards."""


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


@pytest.mark.parametrize("board", EMULATED)
def test_a_program_prints_while_nobody_reads(board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A busy computer may not come to read in time; the nRF51's UART of QEMU would lose an interrupt then."""
    code = "wb_robot_init(); for (int k = 0; k < 900; k++) putchar('a'); wb_robot_step(16);"
    program = made(tmp_path, board, f"#include <stdio.h>\n{HEAD}int main(void) {{ {code} }}\n")
    with closing(Machine(program.board, program.program, lockstep=True)) as machine:
        machine.run_to_main()
        clock = Clock(machine, program.board)
        with monkeypatch.context() as patch:
            patch.setattr(machine, "_lines", [])
            patch.setattr(Machine, "gather", lambda self: None)
            patch.setattr(qemu_machine, "PATIENCE", 10.0)
            clock.run(200_000)
        machine.gather()
        assert machine.sent.startswith(900 * b"a")


@pytest.mark.parametrize("board", EMULATED)
def test_time_does_not_run_ahead_where_a_processor_is_busy(built: Callable[..., Firmware], board: str):
    """Edges at a watched pin come just before, in and behind ticks, when the program has no time to stop."""
    firmware = built(board, timed=False)
    program = firmware.built
    with closing(Machine(program.board, program.program, lockstep=True)) as machine:
        machine.run_to_main()
        clock, pins = Clock(machine, program.board), Pins(machine, program.board)
        pin, passed, ahead = firmware.pin("left wheel sensor", "a"), 10_000, []
        clock.run(passed)
        for k in range(120):
            clock.run(487)  # each time 26 us earlier in its half of a millisecond
            passed += 487
            if pins.drive(pin, k % 2):
                clock.step()
                clock.step()
            ahead.append(machine.read(machine.symbols["bench_now"], 4) - clock.origin - passed)
    # A step takes LEAST, and may end twice that later.
    assert 0 < max(ahead) <= 4 * LEAST


@pytest.mark.parametrize("board", boards("microbit"))
def test_a_time_that_a_busy_program_missed_is_not_renewed_later(board: str, tmp_path: Path):
    """It would stop the program each 100 us, which made it miss other times."""
    code = "wb_robot_init(); while (wb_robot_step(16) != -1) for (volatile int k = 0; k < 3000; k++) {}"
    program = made(tmp_path, board, f"{HEAD}int main(void) {{ {code} }}\n")
    with closing(Machine(program.board, program.program, lockstep=True)) as machine:
        machine.run_to_main()
        clock = Clock(machine, program.board)
        clock.run(16_300)  # the program is busy
        assert machine.read(machine.symbols["bench_now"], 4) - clock.origin > 16_300 + 2 * LEAST
        stops: list[int] = []
        with pytest.MonkeyPatch.context() as patch:
            go = machine.go
            patch.setattr(machine, "go", lambda place=None: (stops.append(1), go(place)))
            clock.run(15_650)
        assert len(stops) == 1


@pytest.mark.parametrize("board", boards("stm32f405", "riscv-virt"))
def test_copies_of_variables_are_what_the_memory_has(board: str, tmp_path: Path):
    """Where the bench writes, and where the program writes: the levels of an input and of a lamp."""
    code = """wb_robot_init(); WbDeviceTag lamp = wb_robot_get_device("status");
      for (int k = 0; wb_robot_step(16) != -1; k++) wb_led_set(lamp, k % 2);"""
    program = made(tmp_path, board, f"{HEAD}int main(void) {{ {code} }}\n")
    seen = set()
    with closing(Machine(program.board, program.program, lockstep=True)) as machine:
        machine.run_to_main()
        clock, pins = Clock(machine, program.board), Pins(machine, program.board)
        place = machine.symbols["bench_pins"]
        for k in range(8):
            clock.run(16_000)
            pins.drive(next(iter(program.board.pins)), k // 2 % 2)
            copied = [machine.read_bytes(place + PIN_BYTES * n, PIN_BYTES) for n in range(PINS)]
            assert b"".join(copied) == bytes(machine.read(place + n, 1) for n in range(PIN_BYTES * PINS))
            seen.add(tuple(copied))
    assert len(seen) == 4


@pytest.mark.parametrize("board", boards("bluepill"))
def test_a_program_that_the_machine_has_no_memory_for(
    built: Callable[..., Firmware], monkeypatch: pytest.MonkeyPatch, board: str, tmp_path: Path
):
    """The machine has 8 kB, the board 20."""
    firmware = built(board).built
    begin, end = 0x20000000, symbols(firmware.board, firmware.program)["bss_end"]
    copy = tmp_path / "copy.elf"
    copy.write_bytes(fitted(firmware.board, firmware.program) or b"")
    stack = int.from_bytes(Elf(copy).bytes_at(0x08000000, 4), "little")
    assert stack == begin + 8192
    check_memory(firmware.board, firmware.program)
    monkeypatch.setattr(qemu_memory, "STACK", 8192 - (end - begin) + 1)
    with pytest.raises(BuildError, match=rf"variables take {end - begin} bytes.* has 8192 .*has 20480 bytes"):
        check_memory(firmware.board, firmware.program)


@pytest.mark.parametrize("board", boards("stm32f405"))
def test_edges_that_timers_count_do_not_stop_the_program_between_ticks(
    built: Callable[..., Firmware], board: str
):
    """It would not see them before the next tick, when all of them are there, neither earlier nor later."""
    firmware = built(board)
    program = firmware.built
    with closing(Machine(program.board, program.program, lockstep=True)) as machine:
        machine.run_to_main()
        clock, pins = Clock(machine, program.board), Pins(machine, program.board)
        pins.encoders.begin()
        pin, place = firmware.pin("left wheel sensor", "a"), machine.symbols["bench_now"]
        clock.run(16_000)
        assert pins.are_seen_in_ticks
        ticks = []
        for k in range(40):
            pins.drive(pin, k % 2)
            clock.run(400, whole_ticks=True)
            ticks.append(machine.read(place, 4) - clock.origin)
    last = [16_000 + 1000 * ((400 * (k + 1) + 999) // 1000 - 1) for k in range(40)]
    assert ticks == last


@pytest.mark.parametrize("board", EMULATED)
def test_nothing_is_left_of_a_machine(
    built: Callable[..., Firmware], board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    program = built(board).built
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Bench(program.board, program.program, lockstep=True) as bench:
        bench.run(1000)
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())
