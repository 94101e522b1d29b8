"""Programs reach an Arduino Uno by its boot loader.

Judges: a boot loader at a pseudo terminal, written from Atmel's note AVR061; with the marker `live`, the boot
loader of Arduino itself (optiboot), which writes the flash of an ATmega328P under simavr.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.firmware.boot_loader import BootLoader
from tests.firmware.uno_loader import UnoLoader
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect_bytes
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.intel_hex import HexError, program_of
from wbridge.wbfirmware.flash.stk500 import UNO, flash

PROGRAM = Random(1).randbytes(1001)
LOOK = b"0 "
"""The command to get in step (Atmel's note AVR061)."""
FOREVER = b"\xff\xcf"
"""A program that jumps to its own begin."""
BLINK = ":100000000C9434000C944F000C944F000C944F004F\n:0400100001020304E2\n:00000001FF\n"


def no_program(flash: bytes) -> Bench:
    """What was written does not run."""
    raise EOFError


@pytest.fixture
def loader() -> Iterator[BootLoader]:
    """A board in its boot loader."""
    with BootLoader(no_program) as made:
        yield made


@pytest.fixture
def pipe(loader: BootLoader) -> Iterator[Pipe]:
    """The computer's end of its line."""
    made = connect_bytes(f"serial://{loader.name}")
    yield made
    made.close()


class Cut:
    """A pipe whose cable is pulled after a number of commands; looks for the boot loader do not count."""

    def __init__(self, pipe: Pipe, sends: int) -> None:
        self._pipe, self._left = pipe, sends
        self.retry, self.receive = pipe.retry, pipe.receive

    def send(self, data: bytes) -> None:
        """Send, until the cable is pulled."""
        if data != LOOK:  # a board may be slow to hear them
            if not self._left:
                raise ConnectionLost("the cable was pulled")
            self._left -= 1
        self._pipe.send(data)


def test_a_program_is_written_compared_and_started(loader: BootLoader, pipe: Pipe):
    told: list[tuple[int, int]] = []
    flash(pipe, PROGRAM, UNO, lambda done, total: told.append((done, total)))
    assert bytes(loader.flash[: len(PROGRAM)]) == PROGRAM
    assert loader.flash[len(PROGRAM)] == 0xFF
    assert told[-1] == (2004, 2004)
    assert sorted(told) == told


@pytest.mark.parametrize(
    ("sends", "said"),
    [
        (0, "nothing was written"),
        (5, "128 of 1002 bytes were written.*boot loader is whole"),
        (19, "written but not compared"),
    ],
)
def test_a_pulled_cable_says_what_the_board_has_now(sends: int, said: str, pipe: Pipe):
    with pytest.raises(FlashError, match=f"the cable was pulled.*{said}"):
        flash(Cut(pipe, sends), PROGRAM, UNO, lambda done, total: None)  # type: ignore[arg-type]


def test_a_half_written_board_can_be_flashed_again(loader: BootLoader, pipe: Pipe):
    with pytest.raises(FlashError):
        flash(Cut(pipe, 5), PROGRAM, UNO, lambda done, total: None)  # type: ignore[arg-type]
    flash(pipe, PROGRAM, UNO, lambda done, total: None)
    assert bytes(loader.flash[: len(PROGRAM)]) == PROGRAM


def test_another_processor_is_left_alone(loader: BootLoader, pipe: Pipe):
    with pytest.raises(FlashError, match=r"another processor \(signature 1e 95 0f\).*nothing was written"):
        flash(pipe, PROGRAM, UNO._replace(signature=b"\x1e\x98\x01"), lambda done, total: None)
    assert set(loader.flash) == {0xFF}


def test_flash_that_differs_is_told(loader: BootLoader, pipe: Pipe):
    class Worn(bytearray):
        def __getitem__(self, place):  # type: ignore[no-untyped-def]
            return (
                bytes(len(super().__getitem__(place))) if place.start == 256 else super().__getitem__(place)
            )

    loader.flash = Worn(loader.flash)
    with pytest.raises(FlashError, match="differs from the program behind byte 256; flash it again"):
        flash(pipe, PROGRAM, UNO, lambda done, total: None)


def test_a_port_without_a_boot_loader_is_told():
    class Silent:
        sent = 0

        def send(self, data: bytes) -> None:
            self.sent += 1

        def receive(self, timeout: float) -> None:
            return None

    silent = Silent()
    with pytest.raises(FlashError, match="no boot loader answers: is this the port of an Arduino Uno"):
        flash(silent, PROGRAM, UNO, lambda done, total: None)  # type: ignore[arg-type]
    assert silent.sent > 10


def test_a_program_file_is_read():
    assert program_of(BLINK, UNO.flash).hex() == "0c9434000c944f000c944f000c944f0001020304"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cut off"),
        (BLINK.partition("\n")[0], "cut off"),
        (BLINK.replace(":04", ":05"), "line 2 is not a record"),
        (BLINK.replace("01020304E2", "01020305E2"), "line 2 is damaged"),
        (BLINK + ":00000001FF\n", "line 4: there is more after the end"),
        (":020000040001F9\n" + BLINK, "line 2: the program has more than 32256 bytes"),
        ("int main() {}", "line 1 is not a record"),
        (":00000009F7\n", "unknown kind of record 9"),
    ],
)
def test_other_files_are_refused(text: str, said: str):
    with pytest.raises(HexError, match=said):
        program_of(text, UNO.flash)


@pytest.mark.live
def test_arduinos_own_boot_loader_writes_the_flash(tmp_path: Path):
    with UnoLoader(tmp_path) as board:
        before = PROGRAM[::-1]
        with pytest.raises(FlashError, match="of 1002 bytes were written"):
            flash(Cut(board.pipe, 8), before, UNO, lambda done, total: None)  # type: ignore[arg-type]
        flash(board.pipe, PROGRAM, UNO, lambda done, total: None)
        written = board.flash()
    assert written[: len(PROGRAM)] == PROGRAM
    assert written[UNO.flash : UNO.flash + 2] != b"\xff\xff", "the boot loader is still there"


@pytest.mark.live
def test_the_board_of_these_tests_can_be_unplugged_while_its_program_takes_no_bytes(tmp_path: Path):
    with UnoLoader(tmp_path) as board:
        flash(board.pipe, FOREVER, UNO, lambda done, total: None)
        board.pipe.send(b"heard by nobody")
        assert board.flash()[: len(FOREVER)] == FOREVER
