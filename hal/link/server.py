"""Serves a robot over a listener: any number of controllers may connect, one may drive."""

from __future__ import annotations

import time

from wbridge.hal.link.controller_connection import ControllerConnection
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.messages import Refusal, code_of
from wbridge.hal.link.pipe import Clock, Listener, Pipe, Sender
from wbridge.hal.link.slave import Slave
from wbridge.hal.ready import readable

__all__ = ["Server"]

SHORTEST_WAIT = 0.001
FAIR_SHARE = 64
"""Messages taken from one controller before the others are served."""
MAX_PIPES = 16
"""Most connections. For another one, the connection that has been silent for longest is closed."""
MAX_NEW = 4
"""Most connections accepted at once, so that each can send its greeting before more are accepted."""
IDLE = 10.0
"""Seconds of silence after which the connection of a controller that does not drive is closed."""
MAX_REFUSALS = 16
"""Refusals after which a connection is closed: its controller is guessing numbers."""


class Server:
    """Passes the messages of all connections to a slave, and its answers back."""

    def __init__(self, listener: Listener, slave: Slave, clock: Clock = time.monotonic) -> None:
        """
        Args:
            listener: accepts the connections of controllers; it is closed with the server.
            slave: the robot's end of the link.
            clock: in s.
        """
        self.listener, self.slave, self._clock = listener, slave, clock
        self.pipes: list[Pipe] = []
        """The connections of all controllers."""
        self._heard: dict[Pipe, float] = {}
        self._refusals: dict[Pipe, int] = {}
        self._unread: set[Pipe] = set()
        """Pipes with messages left over from the last poll."""
        if hasattr(listener, "serve"):
            listener.serve = self._work

    def poll(self, timeout: float) -> None:
        """Serve pending messages and connections; wait at most `timeout` s for the first."""
        ready = self._wait(0.0 if self._unread else timeout)
        if ready is None:
            self._work()
            return
        if self.listener.fileno() < 0 or self.listener.fileno() in ready:
            self._accept()
        for pipe in self._in_turn():
            if pipe.fileno() < 0 or pipe.fileno() in ready or pipe in self._unread:
                self._listen(pipe)
        self._look_at_time()

    def finish(self, delay: int = 0) -> None:
        """Answer the request whose step has just ended, `delay` ms late."""
        driver = self._driver
        via = self.slave.via
        answer = self.slave.finish(delay)
        if answer is not None and driver is not None:
            if isinstance(via, Sender):
                driver.sender = via  # type: ignore[attr-defined]
            self._send(driver, answer)

    def close(self) -> None:
        """Stop the robot and end all connections."""
        self.slave.end()
        for pipe in [*self.pipes]:
            self._drop(pipe)
        self.listener.close()

    @property
    def _driver(self) -> Pipe | None:
        """The connection that has the session."""
        return next((pipe for pipe in self.pipes if self._drives(pipe)), None)

    def _drives(self, pipe: Pipe) -> bool:
        """Whether the controller at this pipe, or one of those that share it, has the session."""
        via = self.slave.via
        return pipe is (via.pipe if isinstance(via, Sender) else via)

    def _in_turn(self) -> list[Pipe]:
        """All connections, beginning with that of the driving controller."""
        return sorted(self.pipes, key=lambda pipe: not self._drives(pipe))

    def _work(self) -> None:
        self._accept()
        for pipe in self._in_turn():
            self._listen(pipe)
        self._look_at_time()

    def _look_at_time(self) -> None:
        now = self._clock()
        self.slave.tick(1000 * now)
        for pipe in [pipe for pipe in self.pipes if now - self._heard[pipe] > IDLE]:
            if isinstance(pipe, ControllerConnection) and pipe is not self.slave.via:
                self._drop(pipe)

    # Connections.

    def _accept(self) -> None:
        for _ in range(MAX_NEW):
            pipe = self.listener.accept()
            if pipe is None:
                return
            if len(self.pipes) >= MAX_PIPES and not self._make_room():
                pipe.close()
                continue
            self.pipes.append(pipe)
            self._heard[pipe], self._refusals[pipe] = self._clock(), 0

    def _make_room(self) -> bool:
        """Close the connection that has been silent for longest; False if none can be closed."""
        idle = [
            pipe
            for pipe in self.pipes
            if isinstance(pipe, ControllerConnection) and pipe is not self.slave.via
        ]
        if idle:
            self._drop(min(idle, key=lambda pipe: self._heard[pipe]))
        return bool(idle)

    def _drop(self, pipe: Pipe) -> None:
        """Close a connection and forget it."""
        pipe.close()
        self._unread.discard(pipe)
        if pipe in self.pipes:
            self.pipes.remove(pipe)
            del self._heard[pipe], self._refusals[pipe]

    def filenos(self) -> list[int]:
        """File descriptors that become readable when there is work; not all transports have one."""
        numbers = (self.listener.fileno(), *(pipe.fileno() for pipe in self.pipes))
        return [number for number in numbers if number >= 0]

    def has_unread(self) -> bool:
        """Whether messages are waiting that no file descriptor signals."""
        return bool(self._unread)

    def _wait(self, timeout: float) -> list[int] | None:
        """Wait for work. The readable descriptors; None if that cannot be determined."""
        known = self.filenos()
        if not known:
            time.sleep(min(timeout, SHORTEST_WAIT))
            return None
        try:
            return readable(known, timeout)
        except (OSError, ValueError):
            return None  # one was closed meanwhile; the next read reports it

    def _listen(self, pipe: Pipe) -> None:
        """Take the messages that have arrived at a pipe."""
        self._unread.discard(pipe)
        try:
            for _ in range(FAIR_SHARE):
                if (message := pipe.receive(0.0)) is None:
                    return
                self._take(pipe, message)
            self._unread.add(pipe)
        except ConnectionLost:
            self._lose(pipe)

    def _take(self, pipe: Pipe, message: bytes) -> None:
        """Pass one message to the slave.

        Raises:
            ConnectionLost: the controller has disconnected or was refused too often.
        """
        before = self.slave.via
        answer = self.slave.receive(message, 1000 * self._clock(), getattr(pipe, "sender", pipe))
        if pipe in self._heard:
            self._heard[pipe] = self._clock()
        if self.slave.via is not before:
            for source, drives in ((before, False), (self.slave.via, True)):
                if isinstance(source, ControllerConnection):
                    source.drives = drives
        if answer is None:
            return
        pipe.send(answer)
        if isinstance(pipe, ControllerConnection) and answer[0] == code_of(Refusal):
            self._refusals[pipe] += 1
            if self._refusals[pipe] >= MAX_REFUSALS:
                raise ConnectionLost("a controller that was refused repeatedly")

    def _send(self, pipe: Pipe, answer: bytes) -> None:
        try:
            pipe.send(answer)
        except ConnectionLost:
            self._lose(pipe)

    def _lose(self, pipe: Pipe) -> None:
        """Handle a lost connection; if its controller was driving, the robot stops at once."""
        drove = self._drives(pipe)
        self._drop(pipe)
        if drove:
            self.slave.end()
