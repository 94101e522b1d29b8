"""Looks on while a controller drives a real robot: lets a model go along, and records both."""

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

__all__ = ["Shadow"]

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 16
LONGEST_LINE = 1 << 22
LONGEST_STEP = 3_600_000
"""In ms."""


class Shadow:
    """Listens at a local socket for what a controller commands and reads (see hal.modes.remote.trace)."""

    def __init__(
        self, path: Path, numbering: Numbering, model: Model | None, record: GapRecord | None
    ) -> None:
        """
        Args:
            path: of the socket, which is made.
            numbering: of the robot's device table.
            model: goes along; None: nothing is simulated.
            record: is written; None: nothing is.
        """
        self.path, self.model, self.record = path, model, record
        self.time = 0.0
        """Of the robot, in s."""
        self.on_step: Callable[[RealStep], object] = lambda step: None
        """Is told each step."""
        self._numbering = numbering
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self._listener.setblocking(False)
        self._server: Server | None = None
        self._speaker: socket.socket | None = None
        self._rest = b""
        self._warned = False

    def watch(self, server: Server) -> None:
        """Listen whenever this server does."""
        self._server = server
        server.watch_file(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        speaker, _ = self._listener.accept()
        self._leave()
        self._speaker = speaker
        speaker.setblocking(False)
        if self._server is not None:
            self._server.watch_file(speaker.fileno(), partial(self._read, speaker))

    def _read(self, speaker: socket.socket) -> bool:
        """Take what has come; False when there was nothing."""
        try:
            data = speaker.recv(CHUNK)
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
        """Take all that has come: a server that waits for a controller hears others late."""
        with suppress(BlockingIOError):  # nobody new
            self._accept()
        self._read_all()

    def _read_all(self) -> None:
        while self._speaker is not None and self._read(self._speaker):
            pass

    def request(self, request: dict[str, Any]) -> bool:
        """Send a request to the controller (see `hal.modes.remote.manual_control`); False if it is gone."""
        if self._speaker is None:
            return False
        try:
            line = json.dumps(request).encode() + b"\n"
            return self._speaker.send(line) == len(line)
        except OSError:
            return False

    def _leave(self) -> None:
        speaker, self._speaker, self._rest = self._speaker, None, b""
        if speaker is not None:
            if self._server is not None:
                self._server.forget_file(speaker.fileno())
            speaker.close()

    def _take(self, line: bytes) -> None:
        """Take one step; whoever speaks may say anything."""
        try:
            step = _step_of(json.loads(line))
            self.time = round(1000 * self.time + step.elapsed) / 1000
            self._go(step)
        except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError) as problem:
            if not self._warned:
                self._warned = True
                _LOG.warning("warning: the controller told of a step what cannot be understood: %s", problem)

    def _go(self, step: RealStep) -> None:
        """Tell it, let the model go along, and record."""
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
        """Take what has still come, and end the recording; the server has ended."""
        self._server = None
        self._read_all()
        self._leave()
        self._listener.close()
        self.path.unlink(missing_ok=True)
        if self.record is not None:
            self.record.close()


def _step_of(said: Any) -> RealStep:
    """A step as `hal.modes.remote.trace` tells it; raises what Python raises when it is none."""
    from wbcore.remote.model import RealStep  # start-up: 41 ms, only with a model

    periods, commands, readings = (
        [(int(tag), str(name), value) for tag, name, value in said[key]]
        for key in ("periods", "commands", "readings")
    )
    elapsed = float(said["elapsed"]) + float(said["late"])
    if not 0 <= elapsed <= LONGEST_STEP:
        raise ValueError(f"a step of {elapsed} ms")
    return RealStep(elapsed, periods, commands, readings, bool(said.get("silent")))
