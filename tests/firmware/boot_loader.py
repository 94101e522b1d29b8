"""A board with a boot loader at a pseudo terminal: takes a program by STK500, version 1, or AVR109; runs it.

The program runs in an emulator; its serial line is then the terminal's.
"""

from __future__ import annotations

import os
import select
import threading
import tty
from collections.abc import Callable
from types import TracebackType

from wbridge.wbfirmware.bench import Bench

IN_SYNC, OK, END = b"\x14", b"\x10", b" "
SIGNATURE = b"\x1e\x95\x0f"
ARGUMENTS = {0x30: 0, 0x41: 1, 0x42: 18 + 2, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x75: 0}
"""How many bytes follow each command, without the last one, which ends it."""
PARAMETER, LEAVE, LOAD, UNIVERSAL, SIGN, PROGRAM, READ = 0x41, 0x51, 0x55, 0x56, 0x75, 0x64, 0x74
FLASH = 32768
ENTER = b"\r"
TOLD = {
    "S": b"CATERIN", "V": b"10", "v": b"?", "p": b"S", "a": b"Y", "b": b"Y\x00\x80", "t": b"\x44\x00",
    "s": b"\x87\x95\x1e", "F": b"\xff", "N": b"\xd8", "Q": b"\xcb", "r": b"\x2f",
}  # fmt: skip
"""What AVR109 (Atmel's application note of this number) asks for, and a Leonardo's loader answers."""
ARGUMENTS_109 = {"T": 1, "x": 1, "y": 1, "A": 2}
ADDRESS_109, WRITE_109, READ_109, LEAVE_109 = "ABgE"


class BootLoader:
    """The board; `name` is its port."""

    def __init__(self, start: Callable[[bytes], Bench]) -> None:
        """`start` makes the emulated board that runs what is then in flash."""
        self._own, self._other = os.openpty()
        tty.setraw(self._other)
        self.name = os.ttyname(self._other)
        self.flash = bytearray(b"\xff" * FLASH)
        self._start, self._place, self._left = start, 0, False
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> BootLoader:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._stopped)
        self._thread.join(10)
        for one in (self._own, self._other, self._stop):
            os.close(one)

    def _read(self, size: int) -> bytes:
        """Bytes from the port.

        Raises:
            EOFError: nobody needs the board any more.
        """
        data = b""
        while len(data) < size:
            if self._stop in select.select([self._own, self._stop], [], [])[0]:
                raise EOFError
            data += os.read(self._own, size - len(data))
        return data

    def _serve(self) -> None:
        try:
            while not self._left:
                self._obey(self._read(1)[0])
            with self._start(bytes(self.flash)) as bench:
                self._carry(bench.url.removeprefix("serial://"))
        except EOFError:
            pass

    def _obey(self, command: int) -> None:
        """Take one command and answer it."""
        answer = b""
        if command in (PROGRAM, READ):
            size, kind = int.from_bytes(self._read(2), "big"), self._read(1)
            assert kind == b"F"
            if command == PROGRAM:
                self.flash[self._place : self._place + size] = self._read(size)
            else:
                answer = bytes(self.flash[self._place : self._place + size])
        else:
            arguments = self._read(ARGUMENTS[command])
            if command == LOAD:
                self._place = 2 * int.from_bytes(arguments, "little")  # in words
            answer = {PARAMETER: b"\x04", UNIVERSAL: b"\x00", SIGN: SIGNATURE}.get(command, b"")
        assert self._read(1) == END
        os.write(self._own, IN_SYNC + answer + OK)
        self._left = command == LEAVE

    def _carry(self, terminal: str) -> None:
        """Carry bytes between the port and the program, for ever."""
        program = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
        ways = {self._own: program, program: self._own}
        try:
            while True:
                ready = select.select([*ways, self._stop], [], [])[0]
                if self._stop in ready:
                    raise EOFError
                for one in ready:
                    os.write(ways[one], os.read(one, 4096))
        finally:
            os.close(program)


class Caterina(BootLoader):
    """The boot loader of a Leonardo, which speaks AVR109."""

    def _obey(self, command: int) -> None:
        letter = chr(command)
        if letter in TOLD:
            answer = TOLD[letter]
        elif letter in (WRITE_109, READ_109):
            size, kind = int.from_bytes(self._read(2), "big"), self._read(1)
            assert kind == b"F"
            answer = ENTER
            if letter == WRITE_109:
                self.flash[self._place : self._place + size] = self._read(size)
            else:
                answer = bytes(self.flash[self._place : self._place + size])
            self._place += size
        else:
            arguments = self._read(ARGUMENTS_109.get(letter, 0))
            if letter == ADDRESS_109:
                self._place = 2 * int.from_bytes(arguments, "big")  # in words
            answer = ENTER
        os.write(self._own, answer)
        self._left = letter == LEAVE_109
