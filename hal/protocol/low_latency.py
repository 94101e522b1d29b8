"""Receiving between programs that answer each other within microseconds."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

__all__ = ["LowLatencyReceiver"]

LOOK_NS = 60_000
"""How long to look again and again before going to sleep."""
REST = 200
"""So many times it is slept at once after looking was in vain."""


class LowLatencyReceiver:
    """Receives from a socket; looks for a moment whether something comes before it lets the processor sleep.

    To fall asleep and be woken takes longer than a step of a small robot. Where answers take longer, as in
    real time or on a busy machine, looking is given up at once and tried again now and then; it is never
    done with one processor.
    """

    def __init__(self, connection: socket.socket) -> None:
        from socket import MSG_DONTWAIT  # start-up: see hal.modes.connect

        self._receive, self._at_once = connection.recv, MSG_DONTWAIT
        self._rest = 0 if _processors() > 1 else -1

    def receive(self, size: int) -> bytes:
        """As `recv` of a socket that waits.

        Raises:
            OSError: as of that.
        """
        if self._rest:
            self._rest -= self._rest > 0
            return self._receive(size)
        end = time.perf_counter_ns() + LOOK_NS
        while True:
            try:
                return self._receive(size, self._at_once)
            except BlockingIOError:
                if time.perf_counter_ns() > end:
                    break
        self._rest = REST
        return self._receive(size)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
