"""Standard streams of a command: order, closed streams, and write errors."""

from __future__ import annotations

import errno
import io
import os
import sys

__all__ = ["NO_ROOM", "drop_output", "open_closed_streams", "print_in_order"]

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""Disk errors, which are not errors of the program."""


def open_closed_streams() -> None:
    """Redirect closed standard streams (`>&-`) to /dev/null.

    Otherwise the next opened file or socket gets the number of the stream, and receives the output.
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 (it is used until the end)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def print_in_order() -> None:
    """Flush each line of standard output, also to a file or pipe.

    This keeps the order relative to standard error, and loses nothing when the process is killed.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def drop_output() -> None:
    """Redirect standard output to /dev/null, so that flushing does not fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
