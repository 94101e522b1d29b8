"""Serves an emulated robot at a pseudo terminal, a serial port or TCP."""

from __future__ import annotations

import select
import time

from hal.link.errors import ConnectionLost
from hal.link.pipe import Clock, Pipe
from hal.link.transports import listen_bytes
from remote_controls.emulators.base import EmulatedRobot

__all__ = ["EmulatorServer"]

TICK = 0.005
"""The longest time that passes at once, in s."""


class EmulatorServer:
    """An emulated robot at a URL. One controller at a time; a newer one takes the place of the older."""

    def __init__(self, url: str, robot: EmulatedRobot, clock: Clock = time.monotonic) -> None:
        """
        Args:
            url: `pty://`, `pty:///path/of/a/link`, `tcp://host:port` or `serial://PORT`.
            robot: the one to serve.
            clock: by which the robot's time passes, in s.

        Raises:
            LinkError: the URL is wrong, or it is taken.
        """
        self.robot, self._clock = robot, clock
        self._listener = listen_bytes(url)
        self.url = self._listener.url
        """Where controllers find the robot."""
        self._pipe: Pipe | None = None
        self._last = clock()

    def poll(self, timeout: float) -> None:
        """Do what there is to do, and wait for it for at most `timeout` s."""
        self._accept()
        ready = self._wait(min(timeout, TICK))
        now = self._clock()
        said = self.robot.pass_time(now - self._last)
        self._last = now
        if self._pipe is not None:
            try:
                heard = self._pipe.receive(0.0) if ready else None
                self._pipe.send(said + (self.robot.receive(heard) if heard else b""))
            except ConnectionLost:
                self._drop()

    def close(self) -> None:
        """Unplug the robot."""
        self._drop()
        self._listener.close()

    def _accept(self) -> None:
        pipe = self._listener.accept()
        if pipe is not None:
            self._drop()
            self._pipe = pipe
            pipe.send(self.robot.greeting())

    def _drop(self) -> None:
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()

    def _wait(self, timeout: float) -> bool:
        """Wait for bytes or a controller; True when there may be bytes."""
        pipe = self._pipe.fileno() if self._pipe is not None else -1
        known = [one for one in (pipe, self._listener.fileno()) if one >= 0]
        if not known:
            time.sleep(timeout)
            return True
        return pipe in select.select(known, [], [], timeout)[0]
