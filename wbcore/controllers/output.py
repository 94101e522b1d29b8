"""Output of controllers: unchanged, to another stream, or line by line with the robot's name."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable
from typing import NamedTuple, Protocol

from wbridge.hal.ready import writable

_LOG = logging.getLogger(__name__)
CHUNK = 1 << 16
LONGEST_LINE = 1 << 16
"""Longer lines are passed on in pieces."""
STDOUT, STDERR = 1, 2


class Output(NamedTuple):
    """Where the output of controllers goes."""

    stdout: int = STDOUT
    """File descriptors of this process for stdout and stderr of controllers."""
    stderr: int = STDERR
    prefix: bool = False
    """Prefix each line with the robot's name."""
    tap: Callable[[str, str, bool], object] | None = None
    """Also called with all output: name of the robot, text, whether it is an error."""

    @property
    def is_pumped(self) -> bool:
        """True if the output of processes has to be read here."""
        return self.prefix or self.tap is not None

    @property
    def is_changed(self) -> bool:
        """True if the output differs from passing everything through."""
        return self != Output()

    def write(self, robot: str, text: str, is_error: bool) -> None:
        """Write text that a controller sent to the console."""
        self.write_bytes(robot, text.encode("utf-8", "replace"), is_error)

    def write_bytes(self, robot: str, data: bytes, is_error: bool) -> None:
        """Write bytes that a controller has printed."""
        target = self.stderr if is_error else self.stdout
        if self.tap is not None:
            self.tap(robot, data.decode("utf-8", "replace"), is_error)
        if self.prefix:
            data = _prefixed(_label(robot), data)
        _write_all(target, data)


class Stream(io.TextIOBase):
    """Standard output of an inline controller: whole lines are written at once, the rest when flushed."""

    encoding = "utf-8"

    def __init__(self, output: Output, robot: str, is_error: bool) -> None:
        self._output, self._robot, self._is_error = output, robot, is_error
        self._rest = ""
        self.is_muted = False
        """Whether nothing is printed: it has been printed before."""

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, text: str) -> int:
        """Print a text."""
        if self.is_muted:
            return len(text)
        whole, end, rest = text.rpartition("\n")
        if end:
            self._output.write(self._robot, f"{self._rest}{whole}\n", self._is_error)
            self._rest = rest
        else:
            self._rest += rest
        return len(text)

    def flush(self) -> None:
        """Write the incomplete last line."""
        rest, self._rest = self._rest, ""
        if rest:
            self._output.write(self._robot, rest, self._is_error)


class Pipe(Protocol):
    """What a pump reads from: a file without a buffer, which does not wait."""

    @property
    def closed(self) -> bool:
        """Whether it was closed."""

    def fileno(self) -> int:
        """Its number."""

    def read(self, size: int = -1, /) -> bytes | None:
        """Up to `size` bytes; none at its end; None: nothing has arrived."""

    def close(self) -> None:
        """Close it."""


class LinePump:
    """Passes on the lines of one pipe."""

    def __init__(self, pipe: Pipe, output: Output, robot: str, is_error: bool) -> None:
        """
        Args:
            pipe: the end of a pipe.
            output: where the lines go.
            robot: whose controller prints them.
            is_error: whether it prints them as errors.
        """
        self.file = pipe.fileno()
        self._pipe, self._output, self._robot, self._is_error = pipe, output, robot, is_error
        self._rest = b""
        self.on_end: Callable[[], object] = lambda: None
        """Called at the end of the pipe."""

    def pump(self) -> bool:
        """Pass on what has arrived; return False if there was nothing."""
        if self._pipe.closed:
            return False
        data = self._pipe.read(CHUNK)
        if data is None:
            return False
        if not data:
            self.close()
            return False
        whole, end, rest = (self._rest + data).rpartition(b"\n")
        if not end and len(rest) > LONGEST_LINE:
            whole, rest = rest, b""
        self._rest = rest
        if whole or end:
            self._pass_on(whole + end)
        return True

    def _pass_on(self, lines: bytes) -> None:
        self._output.write_bytes(self._robot, lines, self._is_error)

    def close(self) -> None:
        """Pass on the last line and close the pipe."""
        if self._pipe.closed:
            return
        if self._rest:
            self._pass_on(self._rest)
            self._rest = b""
        self.on_end()
        self._pipe.close()


def _label(robot: str) -> bytes:
    return f"[{robot}] ".encode("utf-8", "replace")


def _prefixed(label: bytes, lines: bytes) -> bytes:
    return b"".join(label + word + b"\n" for word in lines.removesuffix(b"\n").split(b"\n"))


_LOST: set[int] = set()
"""File descriptors that were reported as not writable."""


def _write_all(target: int, data: bytes) -> None:
    """Write everything, waiting for a slow reader; after an error the output is lost and the run
    continues."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:
            writable([target])
        except BrokenPipeError:
            return  # the reader has closed the pipe
        except OSError as problem:
            if target not in _LOST:
                _LOST.add(target)
                _LOG.error("error: output of controllers is lost: %s", problem.strerror)
            return
