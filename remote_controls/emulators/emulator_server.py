"""Serve an emulated robot at a pseudo terminal, a serial port or TCP."""

from __future__ import annotations

import time
from collections.abc import Callable

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Clock, Pipe
from wbridge.hal.link.transports import listen_bytes
from wbridge.hal.link.transports.pty import PtyPipe
from wbridge.hal.ready import readable
from wbridge.remote_controls.emulators.base import EmulatedRobot

NOISE = b"\xfe"
"""What a byte becomes on a line with another speed."""
TICK = 0.005
"""Maximum time that passes at once, in s."""


class EmulatorServer:
    """An emulated robot at a URL. One controller at a time; a newer one replaces the older."""

    def __init__(self, url: str, robot: EmulatedRobot, clock: Clock = time.monotonic) -> None:
        """
        Args:
            url: `pty://`, `pty:///path/of/a/link`, `tcp://host:port` or `serial://PORT`.
            robot: the robot to serve.
            clock: the clock of the robot's time, in s.

        Raises:
            LinkError: the URL is invalid or in use.
        """
        self.robot, self._clock = robot, clock
        self._listener = listen_bytes(url)
        self.url = self._listener.url
        """The URL for controllers."""
        self._pipe: Pipe | None = None
        self._last = clock()
        self.tell: Callable[[str], object] = lambda text: None
        """Called with messages about the line."""
        self._is_told = False

    def poll(self, timeout: float) -> None:
        """Handle what is pending, waiting for it up to `timeout` s."""
        self._accept()
        ready = self._wait(min(timeout, TICK))
        now = self._clock()
        said = self.robot.pass_time(now - self._last)
        self._last = now
        if self._pipe is not None:
            try:
                heard = self._pipe.receive(0.0) if ready else None
                readable = self._is_readable(self._pipe) if heard else not self._is_told
                said += self.robot.receive(_carried(heard, readable)) if heard else b""
                self._pipe.send(_carried(said, readable))
            except ConnectionLost:
                self._drop()

    def _is_readable(self, pipe: Pipe) -> bool:
        """Return True if the line's speed matches the robot's. Only pseudo terminals report it."""
        speed = pipe.speed() if isinstance(pipe, PtyPipe) else 0
        is_wrong = bool(speed and self.robot.BAUD and speed != self.robot.BAUD)
        if is_wrong and not self._is_told:
            self.tell(
                f"the controller's line has {speed} bits per second, but this robot has {self.robot.BAUD}: "
                "neither can read the other"
            )
        self._is_told = is_wrong
        return not is_wrong

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
        """Wait for bytes or a controller; return True if bytes may be available."""
        pipe = self._pipe.fileno() if self._pipe is not None else -1
        known = [descriptor for descriptor in (pipe, self._listener.fileno()) if descriptor >= 0]
        if not known:
            time.sleep(timeout)
            return True
        return pipe in readable(known, timeout)


def _carried(data: bytes, is_readable: bool) -> bytes:
    """Return what arrives of some bytes."""
    return data if is_readable else NOISE * len(data)
