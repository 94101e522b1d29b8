"""The standard streams of a command: their order, closed ones, and those that cannot be written any more."""

from __future__ import annotations

import errno
import io
import os
import sys

__all__ = ["NO_ROOM", "drop_output", "open_closed_streams", "print_in_order"]

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""Errors of a disk, not of the program."""


def open_closed_streams() -> None:
    """Send what is written to closed standard streams (`>&-`) to /dev/null.

    Otherwise the next file or socket that is opened takes the number of the stream, and gets what is printed.
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 (it is used until the end)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def print_in_order() -> None:
    """Write each line of standard output at once, also to a file or pipe.

    So it comes before what is written to standard error after it, and is not lost with the process.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def drop_output() -> None:
    """Send the rest of standard output to /dev/null, so that nothing fails once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
