"""An emulated robot at a real wire, served from a thread, and controllers that drive it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.remote_controls.emulators.base import EmulatedRobot
from wbridge.remote_controls.emulators.emulator_server import EmulatorServer

REMOTE = 2


class Serving:
    """The robot, and where it is. Everything that comes is noted."""

    def __init__(self, robot: EmulatedRobot, url: str = "pty://") -> None:
        self.robot = robot
        self.heard = bytearray()
        self._receive = robot.receive
        robot.receive = self._note  # type: ignore[method-assign]
        self.server = EmulatorServer(url, robot)
        self.url = self.server.url
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _note(self, data: bytes) -> bytes:
        self.heard += data
        return self._receive(data)

    def _run(self) -> None:
        while not self._stop.is_set():
            self.server.poll(0.002)
        self.server.close()

    def close(self) -> None:
        """Unplug the robot."""
        self._stop.set()
        self._thread.join(10.0)
        assert not self._thread.is_alive()


class ClosedPipe(io.StringIO):
    """An output that takes nothing."""

    def __init__(self, look: Callable[[], float]) -> None:
        super().__init__()
        self._look, self.seen = look, list[float]()

    def write(self, text: str) -> int:
        """Note the state of the robot, and fail."""
        self.seen.append(self._look())
        raise BrokenPipeError


@contextmanager
def serving(robot: EmulatedRobot, url: str = "pty://") -> Iterator[Serving]:
    """A robot that serves a URL until the end of the block."""
    found = Serving(robot, url)
    try:
        yield found
    finally:
        found.close()


@contextmanager
def controlled(peers: list[Peer], plugin: str, world: Path | None = None) -> Iterator[Loopback]:
    """A controller of a robot with some devices, and its simulator."""
    loopback = Loopback(peers)
    loopback.info = loopback.info._replace(remote_library=plugin, world_path=str(world or ""))
    Between(loopback)
    try:
        yield loopback
    finally:
        session.cleanup()


def tags() -> dict[str, int]:
    """The devices of the current robot."""
    return {one.name: one.tag for one in session.current().devices if one is not None}


def until(condition: Callable[[], object], step: int = 16, most: int = 400) -> int:
    """Step until something is the case; how many steps that took.

    Raises:
        AssertionError: it never was.
    """
    for count in range(most):
        if condition():
            return count
        api.wb_robot_step(step)
    raise AssertionError("it never came about")
