"""Wait for files that can be read or written, however many are open.

`select.select` fails for file descriptors from 1024 on, which a program with many connections or
controllers has; for others it is faster than `select.poll`.
"""

from __future__ import annotations

import errno
import math
import os
import select
from collections.abc import Iterable
from typing import Protocol, TypeVar

__all__ = ["HasFileno", "readable", "wait_for_any", "writable"]


class HasFileno(Protocol):
    """A file, a socket or a pipe."""

    def fileno(self) -> int:
        """Its file descriptor."""


File = TypeVar("File", bound="int | HasFileno")
READ, WRITE = 1, 4
"""As select.POLLIN and select.POLLOUT, which not all systems have."""
INVALID = 32


def readable(files: Iterable[File], timeout: float | None = None) -> list[File]:
    """Those that can be read, or have reached their end; as the first result of `select.select`.

    Args:
        files: file descriptors, or objects that have one.
        timeout: longest wait, in s; None: any time.

    Raises:
        ValueError: a file is closed.
        OSError: a file descriptor is invalid.
    """
    ready, _ = wait_for_any(files, (), timeout)
    return ready


def writable(files: Iterable[File], timeout: float | None = None) -> list[File]:
    """Those that can be written; as the second result of `select.select`. See `readable`."""
    _, free = wait_for_any((), files, timeout)
    return free


def wait_for_any(
    reading: Iterable[File], writing: Iterable[File], timeout: float | None = None
) -> tuple[list[File], list[File]]:
    """Wait for files that can be read, and for files that can be written; as `select.select`."""
    readers, writers = list(reading), list(writing)
    try:
        return select.select(readers, writers, [], timeout)[:2]
    except ValueError:  # a descriptor from 1024 on, or a closed file, or a time below 0
        if not hasattr(select, "poll"):
            raise
    return _poll(readers, writers, timeout)


def _poll(readers: list[File], writers: list[File], timeout: float | None) -> tuple[list[File], list[File]]:
    """The same for any file descriptors."""
    wanted: dict[int, int] = {}
    for files, event in ((readers, READ), (writers, WRITE)):
        for file in files:
            wanted[_number(file)] = wanted.get(_number(file), 0) | event
    poll = select.poll()
    for number, events in wanted.items():
        poll.register(number, events)
    # Rounded up: a wait that ends early would be followed by waits of 0 ms.
    events_of = dict(poll.poll(None if timeout is None else math.ceil(1000 * max(timeout, 0.0))))
    if any(events & INVALID for events in events_of.values()):
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    # An error or a hang-up counts as readable and writable, as for `select`: the next call tells which.
    ready = [file for file in readers if events_of.get(_number(file), 0) & ~WRITE]
    free = [file for file in writers if events_of.get(_number(file), 0) & ~READ]
    return ready, free


def _number(file: int | HasFileno) -> int:
    number = file if isinstance(file, int) else file.fileno()
    if number < 0:
        raise ValueError("the file is closed")
    return number
