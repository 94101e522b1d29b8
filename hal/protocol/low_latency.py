"""Low-latency receiving from a program that answers within microseconds.

Blocking and waking up takes longer than a step of a small robot, and 0.2 to 1.5 ms where idle processors
sleep. A receiver therefore spins: it polls for some microseconds before it blocks. `Spin` decides from
earlier waits whether this is worth its processor time. The C library has the same rules
(libcontroller/src/low_latency.c).
"""

from __future__ import annotations

import os
import select
import sys
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

Found = TypeVar("Found")
SPIN_NS = 100_000
"""Longest spin of one wait."""
MOST_REST = 63
"""Maximum number of waits between two spins that failed."""
PERIOD_NS, WINDOW_NS = 1 << 28, 1 << 21
"""Every 268 ms of the system's clock there is a window of 2 ms in which waits spin until its end. Two
programs that wake each other from sleep need more than SPIN_NS for an answer and would never spin again; the
clock, which is the same for both, makes them spin at the same time."""
LONGEST_NS = WINDOW_NS
"""Programs with longer waits, for example in real time, do not use the window."""


class Spin:
    """Decides how long each wait spins.

    A spin fails if nothing arrived before its end. Each failure doubles the number of waits without a spin,
    up to MOST_REST; each success reduces it by one. Spinning thus continues while at least about five of six
    spins succeed.
    """

    def __init__(self) -> None:
        may_spin = processors() > 1 and os.environ.get("WBRIDGE_SPIN") != "0"
        self.rest = 0 if may_spin else -1
        """Number of waits that do not spin; -1: all."""
        self.backoff = 0
        """`rest` after the last failure, reduced by later successes."""
        self.waited_ns = 0
        """How long the last wait after a failed spin took."""

    def end_ns(self) -> int:
        """Return the time (perf_counter_ns) until which this wait spins; 0: it blocks at once."""
        if self.rest < 0:
            return 0
        now = perf_counter_ns()
        phase = now & (PERIOD_NS - 1)
        if phase < WINDOW_NS and self.backoff and self.waited_ns < LONGEST_NS:
            return now + max(WINDOW_NS - phase, SPIN_NS)
        if self.rest:
            self.rest -= 1
            return 0
        return now + SPIN_NS

    def succeeded(self) -> None:
        """Record that something arrived during a spin."""
        self.rest = 0
        if self.backoff:
            self.backoff -= 1

    def failed(self) -> None:
        """Record that nothing arrived during a spin."""
        self.rest = self.backoff = min(2 * self.backoff + 1, MOST_REST)

    def wait(self, poll: Callable[[], Found | None], block: Callable[[], Found]) -> Found:
        """Wait for what `poll` or `block` returns.

        Args:
            poll: returns None while nothing has arrived.
            block: called after a spin that failed, or instead of one.
        """
        end = self.end_ns()
        if not end:
            return block()
        while True:
            found = poll()
            if found is not None:
                self.succeeded()
                return found
            if perf_counter_ns() > end:
                break
        self.failed()
        try:
            return block()
        finally:
            self.waited_ns = perf_counter_ns() - end


class LowLatencyReceiver:
    """Receives from a socket; spins before it blocks (see Spin)."""

    def __init__(self, connection: socket.socket, size: int, timeout_ms: float | None = None) -> None:
        """
        Args:
            connection: a blocking socket.
            size: maximum number of bytes that `receive` returns.
            timeout_ms: longest time to block; None: no limit.
        """
        self._wait, self._timeout_ms = Spin().wait, timeout_ms
        self._receive = partial(connection.recv, size)
        self._at_once = receiver_at_once(connection, size)
        self._wait_for_input = waiter(connection)

    def receive(self) -> bytes:
        """Receive like a blocking socket's `recv`.

        Raises:
            BlockingIOError: nothing has arrived in time.
            OSError: see `socket.recv`.
        """
        return self._wait(self._poll, self._block)

    def _block(self) -> bytes:
        # Linux also wakes a program that blocks in `recv` when the other side takes what was sent to it.
        if not self._wait_for_input(self._timeout_ms):
            raise BlockingIOError
        return self._receive()

    def _poll(self) -> bytes | None:
        try:
            return self._at_once()
        except BlockingIOError:
            return None


def waiter(connection: socket.socket) -> Callable[[float | None], object]:
    """Return a function that waits until something has arrived.

    Its argument is the longest time to wait (ms; None: no limit); its result is false if nothing has arrived.
    """
    if hasattr(select, "poll"):
        readable = select.poll()
        readable.register(connection, select.POLLIN)
        return readable.poll
    # Windows has no poll(); its select() takes sockets of any number.
    return lambda most: select.select([connection], [], [], None if most is None else most / 1000)[0]


def receiver_at_once(connection: socket.socket, size: int) -> Callable[[], bytes]:
    """Return a function that receives up to this number of bytes; BlockingIOError: none are there."""
    import socket  # start-up: see wbridge.hal.connection.connect

    if hasattr(socket, "MSG_DONTWAIT"):
        return partial(connection.recv, size, socket.MSG_DONTWAIT)
    wait = waiter(connection)

    def receive() -> bytes:
        if not wait(0):
            raise BlockingIOError
        return connection.recv(size)

    return receive


def sender_at_once(connection: socket.socket) -> Callable[[bytes | bytearray], int]:
    """Return a function that sends what the system takes now; BlockingIOError: it takes nothing."""
    import socket  # start-up: see wbridge.hal.connection.connect

    if hasattr(socket, "MSG_DONTWAIT"):
        return lambda data: connection.send(data, socket.MSG_DONTWAIT)

    def send(data: bytes | bytearray) -> int:
        connection.setblocking(False)
        try:
            return connection.send(data)
        finally:
            connection.setblocking(True)

    return send


def processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "emscripten":
        return 1  # a web page has no threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
