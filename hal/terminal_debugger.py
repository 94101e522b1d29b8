"""Python's debugger at a terminal that is not the program's own standard input and output."""

from __future__ import annotations

import os
from functools import cache
from pdb import Pdb
from typing import TextIO


class TerminalDebugger(Pdb):
    """Reads commands from a terminal; the prompt is the robot's name."""

    def __init__(self, path: str) -> None:
        """
        Args:
            path: of the terminal.

        Raises:
            OSError: it cannot be opened.
        """
        keys, screen = _opened(path)
        super().__init__(stdin=keys, stdout=screen)
        self.use_rawinput = False
        self.prompt = f"({os.environ.get('WEBOTS_ROBOT_NAME') or 'Pdb'}) "

    def do_quit(self, arg: str) -> bool | None:
        """End the program, without the traceback of BdbQuit."""
        raise SystemExit

    do_q = do_exit = do_quit


@cache
def _opened(path: str) -> tuple[TextIO, TextIO]:
    """Open a terminal for reading and for writing, once for all breakpoints of the process."""
    screen = open(path, "w", encoding="utf-8")  # noqa: SIM115
    return open(path, encoding="utf-8", errors="replace"), screen
