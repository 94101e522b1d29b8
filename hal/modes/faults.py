"""Where a user's program goes wrong: told at its own lines, as those of the library help nobody."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType, TracebackType

__all__ = ["place", "print_fault", "tell_faults", "tell_stop", "trim"]

OURS = frozenset({"hal", "controller", "vehicle", "wbcore", "wbverify", "wbridge"})
"""Packages of ours."""
_LIBRARY = os.path.dirname(os.__file__)


def place(frame: FrameType | None = None) -> str:
    """The innermost line of the user's program that is running, as file:line; "" when none is.

    Args:
        frame: where to begin, outwards; None: here.
    """
    at: FrameType | None = frame or sys._getframe()
    while at is not None:
        if not (_is_ours(at) or _is_library(at)):
            return f"{os.path.basename(at.f_code.co_filename)}:{at.f_lineno}"
        at = at.f_back
    return ""


def trim(error: BaseException) -> None:
    """Let the traceback of an error, and of those that led to it, end at the user's last line.

    Errors that came about without a line of the user stay as they are; so do all with `python -X dev`.
    """
    seen: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in seen and not sys.flags.dev_mode:
        seen.append(one)
        last = _last_of_user(one.__traceback__)
        if last is not None:
            last.tb_next = None
        one = one.__cause__ or one.__context__


def print_fault(error: BaseException) -> None:
    """Print the trimmed traceback of an error on stderr."""
    _told(type(error), error, error.__traceback__)


def tell_faults() -> None:
    """Print errors that end the program by `print_fault`, unless somebody else has taken care of them."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _told


def tell_stop() -> None:
    """Say in which line the program is when it is ended by SIGTERM, which then ends it as ever."""
    if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return
    own = os.getpid()

    def stopped(number: int, frame: FrameType | None) -> None:
        at = place(frame)
        if at and os.getpid() == own:  # not in processes that the program has forked
            os.write(2, f"The program was stopped at {at}\n".encode("utf-8", "replace"))
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    try:
        signal.signal(signal.SIGTERM, stopped)
    except ValueError:
        return  # only the first thread may


def _told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    trim(error)
    sys.__excepthook__(kind, error, error.__traceback__)


def _last_of_user(trace: TracebackType | None) -> TracebackType | None:
    """What is the user's last before ours begins, or None: nothing is to be left out."""
    user: TracebackType | None = None
    cut: TracebackType | None = None
    while trace is not None:
        if _is_ours(trace.tb_frame):
            cut = user
        elif not (cut is not None and _is_library(trace.tb_frame)):  # what ours calls is no user's
            user, cut = trace, None
        trace = trace.tb_next
    return cut


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in OURS


def _is_library(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith("<frozen") or (file.startswith(_LIBRARY) and "-packages" not in file)
