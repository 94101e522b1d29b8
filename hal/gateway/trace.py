"""Send the controller's commands and readings of a real robot to another program, step by step.

WBRIDGE_REMOTE_TRACE names a local socket. Each step is one line of JSON: {"elapsed": ms, "late": ms,
"silent": the robot does not answer, "fault": why it keeps its motors off, "periods": [[tag, function, ms],
...], "commands": [[tag, channel, value], ...], "readings": [[tag, channel, value], ...]}; numbers and lists
of numbers only. The reader may send lines, too: requests for manual control, see
`wbridge.hal.gateway.manual_control`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from wbridge.hal.named_port import connected

VARIABLE = "WBRIDGE_REMOTE_TRACE"
LONGEST = 16
"""Maximum numbers per value; images are omitted."""
MOST_WAITING = 1 << 22
"""Maximum size of the buffer for a slow reader, in bytes, after which the trace stops."""
CHUNK = 1 << 16


class Trace:
    """Collects and sends the data of each step."""

    def __init__(self, path: str) -> None:
        """
        Raises:
            OSError: nobody listens there.
        """
        self._socket = connected(path)
        self._socket.setblocking(False)  # a controller must not wait for the reader
        self._waiting = bytearray()
        self._heard = b""
        self._open = True
        self._clear()

    @property
    def is_open(self) -> bool:
        """True while the reader is connected."""
        return self._open

    def _clear(self) -> None:
        self._said: dict[str, list[list[Any]]] = {"periods": [], "commands": [], "readings": []}

    def period(self, tag: int, function: str, period: int) -> None:
        """Add a sampling period, by the function that sets it."""
        self._said["periods"].append([tag, function, period])

    def command(self, tag: int, channel: str, value: object) -> None:
        """Add a command."""
        self._add("commands", tag, channel, value)

    def reading(self, tag: int, channel: str, value: object) -> None:
        """Add a value that the controller can read."""
        self._add("readings", tag, channel, value)

    def _add(self, kind: str, tag: int, channel: str, value: object) -> None:
        numbers = _numbers(value)
        if numbers is not None:
            self._said[kind].append([tag, channel, numbers])

    def step(self, elapsed: int, late: int, silent: bool = False, fault: str = "") -> None:
        """Send the data at the end of a step."""
        said = {"elapsed": elapsed, "late": late, "silent": silent, "fault": fault, **self._said}
        self._clear()
        if self._open:
            self._pass_on(said)

    def _pass_on(self, said: dict[str, object]) -> None:
        self._waiting += json.dumps(said).encode() + b"\n"
        self._send()

    def _send(self) -> None:
        try:
            del self._waiting[: self._socket.send(self._waiting)]
        except BlockingIOError:
            if len(self._waiting) > MOST_WAITING:
                self.close()
        except OSError:
            self.close()

    def hear(self) -> list[dict[str, Any]]:
        """The requests received since the last call; invalid lines are dropped."""
        while self._open:
            try:
                data = self._socket.recv(CHUNK)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data or len(self._heard) > MOST_WAITING:
                self.close()
            self._heard += data
        *lines, self._heard = self._heard.split(b"\n")
        return [request for request in map(_request, lines) if request is not None]

    def close(self) -> None:
        """Send the remaining data and end the trace."""
        if self._open:
            self._open = False
            try:
                self._socket.settimeout(1.0)
                self._socket.sendall(self._waiting)
            except OSError:
                self._waiting.clear()
            self._socket.close()


class TraceInPlace(Trace):
    """Hands the data of each step to a function of this program; there are no requests."""

    def __init__(self, take: Callable[[dict[str, object]], object]) -> None:
        """
        Args:
            take: called at the end of each step with what a line of the trace would contain.
        """
        self._pass_on = take  # type: ignore[method-assign, assignment]
        self._open = True
        self._clear()

    def hear(self) -> list[dict[str, Any]]:
        """Nothing."""
        return []

    def close(self) -> None:
        """End the trace."""
        self._open = False


_taker: Callable[[dict[str, Any]], object] | None = None


def trace_in_place(take: Callable[[dict[str, object]], object] | None) -> None:
    """Set what takes the steps of controllers in this program; None: what the environment names."""
    global _taker
    _taker = take


def open_trace() -> Trace | None:
    """The trace that the environment variables request, or None if there is none or no reader listens."""
    if _taker is not None:
        return TraceInPlace(_taker)
    path = os.environ.get(VARIABLE)
    if not path:
        return None
    try:
        return Trace(path)
    except OSError:
        return None


def _request(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _numbers(value: object) -> Any:
    """A number, or a short list of numbers; None for other values."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)) and len(value) <= LONGEST:
        flat = [one for one in value if isinstance(one, (bool, int, float))]
        return flat if len(flat) == len(value) else None
    return None
