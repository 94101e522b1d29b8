"""What the bench says to names that a board does not know; the next answer is then the right one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards
from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators import program

PEER = """
import sys
print("wire lockstep", flush=True)
drives = 0
for line in sys.stdin:
    if line.startswith("drive"):
        drives += 1
        if drives > 1:
            print("error", line.strip() + ": there is no room", flush=True)
    elif line.startswith("run -"):
        print("ended no time goes back", flush=True)
    elif line.startswith("run"):
        print("ran", "4142" * (int(line.split()[1]) // 1000), flush=True)
    elif line.startswith("show"):
        print("register 7", flush=True)
"""
"""An emulator that drives a thing once, and never again; its board sends two bytes in each millisecond."""


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


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench with the emulator above."""
    monkeypatch.setattr(program, "command", lambda *words: [sys.executable, "-c", PEER])
    with Bench(load_board("host"), Path("firmware"), lockstep=True) as bench:
        yield bench


def test_what_cannot_be_driven_any_more(peer: Bench):
    """It is told with the next answer, which itself is not lost to the one after."""
    for value in (7, 8, 9):
        peer.drive("I2C:1:2", value)
    with pytest.raises(BenchError, match="I2C:1:2 cannot be driven: there is no room"):
        peer.run(1000)
    assert peer.show("I2C:1:2").value == 7
    assert peer.run(1000) == b"AB"


def test_time_that_passes_without_waiting(peer: Bench):
    """What the board sent meanwhile, and what failed, come with the next answer."""
    peer.pass_time(2000)
    assert peer.show("I2C:1:2").value == 7
    peer.pass_time(1000)
    assert peer.run(1000) == 4 * b"AB"
    for value in (7, 8):
        peer.drive("I2C:1:2", value)
        peer.pass_time(1000)
    with pytest.raises(BenchError, match="I2C:1:2 cannot be driven: there is no room"):
        peer.show("I2C:1:2")
    assert peer.show("I2C:1:2").value == 7
    assert peer.run(1000) == 3 * b"AB"


def test_several_questions_at_once(peer: Bench):
    """The replies belong to the questions in their order, and what the board sent before is not lost."""
    peer.pass_time(1000)
    assert {name: one.value for name, one in peer.show_all(["I2C:1:2", "I2C:1:3"]).items()} == {
        "I2C:1:2": 7,
        "I2C:1:3": 7,
    }
    peer.pass_time(1000)
    assert (peer.sent(), peer.sent(), peer.show_all([])) == (2 * b"AB", b"", {})


def test_what_a_board_sent_before_its_end(peer: Bench):
    peer.pass_time(2000)
    peer.pass_time(-1)
    with pytest.raises(BenchError, match="has ended: no time goes back"):
        peer.sent()
    assert peer.sent() == 2 * b"AB"


def test_much_that_passes_both_ways_without_waiting(peer: Bench):
    """More than the pipes hold in both directions: neither end may wait for the other."""
    for _ in range(100):
        peer.give(bytes(2000))
        peer.pass_time(1_000_000)
    assert peer.run(0) == 100_000 * b"AB"
