"""The process that serves windows for a run in another process (`wbridge.robot_windows.window_process`).

    python -m wbridge.robot_windows.window_server_main SOCKET MEMORY

Both arguments are inherited (see `wbridge.hal.heirs`): a socket to the run, and the file of the shared
memory with its latest state.
The process ends with the run.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from wbridge.hal.heirs import taken, taken_socket
from wbridge.robot_windows.affinity import ProcessorAffinity
from wbridge.robot_windows.files import prepare
from wbridge.robot_windows.frames import HEAD, LARGEST, read_frame
from wbridge.robot_windows.hub import Hub, PageRobot, State, Watched, WorldInfo
from wbridge.robot_windows.server import WindowServer
from wbridge.robot_windows.shared_state import SharedState

NICENESS = 10
BUFFER = 1 << 22
"""Size of the buffer (bytes) of what is written to the run."""
BELOW_NORMAL = 0x4000
"""A class of priorities of Windows."""


class RelayHub(Hub):
    """Passes commands and the set of watched robots on to the run, and reads its latest state."""

    def __init__(self, run: socket.socket, shared: SharedState) -> None:
        super().__init__()
        self._run, self._shared = run, shared
        self._affinity = ProcessorAffinity(os.getppid())
        self._opening = threading.Lock()
        self._taken: Any = None
        """Number of a world and its state, until this world is shown."""
        self._is_new = False
        threading.Thread(target=self._write, name="to the run", daemon=True).start()

    def open(self, world: WorldInfo) -> None:
        """Show a world; it replaces the current one, if any."""
        with self._opening:
            super().open(world)

    def newest(self) -> State:
        """Return the latest state of the shown world; the run may have opened another one already."""
        self._affinity.step()
        taken = self._shared.take()
        if taken is not None:
            self._taken = read_frame(taken)
        with self._opening:
            if self._taken is not None and self._taken[0] == self.world_version:
                self.publish(*self._taken[1:])
                self._taken = None
        return self.state

    def watch(self, reader: object, watched: Watched) -> None:
        """Set what a reader watches."""
        super().watch(reader, watched)
        self._tell_watched()

    def leave(self, reader: object) -> None:
        """Remove a reader that has disconnected."""
        super().leave(reader)
        self._tell_watched()

    def _tell_watched(self) -> None:
        with self._changed:
            self._is_new = True
            self._changed.notify()

    def _write(self) -> None:
        """Write to the run, which may block this thread; changes of watched robots go first."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_new or self._commands)
                if self._is_new:
                    self._is_new = False
                    said: dict[str, object] = {
                        "watched": sorted(self.watched),
                        "isWatched": self.is_watched,
                        "places": self.wants_places,
                        "scene": self.wants_scene,
                        "drawings": sorted(self.drawings),
                    }
                else:
                    said = {"command": self._commands.popleft()}
            try:
                self._run.sendall(json.dumps(said).encode() + b"\n")
            except OSError:
                return  # the run has ended


def serve(run: socket.socket, shared: SharedState) -> int:
    """Serve windows until the run ends; its first message says where to listen."""
    frames = run.makefile("rb")
    first = _read(frames)
    if first is None:
        return 1
    _, options = first
    hub = RelayHub(run, shared)
    try:
        server = WindowServer(hub, **options)
    except OSError as problem:
        run.sendall(json.dumps({"error": problem.strerror or str(problem)}).encode() + b"\n")
        return 1
    gc.freeze()  # loaded objects stay: the garbage collector need not examine them again
    with server:
        run.sendall(
            json.dumps({"url": server.url, "once": server.url_once, "port": server.port}).encode() + b"\n"
        )
        threading.Thread(target=prepare, name="prepare", daemon=True).start()
        while (said := _read(frames)) is not None:
            kind, *arguments = said
            _DOING[kind](hub, *arguments)
    return 0


def _read(frames: BinaryIO) -> Any:
    """Return the run's next message; None at the end."""
    head = frames.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    body = frames.read(size) if size <= LARGEST else b""
    return read_frame(body) if len(body) == size else None


def _open(hub: Hub, world: dict[str, Any]) -> None:
    robots = tuple(PageRobot(**robot) for robot in world["robots"])
    folder = Path(world["windows"]) if world["windows"] is not None else None
    scenes = Path(world["scenes"]) if world["scenes"] is not None else None
    hub.open(WorldInfo(**{**world, "robots": robots, "windows": folder, "scenes": scenes}))


_DOING: dict[str, Any] = {
    "open": _open,
    "state": Hub.publish,
    "line": Hub.say,
    "message": Hub.send,
    "finish": Hub.finish,
}
"""Handlers of the run's messages, by name."""


def _give_way() -> None:
    """Lower the priority of this process: the simulation has priority, pages can be late."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    else:
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), BELOW_NORMAL)


if __name__ == "__main__":
    _give_way()
    with taken_socket(sys.argv[1]) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        code = serve(connection, SharedState(taken(int(sys.argv[2]))))
    sys.exit(code)
