"""A board's raw REPL with flow control, written from MicroPython's manual: runs code in a folder."""

from __future__ import annotations

import contextlib
import io
import os
import traceback
from pathlib import Path
from typing import Any

PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
WINDOW = 32


class ReplPeer:
    """The board's side of a serial port; `write` and `read` are the computer's."""

    def __init__(self, folder: Path, pastes: bool = True) -> None:
        self._folder, self._pastes = folder, pastes
        self._out, self._text = bytearray(), bytearray()
        self._is_raw = self._is_pasting = False
        self._room = WINDOW
        self._space: dict[str, Any] = {}
        self.restarts = 0
        self.runs: list[str] = []

    def read(self, size: int = 1) -> bytes:
        """What the board has sent."""
        data = bytes(self._out[:size])
        del self._out[:size]
        return data

    def write(self, data: bytes) -> int:
        """Send bytes to the board."""
        for byte in data:
            self._take(byte)
        return len(data)

    def _take(self, byte: int) -> None:
        if self._is_pasting:
            self._paste(byte)
        elif byte == 1 and self._text == b"\x05A" and self._pastes:
            self._text.clear()
            self._is_pasting, self._room = True, WINDOW
            self._out += b"R\x01" + WINDOW.to_bytes(2, "little")
        elif byte == 1:
            self._is_raw = True
            self._text.clear()
            self._out += PROMPT
        elif byte == 2:
            self._is_raw = False
        elif byte == 3:
            self._text.clear()
        elif byte == 4:
            self._end()
        elif byte != 13 or self._is_raw:
            self._text.append(byte)

    def _end(self) -> None:
        if not self._is_raw:
            self.restarts += 1
            return
        self._out += b"OK"
        self._run()

    def _paste(self, byte: int) -> None:
        if byte == 4:
            self._out += b"\x04"
            self._is_pasting = False
            self._run()
            return
        assert self._room > 0, "the computer sent more than the window"
        self._text.append(byte)
        self._room -= 1
        if self._room == 0:
            self._out += b"\x01"
            self._room = WINDOW

    def _run(self) -> None:
        code, printed, problem = self._text.decode(), io.StringIO(), ""
        self._text.clear()
        self.runs.append(code)
        here = os.getcwd()
        os.chdir(self._folder)
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, self._space)
        except Exception:
            problem = traceback.format_exc()
        finally:
            os.chdir(here)
        self._out += printed.getvalue().encode() + b"\x04" + problem.encode() + b"\x04>"
