"""Processes of this Python that have open sockets and files in common with the process that starts them.

Linux and macOS pass on file descriptors. Windows passes on handles of files; those of sockets do not work in
each implementation of it, so there a started process connects to a port on this machine, and shows a secret.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wbridge.hal.named_port import connected_port, opened, shown
from wbridge.hal.ready import readable

if os.name == "nt":
    import msvcrt

__all__ = ["SOCKET", "Heir", "apart", "end_all", "passed", "start_heir", "taken", "taken_socket"]

SOCKET = "{socket}"
"""A word that stands for a new socket; the process gives what it gets for it to `taken_socket`."""
SECRET = "WBRIDGE_HEIR"
"""Environment: what a process shows that connects."""
LOOK_S, START_S = 0.1, 60.0
"""Time between two looks for the end of a process that has not connected, and the longest time for that."""


class Heir(NamedTuple):
    """A started process."""

    process: subprocess.Popen[bytes]
    sockets: list[socket.socket]
    """This end of each socket, in the order of the words."""


def start_heir(
    words: Sequence[str],
    numbers: Sequence[int] = (),
    environment: Mapping[str, str] | None = None,
    is_quiet: bool = False,
) -> Heir:
    """Start Python in a process that Ctrl-C at this one's terminal does not reach.

    Args:
        words: its arguments.
        numbers: of files, as `passed` gives them; it inherits nothing else.
        environment: None: that of this process.
        is_quiet: what it prints is lost.

    Raises:
        OSError: it cannot be started, or does not connect.
    """
    if sys.platform == "win32":
        return _connected(words, numbers, environment, is_quiet)
    pairs = [socket.socketpair() for word in words if word == SOCKET]
    others = iter(pairs)
    command = [sys.executable, *(str(next(others)[1].fileno()) if word == SOCKET else word for word in words)]
    files = [*numbers, *(other.fileno() for _, other in pairs)]
    process = _popen(command, files, environment, is_quiet)
    for _, other in pairs:
        other.close()
    return Heir(process, [own for own, _ in pairs])


def apart() -> dict[str, Any]:
    """Options of subprocess.Popen for a process that Ctrl-C at this one's terminal does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def end_all(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with those that it has started."""
    if sys.platform == "win32":
        words = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # all have ended


def passed(file: int) -> int:
    """Return the number by which a file of this process is passed on."""
    if sys.platform == "win32":
        return msvcrt.get_osfhandle(file)
    return file


def taken(number: int) -> int:
    """Return the file descriptor of a file that this process has inherited."""
    if sys.platform == "win32":
        return msvcrt.open_osfhandle(number, os.O_RDWR)
    return number


def taken_socket(word: str) -> socket.socket:
    """Return the socket that this process has got for the word `SOCKET`.

    Raises:
        OSError: the process that has started this one has ended.
    """
    if word.isdigit():
        return socket.socket(fileno=int(word))
    port, _, place = word.partition("/")
    return connected_port(int(port), bytes.fromhex(os.environ[SECRET]), bytes([int(place)]))


def _popen(
    command: list[str], numbers: Sequence[int], environment: Mapping[str, str] | None, is_quiet: bool
) -> subprocess.Popen[bytes]:
    output = subprocess.DEVNULL if is_quiet else None
    if sys.platform == "win32":
        startup = subprocess.STARTUPINFO()
        startup.lpAttributeList = {"handle_list": [*numbers]}
        for number in numbers:
            os.set_handle_inheritable(number, True)
        try:
            return subprocess.Popen(
                command, startupinfo=startup, env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, **apart(),
            )  # fmt: skip
        finally:
            for number in numbers:
                os.set_handle_inheritable(number, False)
    return subprocess.Popen(
        command, pass_fds=numbers, env=environment, stdin=subprocess.DEVNULL,
        stdout=output, stderr=output, **apart(),
    )  # fmt: skip


# Where sockets are not passed on.


def _connected(
    words: Sequence[str],
    numbers: Sequence[int],
    environment: Mapping[str, str] | None,
    is_quiet: bool = False,
) -> Heir:
    """As `start_heir`; the process connects."""
    listener, secret = opened()
    with listener:
        port, places = listener.getsockname()[1], iter(range(len(words)))
        command = [f"{port}/{next(places)}" if word == SOCKET else word for word in words]
        variables = {**(os.environ if environment is None else environment), SECRET: secret.hex()}
        process = _popen([sys.executable, *command], numbers, variables, is_quiet)
        try:
            return Heir(process, _accepted(listener, secret, words.count(SOCKET), process))
        except BaseException:
            process.kill()
            process.wait()
            raise


def _accepted(
    listener: socket.socket, secret: bytes, count: int, process: subprocess.Popen[bytes]
) -> list[socket.socket]:
    """Wait for the connections of a process; return them in the order of its words."""
    came: dict[int, socket.socket] = {}
    looks = int(START_S / LOOK_S)
    while len(came) < count and looks and process.poll() is None:
        looks -= 1
        if readable([listener], LOOK_S):
            connection = listener.accept()[0]
            place = shown(connection, secret, START_S, 1)
            if place is not None:
                came[place[0]] = connection
    if len(came) < count:
        for connection in came.values():
            connection.close()
        raise OSError("a process of wbridge has not connected to the one that started it")
    return [came[place] for place in range(count)]
