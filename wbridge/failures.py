"""Exit codes of the command line, and the exceptions that lead to them.

CommandError
  InputError   an argument or input file is invalid  exit code 2
  RunError     the work itself failed                exit code 1
  Interrupted  a signal ended it                     exit code 128 + its number
"""

from __future__ import annotations

DONE = 0
FAILED = 1
MISUSED = 2
INTERRUPTED = 130


class CommandError(Exception):
    """Raised when a command cannot continue; the message is for the user and says what to do."""

    exit_code = FAILED


class InputError(CommandError):
    """Raised for an invalid argument or input file."""

    exit_code = MISUSED


class RunError(CommandError):
    """Raised when the work itself failed."""


class Interrupted(CommandError):
    """Raised when a signal ended the work before it was done."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.exit_code = 128 + number
