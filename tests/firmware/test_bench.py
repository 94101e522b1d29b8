"""What the bench says to names that a board does not know; the next answer is then the right one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards
from wbfirmware.bench import Bench, BenchError
from wbfirmware.boards import load_board
from wbfirmware.emulators import program

PEER = """
import sys
print("wire lockstep", flush=True)
drives = 0
for line in sys.stdin:
    if line.startswith("drive"):
        drives += 1
        if drives > 1:
            print("error", line.strip() + ": there is no room", flush=True)
    else:
        print("register 7" if line.startswith("show") else "ran 4142", flush=True)
"""
"""An emulator that drives a thing once, and never again."""


@pytest.fixture(params=boards())
def firmware(request: pytest.FixtureRequest, built: Callable[..., Firmware]) -> Firmware:
    return built(request.param)


@pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "live"])
def test_a_pin_that_is_not_there(firmware: Firmware, lockstep: bool):
    board, pin = firmware.built.board, firmware.pin("left wheel motor", "forward")
    wrong, lamp = f"{pin}x", firmware.pin("status", "pin")
    with Bench(board, firmware.built.program, lockstep=lockstep) as bench:
        for _ in range(2):
            with pytest.raises(BenchError, match=f'no pin {wrong}; did you mean "{pin}"') as caught:
                bench.drive(wrong, 1)
            assert board.title in str(caught.value)
            with pytest.raises(BenchError, match=f"no pin {wrong}"):
                bench.show(wrong)
        bench.drive(pin, 1)
        bench.drive(pin, 0)
        if lockstep:
            assert bench.run(1000) == b""
        assert bench.show(lamp).use in ("output", "input", "pwm", "free")


def test_echoes_where_the_board_plays_none(firmware: Firmware):
    board, pins = firmware.built.board, list(firmware.built.board.pins)
    with Bench(board, firmware.built.program, lockstep=True) as bench:
        with pytest.raises(BenchError, match="no pin Z9, of ECHO:Z9"):
            bench.drive(f"ECHO:Z9:{pins[0]}", 2000)
        if board.emulator == "qemu":
            with pytest.raises(BenchError, match="cannot be driven: QEMU cannot simulate echoes"):
                bench.drive(f"ECHO:{pins[0]}:{pins[1]}", 2000)
        else:
            bench.drive(f"ECHO:{pins[7]}:{pins[8]}", 2000)
        assert bench.run(5000) == b""
        assert bench.show(firmware.pin("left wheel motor", "pwm")).value == 0


def test_registers_where_the_firmware_has_no_bus(firmware: Firmware):
    with Bench(firmware.built.board, firmware.built.program, lockstep=True) as bench:
        for wrong in ("I2C:0x68:0x75", "I2C:0x468:0"):
            if firmware.built.board.emulator == "qemu" or "0x468" in wrong:
                with pytest.raises(BenchError, match=f"{wrong} cannot be driven"):
                    bench.drive(wrong, 1)
            else:
                bench.drive(wrong, 1)
                assert bench.show(wrong).value == 1
        assert bench.run(1000) == b""


def test_what_cannot_be_driven_any_more(monkeypatch: pytest.MonkeyPatch):
    """It is told with the next answer, which itself is not lost to the one after."""
    monkeypatch.setattr(program, "command", lambda *words: [sys.executable, "-c", PEER])
    with Bench(load_board("host"), Path("firmware"), lockstep=True) as bench:
        bench.drive("I2C:1:2", 7)
        bench.drive("I2C:1:2", 8)
        bench.drive("I2C:1:2", 9)
        with pytest.raises(BenchError, match="I2C:1:2 cannot be driven: there is no room"):
            bench.run(1000)
        assert bench.show("I2C:1:2").value == 7
        assert bench.run(1000) == b"AB"
