"""Receive the steps of a controller that drives a real robot, simulate a model in parallel, and record
both."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.named_port import accepted, listening
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.remote.model import Model
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.scene.diagnostics import printable

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 16
LONGEST_LINE = 1 << 22
LONGEST_STEP = 3_600_000
"""In ms."""
STOP: dict[str, object] = {"do": "stop"}
GIVE_BACK: dict[str, object] = {"do": "drive", "on": False}


class StepRecord(Protocol):
    """A recording of steps."""

    @property
    def problem(self) -> str:
        """Why the file is incomplete; "" if it is complete."""

    def add_step(
        self, time: float, step: RealStep, read: Iterable[tuple[LinkChannel, object]], pose: Iterable[float]
    ) -> None:
        """Record a step that ends at `time` (s), and the readings and pose of the robot's model, if any."""

    def close(self) -> None:
        """Finish the file."""


class TraceReceiver:
    """Receives a controller's commands and readings at a local socket (see
    wbridge.hal.gateway.trace)."""

    def __init__(self, path: Path, model: Model | None, record: StepRecord | None) -> None:
        """
        Args:
            path: path of the socket to create.
            model: simulated in parallel; None: nothing is simulated.
            record: recording to write; None: nothing is recorded.
        """
        self.path, self.model, self.record = path, model, record
        self.time = 0.0
        """Time of the robot (s)."""
        self.on_step: Callable[[RealStep], object] = lambda step: None
        """Called with each step."""
        self._listener = listening(path)
        self._listener.setblocking(False)
        self._server: Server | None = None
        self._connection: socket.socket | None = None
        self._rest = b""
        self._warned = False
        self._is_driven = False
        """Somebody else drives in place of the controller."""
        self._periods: dict[tuple[object, object], dict[str, object]] = {}
        """Requests for sensors that are enabled, by tag and function."""

    def watch(self, server: Server) -> None:
        """Receive data whenever this server polls."""
        self._server = server
        server.watch_file(self._listener.fileno(), self._accept_soon)

    def _accept_soon(self) -> None:
        with suppress(BlockingIOError):  # no new connection, or that of a stranger
            self._accept()

    def _accept(self) -> None:
        connection = accepted(self._listener)
        self._leave()
        self._connection = connection
        connection.setblocking(False)
        # A connection after the first one is that of another process, which does not know who drives.
        for request in [STOP if self._is_driven else GIVE_BACK, *self._periods.values()]:
            self.request(request)
        if self._server is not None:
            self._server.watch_file(connection.fileno(), partial(self._read, connection))

    def _read(self, connection: socket.socket) -> bool:
        """Read available data; return False if there is none."""
        try:
            data = connection.recv(CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if not data or len(self._rest) > LONGEST_LINE:
            self._leave()
            return False
        for line in lines:
            self._take(line)
        return True

    def look(self) -> None:
        """Read everything available: a server that waits for a controller polls others late."""
        self._accept_soon()
        self._read_all()

    def _read_all(self) -> None:
        while self._connection is not None and self._read(self._connection):
            pass

    def request(self, request: dict[str, object]) -> bool:
        """Send a request to the controller (see `wbridge.hal.gateway.manual_control`); False if it has
        left."""
        if self._connection is None:
            return False
        try:
            line = json.dumps(request).encode() + b"\n"
            if self._connection.send(line) != len(line):
                return False
        except OSError:
            return False
        self._note(request)
        return True

    def _note(self, request: dict[str, object]) -> None:
        """Store who drives and which sensors are enabled, for a later connection."""
        do, sensor = request.get("do"), (request.get("tag"), request.get("function"))
        if do in ("drive", "stop", "leave"):
            self._is_driven = do == "stop" or bool(request.get("on"))
        if do == "leave":
            self._periods.clear()
        elif do == "enable" and request.get("period"):
            self._periods[sensor] = request
        elif do == "enable":
            self._periods.pop(sensor, None)

    def _leave(self) -> None:
        connection, self._connection, self._rest = self._connection, None, b""
        if connection is not None:
            if self._server is not None:
                self._server.forget_file(connection.fileno())
            connection.close()

    def _take(self, line: bytes) -> None:
        """Process one step; the input may be invalid."""
        try:
            step = _step_of(json.loads(line))
            self.time = round(1000 * self.time + step.elapsed) / 1000
            self._go(step)
        except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError) as problem:
            if not self._warned:
                self._warned = True
                _LOG.warning("warning: the controller sent an invalid step report: %s", problem)

    def _go(self, step: RealStep) -> None:
        """Notify the listener, step the model, and record."""
        self.on_step(step)
        model = self.model
        read = model.step(step) if model is not None else []
        if self.record is not None:
            self.record.add_step(self.time, step, read, model.pose if model is not None else ())

    def close(self) -> None:
        """Read the remaining data and complete the recording, after the server has ended."""
        self._server = None
        self._read_all()
        self._leave()
        self._listener.close()
        self.path.unlink(missing_ok=True)
        if self.record is not None:
            self.record.close()


def _step_of(said: Any) -> RealStep:
    """Parse a step report of `wbridge.hal.gateway.trace`; raises various built-in exceptions if it is
    invalid."""
    periods, commands, readings = (
        [(int(tag), str(name), value) for tag, name, value in said[key]]
        for key in ("periods", "commands", "readings")
    )
    elapsed = float(said["elapsed"]) + float(said["late"])
    if not 0 <= elapsed <= LONGEST_STEP:
        raise ValueError(f"a step of {elapsed} ms")
    silent, fault = bool(said.get("silent")), printable(str(said.get("fault", "")))
    return RealStep(elapsed, periods, commands, readings, silent, fault)
