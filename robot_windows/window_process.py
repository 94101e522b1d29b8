"""Serve windows in a separate process, so that pages do not slow down the simulation.

    with WindowProcess() as windows:
        windows.open(world)
        print(windows.url)

For the world's thread it acts like a `wbridge.robot_windows.hub.Hub`: it receives the latest state and
returns commands. It never waits for its process: states are replaced.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wbridge.hal.closing import Closing
from wbridge.hal.heirs import SOCKET, passed, start_heir
from wbridge.hal.ready import readable, writable
from wbridge.robot_windows.frames import frame, packed
from wbridge.robot_windows.hub import LONGEST_LINE, MOST_MESSAGE_BYTES, WorldInfo
from wbridge.robot_windows.shared_state import SharedState
from wbridge.robot_windows.subscribers import MOST_COMMANDS, Command, Subscribers

_LOG = logging.getLogger(__name__)
PATIENCE_S = 20.0
"""Maximum time (s) for the start and the end of the process, and for receiving a world."""
BUFFER = 1 << 22
"""Size of the socket buffer in bytes."""


class WindowProcess(Subscribers, Closing):
    """Serves windows until it is closed."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int | None = None,
        token: str | None = None,
        tokens: Path | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Start the process.

        Args:
            host: the address to listen on.
            port: None: the first free one from 8765 on; 0: any free one.
            token: the secret; None: the one stored for the port.
            tokens: the folder in which secrets are stored; None: they are not stored.
            names: further host names at which a proxy provides the server.

        Raises:
            OSError: the port is in use, or the process cannot be started.
        """
        super().__init__()
        self._lock = threading.Lock()
        self._backlog = bytearray()
        self._lost = 0
        self._worlds = 0
        """Number of worlds opened."""
        self._is_closing = False
        self._pages: set[int] = set()
        """Pages that have given commands and have not left."""
        self._shared = SharedState()
        self._received = b""
        options: dict[str, object] = {"host": host, "port": port, "token": token, "names": [*names]}
        options["tokens"] = str(tokens) if tokens else None
        try:
            self._process, self._socket = self._start()
        except BaseException:
            self._shared.close()
            raise
        try:
            self._send(frame("serve", options), PATIENCE_S)
            self.url, self.url_once, self.port = self._greeted()
        except BaseException:
            self._socket.close()
            self._shared.close()
            raise
        self._thread = threading.Thread(target=self._listen, name="windows", daemon=True)
        self._thread.start()

    def _start(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """Start the process; return it and a socket to it."""
        memory = passed(self._shared.number)
        words = ["-P", "-m", "wbridge.robot_windows.window_server_main", SOCKET, str(memory)]
        if sys.version_info < (3, 11):
            words.remove("-P")
        path = os.pathsep.join(path for path in sys.path if path)
        process, (own,) = start_heir(words, [memory], {**os.environ, "PYTHONPATH": path})
        own.setblocking(False)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        return process, own

    def _greeted(self) -> tuple[str, str, int]:
        """Return the address of the windows, that for a browser which is started here, and the port."""
        try:
            said = json.loads(self._line(PATIENCE_S) or "{}")
        except (OSError, ValueError):
            said = {}
        if "url" not in said:
            self._process.kill()
            self._process.wait()
            raise OSError(said.get("error", "the window server did not start"))
        return said["url"], said["once"], said["port"]

    # Called by the run.

    def open(self, world: WorldInfo) -> None:
        """Show a world; it replaces the current one, if any."""
        data = world._replace(
            robots=tuple(vars(robot) for robot in world.robots),  # type: ignore[misc]
            windows=None if world.windows is None else str(world.windows),  # type: ignore[arg-type]
            scenes=None if world.scenes is None else str(world.scenes),  # type: ignore[arg-type]
        )
        self._worlds += 1
        self._send(frame("open", data._asdict()), PATIENCE_S)

    def publish(
        self,
        run: Mapping[str, object],
        robots: Mapping[int, Mapping[str, object]],
        places: Mapping[str, object] | None,
        scene: Mapping[str, object] | None = None,
    ) -> None:
        """Publish the latest state in shared memory, without a system call of the run.

        A state that is too large is sent instead, unless the process has not read earlier ones.
        """
        if self._backlog:
            self._send(b"")
        parts = run, robots, places, scene
        if not self._shared.put(packed(self._worlds, *parts)) and not self._backlog:
            self._send(frame("state", *parts))

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Add to the log: kind "info", "warning", "error", "stdout" or "stderr"."""
        self._send(frame("line", text[:LONGEST_LINE], kind, robot))

    def send(self, robot: str, message: bytes) -> None:
        """Pass on a controller's message to its window."""
        self._send(frame("message", robot, message))

    def finish(self, reason: str) -> None:
        """Set the reason of the run's end, before `close`: pages show it."""
        self._send(frame("finish", reason))

    def _send(self, data: bytes, patience: float = 0.0) -> None:
        """Send a frame as far as possible at once, or within some seconds; the rest is queued."""
        with self._lock:
            if len(self._backlog) + len(data) > MOST_MESSAGE_BYTES and not patience:
                self._lost += 1
                return
            self._backlog += data
            try:
                while self._backlog and self._is_ready(patience):
                    del self._backlog[: self._socket.send(self._backlog)]
            except BlockingIOError:
                return
            except OSError:
                self._backlog.clear()  # the process has ended; `_listen` reports it
                return
        if self._lost:
            lost, self._lost = self._lost, 0
            self.say(f"{lost} lines and messages dropped: the windows could not keep up", "warning")

    def _is_ready(self, patience: float) -> bool:
        """Return False if the process has not read for this time (s); 0: unknown."""
        return not patience or bool(writable([self._socket], patience))

    # Messages from the windows.

    def _listen(self) -> None:
        """Receive messages of the process, in a separate thread."""
        with suppress(OSError, ValueError):
            for line in iter(self._line, b""):
                self._take(json.loads(line))
        self.is_watched, self.watched, self.wants_places, self.wants_scene = False, frozenset(), False, False
        self.drawings = frozenset()
        if not self._is_closing:
            for page in sorted(self._pages):
                self.put(Command("left", page=page))  # what they drive stops at once
            _LOG.error("error: the window server has ended; the run continues without windows")

    def _line(self, patience: float | None = None) -> bytes:
        """Wait for the next line of the process; b"" at its end, or if none comes within some seconds."""
        while b"\n" not in self._received:
            came = readable([self._socket], patience) and self._socket.recv(BUFFER)
            if not came:
                return b""
            self._received += came
        line, _, self._received = self._received.partition(b"\n")
        return line

    def _take(self, said: dict[str, Any]) -> None:
        if "command" in said:
            with self._changed:
                # If the queue is full, this blocks the process, and through it the pages.
                self._changed.wait_for(lambda: len(self._commands) < MOST_COMMANDS or self._is_closing)
            command = Command(*said["command"])
            if command.name == "left":
                self._pages.discard(command.page)
            else:
                self._pages.add(command.page)
            self.put(command)
            return
        self.watched, self.wants_places = frozenset(said["watched"]), said["places"]
        self.wants_scene, self.drawings = said["scene"], frozenset(said["drawings"])
        self.is_watched = said["isWatched"]

    # Shutdown.

    def close(self) -> None:
        """End all connections, and the process."""
        if self._is_closing:
            return
        self._is_closing = True
        with self._changed:
            self._changed.notify()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join(PATIENCE_S)
        self._socket.close()
        self._shared.close()
