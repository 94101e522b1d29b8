"""Leaves the processor of a run to the run: its server needs only one of the others."""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["ProcessorAffinity"]

LOOKS = 60
"""So many calls go by between two looks: about a second."""
PROCESSOR = 36
"""Place behind the name in /proc/PID/stat, see proc(5): the processor that the first thread ran on last."""


class ProcessorAffinity:
    """Keeps a thread off the processor where another process computes, as far as the system tells that.

    When both meet there, each turn of the server makes the run wait, or wakes it on a processor that sleeps.
    """

    def __init__(self, process: int) -> None:
        self._path = f"/proc/{process}/stat"
        self._left = 0
        self._allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()

    def step(self) -> None:
        """To be called often by the thread; looks now and then where the other one is."""
        self._left -= 1
        if self._left >= 0 or len(self._allowed) < 2:
            return
        self._left = LOOKS
        with suppress(OSError, ValueError, IndexError):
            with open(self._path, "rb") as file:
                there = int(file.read().rpartition(b")")[2].split()[PROCESSOR])
            os.sched_setaffinity(0, self._allowed - {there})
