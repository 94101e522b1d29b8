"""Standard streams of a command: order, closed streams, and write errors."""

from __future__ import annotations

import errno
import io
import os
import sys

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""Disk errors, which are not errors of the program."""
NO_TEMPORARY = "No usable temporary directory found in "
"""How Python's tempfile begins when it can write nowhere; the list of folders follows."""


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


def disk_problem(problem: OSError) -> str:
    """Say which file or folder could not be written; "": the error is the program's."""
    text = problem.strerror or ""
    if problem.errno in NO_ROOM:
        return f"cannot write {problem.filename or 'the output'}: {text}"
    if text.startswith(NO_TEMPORARY):
        tried = text.removeprefix(NO_TEMPORARY).strip("[]").replace("'", "")
        return f"no folder for temporary files can be written; tried: {tried}. Set TMPDIR to one that can"
    if problem.errno is None and isinstance(problem, PermissionError):
        return str(problem)  # of wbridge itself, about a folder of another user
    return ""
