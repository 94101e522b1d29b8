"""A robot without physics at a TCP port, and programs that look at its windows as pages do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed

from tests.bridge.conftest import HEAD, ROVER
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import listen
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbcore.windows.driving_pages import HOLD_S

PATIENCE = 20.0
PERIOD = 8
MOTOR, ENCODER, LED = 1, 2, 3


def rover() -> DeviceTable:
    """The table of a robot with a motor, an encoder, an LED, a GPS and a receiver."""
    return device_tables(load_text(HEAD + ROVER))[0]


class WiredRobot:
    """The robot, served by a thread; `hangs` makes it deaf for a while, as an unplugged wire does."""

    def __init__(self, table: DeviceTable | None = None) -> None:
        self.robot = RecordingRobot()
        self.robot.values["encoder.position"] = 0.5
        table = table or rover()
        self.server = Server(listen("tcp://127.0.0.1", table), Slave(table, self.robot))
        self.url = self.server.listener.url
        self.hangs = threading.Event()
        self._over = threading.Event()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            if self.hangs.is_set():
                self._over.wait(0.01)
                self.server.slave.tick(10**12)  # its watchdog bites
                continue
            self.server.poll(0.01)
            with self._changed:
                self._changed.notify_all()
        self.server.close()

    def until(self, condition: Callable[[RecordingRobot], object]) -> None:
        """Wait until something is the case.

        Raises:
            AssertionError: it never was.
        """
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self.robot), PATIENCE), self.robot.state

    def __enter__(self) -> WiredRobot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()


class Looker:
    """A page that looks at the first robot."""

    def __init__(self, url: str) -> None:
        from websockets.sync.client import connect

        parts = urlsplit(url)
        origin = f"http://{parts.netloc}"
        options = {"compression": None, "max_size": 2**26}
        self._socket = connect(f"ws://{parts.netloc}/live?{parts.query}", origin=origin, **options)  # type: ignore[arg-type]
        self._socket.__enter__()
        self.hello: dict[str, Any] = self._hear()["hello"]
        self.said: list[str] = []
        """Of the log."""
        self.tell("watch", robots=[0], places=True)
        self.is_active = True
        """False: as a hidden page, it does not say any more that it drives."""
        self._drives, self._closed = False, threading.Event()
        self._holder = threading.Thread(target=self._hold)
        self._holder.start()

    def _hold(self) -> None:
        while not self._closed.wait(HOLD_S / 4):
            if self._drives and self.is_active:
                try:
                    self.tell("hold", robot=0)
                except ConnectionClosed:
                    return

    def _hear(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE))
        return found

    def disconnect(self) -> None:
        """Close the page's connection."""
        self._socket.close()

    def ask(self, what: str, **values: Any) -> None:
        """Send a request about the robot."""
        self._drives = self._drives or what == "set"
        self.tell(what, robot=0, **values)

    def tell(self, what: str, **values: Any) -> None:
        """Send a request."""
        self._socket.send(json.dumps({"do": what, **values}))

    def until(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first state of the robot, with "run", for which something is the case.

        Raises:
            AssertionError: there was none.
        """
        for _ in range(int(60 * PATIENCE)):
            news = self._hear()
            self.said += [one["text"] for one in news.get("lines", ())]
            for robot in news.get("robots", {}).values():
                state: dict[str, Any] = {**robot, "run": news["run"]}
                if condition(state):
                    return state
        raise AssertionError(f"it never came about: {state}")

    def heard(self, text: str) -> None:
        """Wait until the log tells something."""
        self.until(lambda state: any(text in one for one in self.said))

    def __enter__(self) -> Looker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        self._holder.join()
        self._socket.__exit__(None, None, None)
