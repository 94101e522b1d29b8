"""Keep the window server off the processor that the simulation uses."""

from __future__ import annotations

import os
from contextlib import suppress

LOOKS = 60
"""Calls between two checks: about a second."""
PROCESSOR = 36
"""Index after the name in /proc/PID/stat, see proc(5): the processor last used by the first thread."""


class ProcessorAffinity:
    """Keeps a thread off the processor used by another process, as far as the system reports it.

    On the same processor, each activity of the server would delay the run or migrate it to an idle processor.
    """

    def __init__(self, process: int) -> None:
        self._path = f"/proc/{process}/stat"
        self._left = 0
        self._allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()

    def step(self) -> None:
        """Check now and then where the other process runs; call this often from the thread."""
        self._left -= 1
        if self._left >= 0 or len(self._allowed) < 2:
            return
        self._left = LOOKS
        with suppress(OSError, ValueError, IndexError):
            with open(self._path, "rb") as file:
                there = int(file.read().rpartition(b")")[2].split()[PROCESSOR])
            os.sched_setaffinity(0, self._allowed - {there})
