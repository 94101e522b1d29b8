"""Robots of the robot link for `tests.remote.deaths`: with a watchdog, on each kind of wire."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hal.link.broker import Broker
from tests.remote.board_robot import BoardRobot
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import listen
from wbridge.hal.table import DeviceTable

WIRES = {"serial": "pty://", "wifi": "tcp://127.0.0.1", "mqtt": "", "usb": ""}
"""URL by kind of wire; a broker of its own for MQTT, an emulated board for USB."""
MOTOR = "left wheel motor"


class DeafSlave(Slave):
    """A robot whose wire can be cut: nothing arrives any more, but its watchdog runs."""

    is_deaf = False

    def receive(self, data: bytes, now: float, via: object = None) -> bytes | None:
        """Take a message, if it arrives."""
        return None if self.is_deaf else super().receive(data, now, via)


class LinkRobot:
    """A robot, served by a thread."""

    def __init__(self, table: DeviceTable, url: str, broker: Broker | None) -> None:
        self.commands, self.broker = RecordingRobot(), broker
        self.slave = DeafSlave(table, self.commands)
        self._server = Server(listen(url, table), self.slave)
        self.url = broker.url("robots/rover") if broker is not None else self._server.listener.url
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            self._server.poll(0.002)
        self._server.close()

    def is_driving(self) -> bool:
        """The left wheel turns."""
        return bool(self.commands.state.get(f"{MOTOR}.velocity"))

    def cut(self) -> None:
        """Cut the wire; neither end notices."""
        self.slave.is_deaf = True

    def close(self) -> None:
        """Switch it off."""
        self._over.set()
        self._thread.join()


@contextmanager
def link_robot(wire: str, table: DeviceTable, folder: Path) -> Iterator[LinkRobot | BoardRobot]:
    """A robot at a kind of wire."""
    broker = Broker(folder) if wire == "mqtt" else None
    robot: LinkRobot | BoardRobot
    if wire == "usb":
        robot = BoardRobot(table, MOTOR, folder / "firmware")
    else:
        robot = LinkRobot(table, broker.url("robots/rover") if broker else WIRES[wire], broker)
    try:
        yield robot
    finally:
        robot.close()
        if broker is not None:
            broker.stop()
