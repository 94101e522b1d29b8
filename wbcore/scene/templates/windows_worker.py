"""The process that runs templates on Windows, where waiting for a pipe knows no time: a timer ends it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO


class WindowsWorker:
    """A worker process and the two pipes to it, as `wbridge.wbcore.scene.templates.process.Worker`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """
        Raises:
            OSError: the process cannot be started.
        """
        self._popen = subprocess.Popen(
            list(command),
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._is_late = False

    def call(self, request: bytes, seconds: float, largest: int) -> bytes:
        """Send a request and wait up to `seconds` for the reply of at most `largest` bytes.

        Raises:
            TimeoutError: no reply in time.
            EOFError: the worker ended, or its reply is too long. In both cases the worker is gone.
        """
        timer = threading.Timer(seconds, self._end_late)
        timer.start()
        try:
            return self._answer(request, largest)
        except BaseException:
            self.kill()
            if self._is_late:
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()

    def _answer(self, request: bytes, largest: int) -> bytes:
        to, back = self._popen.stdin, self._popen.stdout
        assert to is not None
        assert back is not None
        try:
            to.write(len(request).to_bytes(4, "big") + request)
            to.flush()
        except OSError:
            raise EOFError from None
        size = int.from_bytes(_read(back, 4), "big")
        if size > largest:
            raise EOFError
        return _read(back, size)

    def _end_late(self) -> None:
        self._is_late = True
        self._popen.kill()

    def kill(self) -> int:
        """End the process and close the pipes; 0, since no signal has ended it. Idempotent."""
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                with suppress(OSError):  # closing sends what a process that has ended did not read
                    pipe.close()
        return 0


def _read(pipe: IO[bytes], size: int) -> bytes:
    """Read exactly so many bytes.

    Raises:
        EOFError: the pipe ends before.
    """
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
