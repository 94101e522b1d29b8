"""Serves a robot over a listener: all controllers that come may talk to its slave, one may drive."""

from __future__ import annotations

import select
import time

from hal.link.errors import ConnectionLost
from hal.link.pipe import Clock, Listener, Pipe
from hal.link.slave import Slave

__all__ = ["Server"]

SHORTEST_WAIT = 0.001
FAIR_SHARE = 64
"""Most messages of one controller before it is the turn of the others."""
MAX_PIPES = 16
"""More controllers at once are sent away."""


class Server:
    """A slave at a listener."""

    def __init__(self, listener: Listener, slave: Slave, clock: Clock = time.monotonic) -> None:
        """
        Args:
            listener: where controllers come from; it is closed with the server.
            slave: the robot's end of the link.
            clock: in s.
        """
        self.listener, self.slave, self._clock = listener, slave, clock
        self.pipes: list[Pipe] = []
        """Of all controllers that are connected."""
        self._driver: Pipe | None = None
        if hasattr(listener, "serve"):
            listener.serve = self._work

    def poll(self, timeout: float) -> None:
        """Do what there is to do, and wait for it for at most `timeout` s."""
        ready = self._wait(timeout)
        if ready is None:
            self._work()
            return
        if self.listener.fileno() < 0 or self.listener.fileno() in ready:
            self._accept()
        for pipe in [*self.pipes]:
            if pipe.fileno() < 0 or pipe.fileno() in ready:
                self._listen(pipe)
        self.slave.tick(1000 * self._clock())

    def finish(self, delay: int = 0) -> None:
        """The step that the robot has left running has ended, `delay` ms late: answer."""
        answer, driver = self.slave.finish(delay), self._driver
        if answer is not None and driver is not None:
            self._send(driver, answer)

    def close(self) -> None:
        """Stop the robot and end all connections."""
        self.slave.end()
        for pipe in self.pipes:
            pipe.close()
        self.pipes, self._driver = [], None
        self.listener.close()

    def _work(self) -> None:
        self._accept()
        for pipe in [*self.pipes]:
            self._listen(pipe)
        self.slave.tick(1000 * self._clock())

    def _accept(self) -> None:
        while (pipe := self.listener.accept()) is not None:
            if len(self.pipes) < MAX_PIPES:
                self.pipes.append(pipe)
            else:
                pipe.close()

    def filenos(self) -> list[int]:
        """File descriptors that are readable when there is something to do; not all wires have one."""
        numbers = (self.listener.fileno(), *(one.fileno() for one in self.pipes))
        return [one for one in numbers if one >= 0]

    def _wait(self, timeout: float) -> list[int] | None:
        """Wait for something to do; what is readable, None when that cannot be known."""
        known = self.filenos()
        if not known:
            time.sleep(min(timeout, SHORTEST_WAIT))
            return None
        try:
            return select.select(known, [], [], timeout)[0]
        except (OSError, ValueError):
            return None  # one was closed meanwhile; whoever reads it next finds out

    def _listen(self, pipe: Pipe) -> None:
        """Take all messages that have come by a pipe."""
        try:
            for _ in range(FAIR_SHARE):
                if (message := pipe.receive(0.0)) is None:
                    return
                before = self.slave.session
                answer = self.slave.receive(message, 1000 * self._clock())
                if self.slave.session != before:
                    self._driver = pipe if self.slave.driven else None
                if answer is not None:
                    pipe.send(answer)
        except ConnectionLost:
            self._lose(pipe)

    def _send(self, pipe: Pipe, answer: bytes) -> None:
        try:
            pipe.send(answer)
        except ConnectionLost:
            self._lose(pipe)

    def _lose(self, pipe: Pipe) -> None:
        """A controller is gone; if it was driving, the robot stops at once."""
        pipe.close()
        if pipe in self.pipes:
            self.pipes.remove(pipe)
        if pipe is self._driver:
            self._driver = None
            self.slave.end()
