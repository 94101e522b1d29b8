"""Low-latency receiving from a program that answers within microseconds."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

__all__ = ["LowLatencyReceiver"]

LOOK_NS = 60_000
"""Time to poll before blocking."""
REST = 200
"""Number of calls that block immediately after polling has failed."""


class LowLatencyReceiver:
    """Receives from a socket; polls briefly before it blocks.

    Blocking and waking up takes longer than a step of a small robot. If answers take longer, as in real time
    or on a busy machine, polling stops and is retried from time to time. With a single processor it never
    polls.
    """

    def __init__(self, connection: socket.socket) -> None:
        from socket import MSG_DONTWAIT  # start-up: see hal.modes.connect

        self._receive, self._at_once = connection.recv, MSG_DONTWAIT
        self._rest = 0 if _processors() > 1 else -1

    def receive(self, size: int) -> bytes:
        """Receive like a blocking socket's `recv`.

        Raises:
            OSError: see `socket.recv`.
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
