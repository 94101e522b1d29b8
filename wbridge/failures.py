"""Exit codes of the command line, and the exceptions that lead to them.

CommandError
  InputError   what the user gave cannot be used     exit code 2
  RunError     the work itself failed                exit code 1
  Interrupted  a signal ended it                     exit code 128 + its number
"""

from __future__ import annotations

DONE = 0
FAILED = 1
MISUSED = 2
INTERRUPTED = 130


class CommandError(Exception):
    """A command cannot go on; the message is for the user and says what helps."""

    exit_code = FAILED


class InputError(CommandError):
    """An argument or an input file cannot be used."""

    exit_code = MISUSED


class RunError(CommandError):
    """The work was understood but failed."""


class Interrupted(CommandError):
    """A signal ended the work before it came to a result."""

    def __init__(self, number: int) -> None:
        super().__init__("interrupted")
        self.exit_code = 128 + number
