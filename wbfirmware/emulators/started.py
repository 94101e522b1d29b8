"""How emulators are started: as programs of this computer, or inside of a web page, which has no programs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from io import TextIOBase
from typing import IO, NamedTuple, TypeAlias

Text: TypeAlias = IO[str] | TextIOBase


class Started(NamedTuple):
    """An emulator that runs, with what is used of `subprocess.Popen`."""

    stdin: Text
    stdout: Text
    poll: Callable[[], int | None]
    """Returns the exit code; None while it runs."""
    wait: Callable[[float | None], int]
    """Waits for the end, some seconds at most; returns the exit code."""
    terminate: Callable[[], None]
    """Asks it to end soon."""


_inside: list[Callable[[Sequence[str]], Started]] = []


def provide(begin: Callable[[Sequence[str]], Started]) -> None:
    """Start emulators by a function from now on: it gets the words of the command."""
    _inside[:] = [begin]


def is_inside() -> bool:
    """Return True if emulators are no programs of this computer."""
    return bool(_inside)


def start(command: Sequence[str], buffering: int) -> Started:
    """Start an emulator.

    Args:
        command: its words.
        buffering: see `open`.

    Raises:
        OSError: it cannot be started.
    """
    if _inside:
        return _inside[0](command)
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=buffering
    )
    assert process.stdin is not None and process.stdout is not None
    return Started(process.stdin, process.stdout, process.poll, process.wait, process.terminate)
