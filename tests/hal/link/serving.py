"""A robot that serves real wires from a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from tests.hal.link.conftest import ROVER
from tests.waiting import PATIENCE
from wbridge.hal.link.read_table import read_table
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.transports import connect, listen
from wbridge.hal.table import DeviceTable


class Serving:
    """The robot, and where it is."""

    def __init__(
        self,
        url: str,
        table: DeviceTable = ROVER,
        options: SlaveOptions | None = None,
        robot: RecordingRobot | None = None,
    ) -> None:
        self.robot: Any = robot or RecordingRobot()
        self.slave = Slave(table, self.robot, options)
        self.server = Server(listen(url, table), self.slave)
        self.url = self.server.listener.url
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.server.poll(0.01)
        self.server.close()

    def close(self) -> None:
        """Switch the robot off."""
        self._stop.set()
        self._thread.join(10.0)
        assert not self._thread.is_alive()


@contextmanager
def serving(url: str, options: SlaveOptions | None = None) -> Iterator[Serving]:
    """A robot that serves a URL until the end of the block."""
    robot = Serving(url, options=options)
    try:
        yield robot
    finally:
        robot.close()


def table_at(url: str) -> Any:
    """The table that a robot sends."""
    with closing(connect(url)) as pipe:
        return read_table(pipe, PATIENCE)


def url_with(url: str, token: str, options: str = "") -> str:
    """An address with a token."""
    return url.replace("://", f"://:{token}@") + options
