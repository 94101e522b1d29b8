"""Python's debugger at a terminal that is not the program's own standard input and output."""

from __future__ import annotations

import os
from pdb import Pdb

__all__ = ["TerminalDebugger"]


class TerminalDebugger(Pdb):
    """Reads commands from a terminal; the prompt is the robot's name."""

    def __init__(self, path: str) -> None:
        """
        Args:
            path: of the terminal.

        Raises:
            OSError: it cannot be opened.
        """
        keys = open(path, encoding="utf-8", errors="replace")  # noqa: SIM115
        super().__init__(stdin=keys, stdout=open(path, "w", encoding="utf-8"))  # noqa: SIM115
        self.use_rawinput = False
        self.prompt = f"({os.environ.get('WEBOTS_ROBOT_NAME') or 'Pdb'}) "

    def do_quit(self, arg: str) -> bool | None:
        """End the program, without the traceback of BdbQuit."""
        raise SystemExit

    do_q = do_exit = do_quit
