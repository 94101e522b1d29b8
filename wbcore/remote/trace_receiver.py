"""Receive the steps of a controller that drives a real robot, simulate a model in parallel, and record
both."""

from __future__ import annotations

import json
import logging
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hal.link.numbering import Numbering
from wbcore.remote.gap_record import GapRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from wbcore.controllers.server import Server
    from wbcore.remote.model import Model, RealStep

__all__ = ["TraceReceiver"]

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 16
LONGEST_LINE = 1 << 22
LONGEST_STEP = 3_600_000
"""In ms."""


class TraceReceiver:
    """Receives a controller's commands and readings at a local socket (see hal.modes.remote.trace)."""

    def __init__(
        self, path: Path, numbering: Numbering, model: Model | None, record: GapRecord | None
    ) -> None:
        """
        Args:
            path: path of the socket to create.
            numbering: numbering of the robot's device table.
            model: simulated in parallel; None: nothing is simulated.
            record: recording to write; None: nothing is recorded.
        """
        self.path, self.model, self.record = path, model, record
        self.time = 0.0
        """Time of the robot (s)."""
        self.on_step: Callable[[RealStep], object] = lambda step: None
        """Called with each step."""
        self._numbering = numbering
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self._listener.setblocking(False)
        self._server: Server | None = None
        self._connection: socket.socket | None = None
        self._rest = b""
        self._warned = False

    def watch(self, server: Server) -> None:
        """Receive data whenever this server polls."""
        self._server = server
        server.watch_file(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        self._leave()
        self._connection = connection
        connection.setblocking(False)
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
        with suppress(BlockingIOError):  # no new connection
            self._accept()
        self._read_all()

    def _read_all(self) -> None:
        while self._connection is not None and self._read(self._connection):
            pass

    def request(self, request: dict[str, Any]) -> bool:
        """Send a request to the controller (see `hal.modes.remote.manual_control`); False if it has left."""
        if self._connection is None:
            return False
        try:
            line = json.dumps(request).encode() + b"\n"
            return self._connection.send(line) == len(line)
        except OSError:
            return False

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
        read = self.model.step(step) if self.model is not None else []
        record = self.record
        if record is None:
            return
        for side, said in (("command", step.commands), ("real", step.readings)):
            for tag, name, value in said:
                record.note(side, self._numbering.channel(tag, name), value)
        for channel, value in read:
            record.note("model", channel, value)
        record.take(self.time, self.model.pose if self.model is not None else ())

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
    """Parse a step report of `hal.modes.remote.trace`; raises various built-in exceptions if it is
    invalid."""
    from wbcore.remote.model import RealStep  # start-up: 41 ms, only with a model

    periods, commands, readings = (
        [(int(tag), str(name), value) for tag, name, value in said[key]]
        for key in ("periods", "commands", "readings")
    )
    elapsed = float(said["elapsed"]) + float(said["late"])
    if not 0 <= elapsed <= LONGEST_STEP:
        raise ValueError(f"a step of {elapsed} ms")
    return RealStep(elapsed, periods, commands, readings, bool(said.get("silent")))
