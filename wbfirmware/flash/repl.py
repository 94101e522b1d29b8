"""MicroPython's raw REPL: run code on a board over its serial port, and get what it prints.

The protocol is described in MicroPython's manual ("The MicroPython Interactive Interpreter Mode"): Ctrl+A
begins the raw mode, Ctrl+D ends a text and runs it. The mode "raw paste" adds flow control, which serial
lines without hardware flow control need; boards without it get small pieces.
"""

from __future__ import annotations

import time
from typing import Protocol

RAW, FRIENDLY, INTERRUPT, END, PASTE = b"\x01", b"\x02", b"\x03", b"\x04", b"\x05A\x01"
PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
ATTEMPTS = 5
"""Times that a board is asked to begin the raw mode."""
PIECE, PAUSE_S = 128, 0.01
"""Bytes sent at once without flow control, and the pause after them."""


class BoardSilent(RuntimeError):
    """The board does not answer as MicroPython does."""


class ExecutionFailed(RuntimeError):
    """The board's Python raised an exception; the message is its traceback."""


class SerialPort(Protocol):
    """What a REPL needs of a port; `serial.Serial` has it."""

    def read(self, size: int = 1) -> bytes:
        """Read some bytes, fewer after the port's timeout."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""


class RawRepl:
    """The raw REPL of a board, entered by `enter`."""

    def __init__(self, port: SerialPort, timeout: float = 10.0) -> None:
        """
        Args:
            port: an open port with a short timeout of its own.
            timeout: maximum time (s) without an answer.
        """
        self._port, self._timeout = port, timeout
        self._pastes = True
        """False: the board knows no raw paste."""

    def enter(self) -> None:
        """Interrupt what the board is running and begin the raw mode.

        A board that is starting loses what it gets, so this is repeated.

        Raises:
            BoardSilent: there is no MicroPython.
        """
        for attempt in range(ATTEMPTS):
            self._port.write(b"\r" + INTERRUPT + INTERRUPT)
            self._port.write(b"\r" + RAW)
            try:
                self._until(PROMPT, "starting its raw REPL", self._timeout / ATTEMPTS)
                break
            except BoardSilent:
                if attempt == ATTEMPTS - 1:
                    raise
        while attempt and self._port.read(1):  # answers to earlier attempts
            pass

    def leave(self) -> None:
        """End the raw mode and restart the program, as Ctrl+D does."""
        self._port.write(b"\r" + FRIENDLY + END)

    def run(self, code: str) -> bytes:
        """Run code; return what it printed.

        Raises:
            ExecutionFailed: it raised an exception.
            BoardSilent: the board does not answer.
        """
        text = code.encode()
        if not (self._pastes and self._paste(text)):
            for begin in range(0, len(text), PIECE):
                self._port.write(text[begin : begin + PIECE])
                time.sleep(PAUSE_S)
            self._port.write(END)
            self._until(b"OK", "accepting code")
        printed = self._until(END, "running code")[:-1]
        problem = self._until(END, "running code")[:-1]
        self._until(b">", "finishing code")
        if problem:
            raise ExecutionFailed(problem.decode("utf-8", "replace").strip())
        return printed

    def _paste(self, text: bytes) -> bool:
        """Send code with flow control. Returns False if the board does not offer it."""
        self._port.write(PASTE)
        answer = self._exactly(2)
        if answer != b"R\x01":
            self._pastes = False
            if answer == b"ra":  # an old version, which took it for Ctrl+A
                self._until(b">", "starting its raw REPL")
            return False
        window = room = int.from_bytes(self._exactly(2), "little")
        while text:
            while room == 0:
                signal = self._exactly(1)
                if signal != RAW:  # the board refuses the rest
                    self._port.write(END)
                    return True
                room += window
            self._port.write(text[:room])
            text, room = text[room:], room - len(text[:room])
        self._port.write(END)
        self._until(END, "accepting code")
        return True

    def _exactly(self, size: int) -> bytes:
        data, end = b"", time.monotonic() + self._timeout
        while len(data) < size:
            data += self._port.read(size - len(data))
            if time.monotonic() > end:
                raise BoardSilent(f"the board answered {data!r}, and stopped")
        return data

    def _until(self, mark: bytes, what: str, timeout: float = 0.0) -> bytes:
        """Read up to and including a mark; 0: with the timeout (s) of the REPL."""
        timeout = timeout or self._timeout
        data, end = b"", time.monotonic() + timeout
        while not data.endswith(mark):
            byte = self._port.read(1)
            data += byte
            if byte:
                end = time.monotonic() + timeout
            elif time.monotonic() > end:
                shown = data[-200:].decode("utf-8", "replace")
                raise BoardSilent(
                    f"the board does not answer like MicroPython when {what}; it sent {shown!r}"
                )
        return data
