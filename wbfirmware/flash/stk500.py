"""Write a program to an AVR by the boot loader that Arduino's boards have, over any byte pipe.

The boot loader speaks a part of STK500, version 1 (Atmel's application note AVR061). It cannot overwrite
itself: a board whose program is incomplete is flashed again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Pipe
from wbridge.wbfirmware.flash.flash_errors import FlashError

GET_SYNC, ENTER, LEAVE, LOAD_ADDRESS, PROGRAM_PAGE, READ_PAGE, READ_SIGNATURE = b"0PQUdtu"
END_OF_COMMAND, IN_SYNC, OK = b" ", b"\x14", b"\x10"
IN_FLASH, ERASED = b"F", b"\xff"
ATTEMPTS, ATTEMPT_S = 50, 0.2
"""To be heard by the boot loader, which listens for about a second after a reset; also in a slow page."""
ANSWER_S = 10.0


class Chip(NamedTuple):
    """A processor with a boot loader."""

    name: str
    signature: bytes
    page: int
    """Bytes that are written at once."""
    flash: int
    """Bytes that a program may use: all but the boot loader."""


UNO = Chip("ATmega328P", b"\x1e\x95\x0f", 128, 32768 - 512)


class BootLoader:
    """The boot loader at the other end of a pipe."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def find(self) -> None:
        """Get in step with it.

        Raises:
            FlashError: there is none.
        """
        for _ in range(ATTEMPTS):
            self._pipe.send(bytes([GET_SYNC]) + END_OF_COMMAND)
            if self._read(2, ATTEMPT_S) == IN_SYNC + OK:
                return
        raise FlashError(
            "no boot loader answers: is this the port of an Arduino Uno, and is nothing at its pins 0 and 1? "
            "Press its reset button, and try again"
        )

    def signature(self, size: int) -> bytes:
        """Return the signature of the processor; the first answers may be late ones to `find`.

        Raises:
            FlashError: there is no such answer.
        """
        self._pipe.send(bytes([READ_SIGNATURE]) + END_OF_COMMAND)
        answer = self._read(size + 2, ANSWER_S)
        while answer.startswith(IN_SYNC + OK):
            answer = answer[2:] + self._read(2, ANSWER_S)
        return self._content(answer, size)

    def ask(self, command: bytes, size: int = 0) -> bytes:
        """Send a command; return the bytes of its answer.

        Raises:
            FlashError: the answer is another one.
        """
        self._pipe.send(command + END_OF_COMMAND)
        return self._content(self._read(size + 2, ANSWER_S), size)

    def _content(self, answer: bytes, size: int) -> bytes:
        if len(answer) != size + 2 or answer[:1] != IN_SYNC or answer[-1:] != OK:
            raise FlashError(
                f"the boot loader answered {answer.hex(' ') or 'nothing'}; reset it, and flash it again"
            )
        return answer[1:-1]

    def _read(self, size: int, seconds: float) -> bytes:
        data = b""
        while len(data) < size:
            part = self._pipe.receive(seconds)
            if part is None:
                break
            data += part
        return data

    def go_to(self, address: int) -> None:
        """Set the place of the next page, in bytes."""
        self.ask(bytes([LOAD_ADDRESS]) + (address // 2).to_bytes(2, "little"))


def flash(pipe: Pipe, program: bytes, chip: Chip, tell: Callable[[int, int], object]) -> None:
    """Write a program, read it back, and start it. The board was reset just now.

    Args:
        pipe: to the board, at the speed of its boot loader.
        program: from address 0.
        chip: the processor.
        tell: called with the number of bytes that were written and read, and their sum at the end.

    Raises:
        FlashError: there is no such board, or the program is not there now; the message says what to do.
    """
    program += ERASED * (len(program) % 2)  # the flash is written in words
    loader, done = BootLoader(pipe), 0
    total = 2 * len(program)
    try:
        loader.find()
        _check(loader, chip)
        loader.ask(bytes([ENTER]))
        for begin in range(0, len(program), chip.page):
            page = program[begin : begin + chip.page]
            loader.go_to(begin)
            loader.ask(bytes([PROGRAM_PAGE]) + len(page).to_bytes(2, "big") + IN_FLASH + page)
            tell(done := begin + len(page), total)
        for begin in range(0, len(program), chip.page):
            page = program[begin : begin + chip.page]
            loader.go_to(begin)
            if loader.ask(bytes([READ_PAGE]) + len(page).to_bytes(2, "big") + IN_FLASH, len(page)) != page:
                raise FlashError(f"the flash differs from the program behind byte {begin}; flash it again")
            tell(done := len(program) + begin + len(page), total)
        loader.ask(bytes([LEAVE]))
    except ConnectionLost as problem:
        raise FlashError(_broken_off(str(problem), done, len(program))) from None


def _check(loader: BootLoader, chip: Chip) -> None:
    signature = loader.signature(len(chip.signature))
    if signature != chip.signature:
        raise FlashError(
            f"this board has another processor (signature {signature.hex(' ')}), not an {chip.name} "
            f"({chip.signature.hex(' ')}); nothing was written"
        )


def _broken_off(problem: str, done: int, size: int) -> str:
    if not done:
        return f"{problem}; nothing was written"
    if done < size:
        return (
            f"{problem}: {done} of {size} bytes were written, so the board has no program that runs. Its "
            "boot loader is whole: connect it, and flash it again"
        )
    return f"{problem}: the program was written but not compared; flash it again"
