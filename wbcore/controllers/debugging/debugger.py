"""The simulator's side of breakpoints: starts programs that can be paused, and tells them what is wanted."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from wbridge.wbcore.controllers.debugging import traced_program
from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.controllers.task import ControllerTask

COMMANDS = ("continue", "over", "into", "out", "pause")
CHUNK = 1 << 16
LONGEST = 1 << 20
"""Bytes of a message; a program that sends more is let go."""


class Debugger:
    """The programs of one run that can be paused; it closes with the server."""

    def __init__(self, server: Server) -> None:
        """
        Args:
            server: watches the sockets.
        """
        self._server = server
        self._breakpoints: dict[str, list[int]] = {}
        self._tasks: dict[str, ControllerTask] = {}
        self._programs: dict[str, _Program] = {}
        server.at_close.append(self.close)

    def set_breakpoints(self, file: str, lines: Sequence[int]) -> None:
        """Set all breakpoints of a file, also in programs that run."""
        self._breakpoints[file] = sorted(set(lines))
        for program in self._programs.values():
            program.tell({"breakpoints": self._breakpoints})

    def breakpoints(self, file: str) -> list[int]:
        """Return the lines of a file at which programs pause."""
        return self._breakpoints.get(file, [])

    def attach(self, task: ControllerTask) -> None:
        """Have a robot's controller start in a way in which it can be paused, from its next start on.

        Raises:
            ValueError: it is started in a sandbox, or this system has no local sockets.
        """
        if not hasattr(socket, "AF_UNIX"):
            raise ValueError("breakpoints need local sockets, which Python lacks on this system")
        if task.launcher.is_sandbox:
            raise ValueError("controllers in a sandbox cannot be paused")
        self.detach(task)
        program = _Program(self._server, self._place(), self._first)
        self._programs[task.robot], self._tasks[task.robot] = program, task
        task.launcher = Launcher((sys.executable, traced_program.__file__))
        task.variables = {**task.variables, traced_program.ADDRESS: str(program.path)}

    def detach(self, task: ControllerTask) -> None:
        """Have a robot's controller start as usual from its next start on."""
        if (program := self._programs.pop(task.robot, None)) is not None:
            program.close()
            del self._tasks[task.robot]
            task.launcher = Launcher()
            task.variables = {
                name: text for name, text in task.variables.items() if name != traced_program.ADDRESS
            }

    def _place(self) -> Path:
        """Return a path in the folder of the run, which is removed with it."""
        folder = self._server.instance.folder
        return next(path for k in count() if not (path := folder / f"debugger-{k}").exists())

    def _first(self) -> dict[str, Any]:
        return {"breakpoints": self._breakpoints}

    def do(self, robot: str, command: str) -> None:
        """Tell a program how to go on.

        Args:
            robot: its name.
            command: one of `COMMANDS`.

        Raises:
            ValueError: its controller is not one that can be paused.
        """
        if robot not in self._programs:
            raise ValueError("start its controller with breakpoints first")
        self._programs[robot].tell({"do": command})

    def shown(self) -> Mapping[str, Mapping[str, Any] | None]:
        """Return where the program of each robot is paused; None while it runs."""
        return {robot: program.paused for robot, program in self._programs.items()}

    def close(self) -> None:
        """Let all programs go."""
        for task in list(self._tasks.values()):
            self.detach(task)


class _Program:
    """One program, also after it was started again."""

    def __init__(self, server: Server, path: Path, first: Any) -> None:
        self.path = path
        self.paused: dict[str, Any] | None = None
        self._server, self._first = server, first
        self._connection: socket.socket | None = None
        self._rest = b""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        server.watch_file(self._listener.fileno(), self._accept)

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message, if the program is there."""
        if self._connection is None:
            return
        try:
            self._connection.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self._leave()

    def _accept(self) -> None:
        self._leave()
        self._connection, _ = self._listener.accept()
        self._connection.setblocking(False)
        self._server.watch_file(self._connection.fileno(), self._take)
        self.tell(self._first())

    def _take(self) -> None:
        if self._connection is None:
            return
        try:
            data = self._connection.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._hear(line)
        if not data or len(self._rest) > LONGEST:
            self._leave()

    def _hear(self, line: bytes) -> None:
        """Take a message; the program may have sent anything."""
        try:
            message = json.loads(line)
            paused = message.get("paused")
        except (ValueError, AttributeError):
            return
        self.paused = paused if isinstance(paused, dict) else None

    def _leave(self) -> None:
        self.paused, self._rest = None, b""
        if self._connection is not None:
            self._server.forget_file(self._connection.fileno())
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Let the program run, and forget it."""
        self._leave()
        self._server.forget_file(self._listener.fileno())
        self._listener.close()
        self.path.unlink(missing_ok=True)
