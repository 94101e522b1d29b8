"""Output of processes that stop a robot, from which no stopped terminal and no full disk keeps them."""

from __future__ import annotations

import atexit
import io
import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress

MOST_LINES = 1000
LAST_S = 0.5
"""Time for the last lines at the end of the process, in s."""


class _PatientOutput(io.TextIOBase):
    """Lines that a thread writes; those that cannot be written are lost."""

    def __init__(self, file: int) -> None:
        self._file, self._begun = file, ""
        self._lines: queue.Queue[str] = queue.Queue(MOST_LINES)
        self._thread = threading.Thread(target=self._run, name="output", daemon=True)

    def write(self, text: str) -> int:
        """Keep text; its lines are written soon."""
        lines, end, self._begun = (self._begun + text).rpartition("\n")
        with suppress(queue.Full):
            if end:
                self._lines.put_nowait(lines + end)
        if end and self._thread.ident is None:
            self._thread.start()
            atexit.register(self._end)
        return len(text)

    def _end(self) -> None:
        with suppress(queue.Full):
            self._lines.put("", timeout=LAST_S)
            self._thread.join(LAST_S)

    def _run(self) -> None:
        while text := self._lines.get():
            with suppress(OSError):
                os.write(self._file, text.encode("utf-8", "backslashreplace"))


def make_output_patient() -> None:
    """Let no `print` of this process wait or fail."""
    for name in ("stdout", "stderr"):
        if (output := getattr(sys, name)) is not None:
            setattr(sys, name, _PatientOutput(output.fileno()))


@contextmanager
def printed_later() -> Iterator[None]:
    """Let nothing that a block prints to stderr delay it: that is written afterwards, if it can be."""
    kept = io.StringIO()
    try:
        with redirect_stderr(kept):
            yield
    finally:
        with suppress(OSError):
            sys.stderr.write(kept.getvalue())
            sys.stderr.flush()
