"""A connection to an MQTT broker, served by whoever waits for its messages.

A client of paho with a thread of its own passes each message from thread to thread, which takes longer than
its way through the broker. Here the caller reads and writes. While nobody waits, a thread keeps the
connection alive; after an outage, it opens the connection again.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.ready import wait_for_any

if TYPE_CHECKING:
    import paho.mqtt.client as paho

__all__ = ["BrokerConnection"]

TICK = 0.1
"""Time (s) between two looks of the thread at a connection that nobody serves."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
"""Times (s) between attempts to connect: after a connection that was accepted, and after many failures."""
END_PATIENCE = 1.0
"""Longest wait (s) for the thread's end."""
MAX_WAITING = 1000
"""Messages that nobody takes are dropped beyond that."""
MOST_BYTES = 1 << 25
"""Bytes of such messages and their topics, beyond which they are dropped, too: two of the largest ones."""


class BrokerConnection:
    """A connection that is open from `open` to `close`, but for outages of the broker."""

    def __init__(self, client: paho.Client, *, is_watched: bool) -> None:
        """
        Args:
            client: not connected yet; its callbacks call `accepted`, `lost` and `put`.
            is_watched: somebody waits for `fileno` all the time, and calls `take` then.
        """
        self._client = client
        self._messages: deque[tuple[str, bytes]] = deque()
        self._calls = threading.RLock()
        """Held for each call of the client: a packet must not be written into the midst of another one."""
        self._turn = threading.Lock()
        """Held by the thread that waits for packets: two would take them from each other."""
        self._has_socket, self._is_over = threading.Event(), threading.Event()
        self._pause, self._is_watched = FIRST_PAUSE, is_watched
        self._bell: tuple[socket.socket, socket.socket] | None = None
        """Two ends: during an outage the first one is what a program waits for."""
        self._keeper = threading.Thread(target=self._keep, daemon=True, name="wbridge-mqtt")

    def open(self, host: str, port: int, keep_alive: int) -> None:
        """Connect for the first time.

        Args:
            host: name or address of the broker.
            port: of the broker.
            keep_alive: time (s) after which a silent broker counts as gone.

        Raises:
            OSError, ValueError: there is no broker.
        """
        self._client.connect(host, port, keep_alive)
        self._has_socket.set()
        self._keeper.start()

    # Called within callbacks of the client.

    def accepted(self) -> None:
        """The broker serves this client: a next outage is a new one."""
        self._pause = FIRST_PAUSE

    def lost(self) -> None:
        """The connection is gone."""
        self._has_socket.clear()

    def put(self, topic: str, data: bytes) -> None:
        """Keep a message until it is taken."""
        size = len(data) + len(topic)
        waiting = sum(len(kept) + len(name) for name, kept in tuple(self._messages))
        if len(self._messages) < MAX_WAITING and waiting + size <= MOST_BYTES:
            self._messages.append((topic, data))

    # Called by those who send and wait.

    def publish(self, topic: str, data: bytes, quality: int, *, keep: bool = False) -> paho.MQTTMessageInfo:
        """Send a message at once, or as soon as the socket takes it.

        Args:
            topic: where to.
            data: the message.
            quality: of service, 0 to 2.
            keep: the broker retains it.
        """
        with self._calls:
            return self._client.publish(topic, data, quality, retain=keep)

    def take(self, timeout: float) -> tuple[str, bytes] | None:
        """The next message and its topic; None when nothing came in time (s)."""
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic() if timeout > 0 else 0.0
            with self._turn:
                if not self._messages:
                    self._serve(max(left, 0.0))
            with contextlib.suppress(IndexError):
                return self._messages.popleft()
            if left <= 0 and not self._has_decrypted():
                return None

    def wait_until(self, happens: Callable[[], bool], timeout: float) -> None:
        """Serve the connection until something happens, or it is lost, or some time (s) is over."""
        end = time.monotonic() + timeout
        while not happens() and self._has_socket.is_set() and time.monotonic() < end:
            with self._turn:
                self._serve(TICK)

    def fileno(self) -> int:
        """Readable when `take` has something to do; -1 after the end.

        From the first call on, the thread leaves the packets to the caller.
        """
        self._is_watched = True
        if self._is_over.is_set():
            return -1
        connection = self._client.socket()
        number = -1 if connection is None else connection.fileno()
        if number >= 0:
            return number
        with self._calls:
            self._bell = self._bell or socket.socketpair()
            return self._bell[0].fileno()

    def close(self) -> None:
        """Leave the broker."""
        self._is_over.set()
        with self._calls:
            self._client.disconnect()
        if self._keeper.ident is not None:
            self._keeper.join(END_PATIENCE)
        self._ring()

    # The work.

    def _has_decrypted(self) -> bool:
        """TLS has bytes that no file descriptor shows."""
        pending = getattr(self._client.socket(), "pending", None)
        try:
            return pending is not None and pending() > 0
        except (OSError, ValueError):
            return False  # closed meanwhile

    def _serve(self, timeout: float) -> None:
        """Wait at most some time (s) for a packet, and let the client take it."""
        connection = self._client.socket()
        if connection is None:
            self._has_socket.wait(timeout)
            return
        if timeout > 0 and not self._has_decrypted():
            writing = [connection] if self._client.want_write() else []
            try:
                wait_for_any([connection], writing, timeout)
            except (OSError, ValueError):
                return  # the thread has closed it
        with self._calls:
            self._client.loop_read()
            if self._client.want_write():
                self._client.loop_write()  # what callbacks send only joins the queue

    def _keep(self) -> None:
        """Serve the connection when nobody else does, until it is closed."""
        while not self._is_over.wait(TICK):
            if not self._has_socket.is_set():
                self._reconnect()
            elif not self._is_watched and self._turn.acquire(blocking=False):
                try:
                    self._serve(0.0)
                finally:
                    self._turn.release()
            with self._calls:
                self._client.loop_misc()

    def _reconnect(self) -> None:
        """Try to connect; the next time some time later."""
        if self._is_over.wait(self._pause):
            return
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        with contextlib.suppress(OSError, ValueError), self._calls:
            self._client.reconnect()
            self._has_socket.set()
            self._ring()

    def _ring(self) -> None:
        """Wake who waits at the bell, and put it away."""
        with self._calls:
            bell, self._bell = self._bell, None
        for end in reversed(bell or ()):
            end.close()
