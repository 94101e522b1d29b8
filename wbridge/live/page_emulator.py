"""An emulated board inside of the worker of a page, in place of a program of this computer."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from io import TextIOBase
from pathlib import Path

import page  # type: ignore[import-not-found]  # the worker's functions
from pyodide.ffi import run_sync, to_js  # type: ignore[import-not-found]

from wbridge.wbfirmware.emulators.started import Started

__all__ = ["begin"]


def begin(command: Sequence[str]) -> Started:
    """Start a board; see `PageEmulator`."""
    board = PageEmulator(command)
    return Started(board, board, board.poll, board.wait, board.terminate)


class PageEmulator(TextIOBase):
    """An emulated board, which is its own input and output."""

    def __init__(self, command: Sequence[str]) -> None:
        """
        Args:
            command: a name, the program, and the words of simavr.

        Raises:
            OSError: the program cannot be read.
        """
        _, program, *words = command
        self._board = run_sync(page.emulator(to_js(Path(program).read_bytes()), to_js(words)))
        self._lines: deque[str] = deque()
        self._untold = ""
        self._take(self._board.begun)

    def write(self, text: str) -> int:
        """Tell it lines; they are obeyed when an answer is read."""
        self._untold += text
        return len(text)

    def flush(self) -> None:
        """Let it obey."""
        text, self._untold = self._untold, ""
        if text and self.poll() is None:
            self._take(self._board.obey(text))

    def _take(self, said: str) -> None:
        self._lines += said.splitlines(keepends=True)

    def readline(self, size: int = -1) -> str:  # type: ignore[override]  # its name there is not public
        """Return the next line of its answers, whole; "" if there is none."""
        del size
        self.flush()
        return self._lines.popleft() if self._lines else ""

    def close(self) -> None:
        """Nothing is left open."""

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        code = self._board.code()
        return None if code is None else int(code)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code."""
        del timeout  # nothing goes on beside Python
        return self.poll() or 0

    def terminate(self) -> None:
        """Forget it."""
        self._untold = ""
